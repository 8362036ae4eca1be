"""The bots and trained bots with everything that the cards say about them: one statement for each."""

from typing import Any

from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from desk.access import rights
from docbot.models import Document, TrainedBot
from docbot.reading import folders
from webchat.limits import budget
from webchat.models import Bot, Conversation, Handover, TeamMember


def bots(user: Any) -> QuerySet[Bot]:
    """Return those that the account may see. Annotate used_today, open_requests, has_available_team and is_used."""
    requests = Handover.objects.open().filter(bot=OuterRef("pk")).order_by().values("bot")
    available = TeamMember.objects.filter(is_available=True, user__is_active=True)
    return budget.with_used_today(rights.bots_of(user)).annotate(
        open_requests=Coalesce(Subquery(requests.annotate(number=Count("pk")).values("number")), 0),
        has_available_team=Exists(available.filter(Q(all_bots=True) | Q(bots=OuterRef("pk")))),
        is_used=Exists(Conversation.objects.filter(bot=OuterRef("pk"))),
    )


def trained_bots(user: Any) -> QuerySet[TrainedBot]:
    """Annotate failed_documents, and has_own_documents: those besides the site's manual."""
    documents = Document.objects.filter(trained_bot=OuterRef("pk")).order_by()
    failed = documents.exclude(problem="").values("trained_bot")
    own = documents.filter(trained_at__isnull=False).exclude(origin=folders.location_of(settings.MANUAL))
    return rights.visible(user, TrainedBot.objects.all()).annotate(
        failed_documents=Coalesce(Subquery(failed.annotate(number=Count("pk")).values("number")), 0),
        has_own_documents=Exists(own),
    )
