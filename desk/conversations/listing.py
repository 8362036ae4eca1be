"""The rows of the conversation list: no further than the pages that are linked to, with counts of their messages."""

from collections.abc import Iterable

from django.contrib.admin.views.main import PAGE_VAR, ChangeList
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest

from desk.access.guard import is_id
from webchat.models import Conversation, Entry, Feedback, Turn

PAGES_AHEAD = 2  # that are counted and linked to; older conversations are found by filters
LAST_PAGE = 100
KINDS = {
    "failed": Q(state=Turn.State.FAILED),
    "unknown": Q(outcome=Turn.Outcome.NOT_KNOWN),
    "unsure": Q(outcome=Turn.Outcome.NOT_SURE),
    "up": Q(feedback=Feedback.UP),
    "down": Q(feedback=Feedback.DOWN),
}


class CappedChangeList(ChangeList):
    """Read no further than the pages that are linked to, and count only the messages of this page's rows."""

    def get_results(self, request: HttpRequest) -> None:
        most = most_listed(request, self.list_per_page)
        found = list(self.queryset.values_list("pk", flat=True)[: most + 1])
        self.has_more = len(found) > most
        ordering = self.queryset.query.order_by
        self.queryset = with_first(Conversation.objects.filter(pk__in=found[:most])).order_by(*ordering)
        super().get_results(request)
        self.page_range = self.paginator.get_elided_page_range(self.page_num)
        self.result_list = with_counts(self.result_list)


def most_listed(request: HttpRequest, per_page: int) -> int:
    page = request.GET.get(PAGE_VAR, "")
    return per_page * (min(int(page) if is_id(page) else 1, LAST_PAGE) + PAGES_AHEAD)


def with_first(conversations: QuerySet[Conversation]) -> QuerySet[Conversation]:
    turns = Turn.objects.filter(conversation=OuterRef("pk")).order_by("pk")
    return conversations.select_related("bot").annotate(first=Subquery(turns.values("message")[:1]))


def with_counts(conversations: Iterable[Conversation]) -> list[Conversation]:
    """Set `counts`: how many messages of each kind; and `has_person`.

    The counts are one statement. Path not taken: a subquery for each of them, in which SQLite reads all failed ones.
    """
    rows = list(conversations)
    turns = Turn.objects.filter(conversation__in=rows).order_by().values("conversation")
    kinds = {name: Count("pk", filter=condition) for name, condition in KINDS.items()}
    counts = {row["conversation"]: row for row in turns.annotate(all=Count("pk"), **kinds)}
    entries = Entry.objects.with_a_person().filter(conversation__in=rows)
    with_a_person = set(entries.values_list("conversation", flat=True))
    for row in rows:
        row.counts, row.has_person = counts.get(row.pk, {}), row.pk in with_a_person
    return rows
