"""What the desk's first page shows to one account: only what its rights cover."""

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from desk.access.rights import sees_all_bots
from desk.overview import counts, set_up, to_do, today


def context_of(request: HttpRequest) -> dict[str, object]:
    """Return the context with at most eight statements, whatever there is to show."""
    bots, trained_bots = counts.bots(request.user), list(counts.trained_bots(request.user))
    days = today.days(request, None if sees_all_bots(request.user) else tuple(bot.pk for bot in bots))
    raised, waiting, questions = to_do.current_alarms(request), to_do.waiting_for(request), to_do.to_teach(request)
    cards = [
        to_do.alarm_card(request, raised),
        to_do.waiting_card(request, waiting, bots),
        to_do.teach_card(request, questions),
        to_do.documents_card(request, trained_bots),
        to_do.budget_card(request, bots),
    ]
    shown = [card for card in cards if card]
    return {
        "title": _("Overview"),
        "now": timezone.localtime(),
        "days": days,
        "cards": shown,
        "has_bots": bool(bots),
        "is_calm": not any(card.is_to_do for card in shown),
        "set_up": set_up.set_up_card(request, bots, trained_bots),
        "unused_bot": bots[0] if bots and not bots[0].site_has_conversations else None,
        # For the navigation, which would count them again:
        "unread": len(waiting),
        "open_counts": {
            "Handover": sum(bot.open_requests for bot in bots),
            "teach": questions,
            "Alarm": len(raised),
            "Bot": sum(bot.failed_documents for bot in trained_bots),
        },
    }
