"""The bots and trained bots with everything that the cards say about them: one statement for each."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from desk.access import rights
from docbot.models import Document, TrainedBot
from docbot.reading import folders
from webchat.limits import budget
from webchat.models import Bot, Conversation, Handover, TeamMember


def bots(user: Any) -> list[Bot]:
    """Return the bots that the account may see, with the figures that the cards show."""
    requests = Handover.objects.open().filter(bot=OuterRef("pk")).order_by().values("bot")
    available = TeamMember.objects.filter(is_available=True, user__is_active=True)
    counted = budget.with_used_today(rights.all_bots_marked(user)).annotate(
        open_requests=Coalesce(Subquery(requests.annotate(number=Count("pk")).values("number")), 0),
        # Once for all bots: to see that one has none, PostgreSQL would read all conversations.
        site_has_conversations=Exists(rights.visible(user, Conversation.objects.all())),
        has_available_team=Exists(available.filter(Q(all_bots=True) | Q(bots=OuterRef("pk")))),
        site_has_customers=Exists(User.objects.filter(is_staff=False, is_active=True)),
    )
    return rights.bots_among(user, counted)


def trained_bots(user: Any) -> QuerySet[TrainedBot]:
    """Annotate failed_documents, has_documents, and has_own_documents: those besides the site's manual."""
    documents = Document.objects.filter(trained_bot=OuterRef("pk")).order_by()
    failed = documents.exclude(problem="").values("trained_bot")
    known = documents.filter(trained_at__isnull=False)
    return rights.visible(user, TrainedBot.objects.all()).annotate(
        failed_documents=Coalesce(Subquery(failed.annotate(number=Count("pk")).values("number")), 0),
        has_documents=Exists(known),
        has_own_documents=Exists(known.exclude(origin=folders.location_of(settings.MANUAL))),
    )
