"""Requests for a person and alarms: what was asked, who was told, and a way to send it again."""

from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import get_language_info, gettext_noop, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from desk.access import audit
from desk.language import moment
from webchat import transcripts
from webchat.handover import handovers
from webchat.models import Alarm, Delivery, Handover
from webchat.notifications import payloads


class ReadOnly:
    """Admin mixin for rows that are never added by hand."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class DeliveryInline(ReadOnly, admin.TabularInline):
    model = Delivery
    fields = readonly_fields = ("channel", "state", "outcomes", "next_attempt")
    can_delete = False
    extra = 0
    verbose_name_plural = _("who was told")

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Delivery]:
        return super().get_queryset(request).prefetch_related("attempts")

    @admin.display(description=_("attempts"))
    def outcomes(self, delivery: Delivery) -> str:
        return "\n".join(f"{moment(each.at)} {each.went_to}: {each.outcome}" for each in delivery.attempts.all()) or "–"

    @admin.display(description=_("next attempt"))
    def next_attempt(self, delivery: Delivery) -> str:
        return moment(delivery.next_at) if delivery.state == Delivery.State.WAITING else "–"


class Delivered(ReadOnly):
    """Admin mixin for rows of which people are told by e-mail or webhook."""

    def get_inlines(self, request: HttpRequest, obj: Handover | Alarm | None) -> list[type[DeliveryInline]]:
        return [DeliveryInline] if obj and obj.deliveries.exists() else []


@admin.register(Handover)
class HandoverAdmin(Delivered, admin.ModelAdmin):
    list_display = ("created_at", "bot", "what", "told", "done", "suspect")
    list_filter = ("bot", "done_at", "is_suspect", "created_at")
    search_fields = ("email", "message", "details__text")
    fields = (
        *("answer_to", "message", "told_about_themselves", "conversation_shown", "bot", "surface", "spoken"),
        *("created_at", "suspect", "done_at"),
    )
    readonly_fields = (*fields, "name_of_bot")
    change_form_template = "desk/request.html"
    actions = ("send_again", "mark_as_done")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Handover]:
        waiting = Count("deliveries", filter=Q(deliveries__state=Delivery.State.WAITING))
        lost = Count("deliveries", filter=Q(deliveries__state=Delivery.State.GIVEN_UP))
        rows = super().get_queryset(request).select_related("bot")
        return rows.annotate(all=Count("deliveries"), waiting=waiting, lost=lost)

    def get_fields(self, request: HttpRequest, obj: Handover | None = None) -> list[str]:
        """Name the bot without Django's link to its page, which an account that only answers people may not open."""
        bot = "bot" if request.user.has_perm("webchat.view_bot") else "name_of_bot"
        return [bot if name == "bot" else name for name in self.fields]

    @admin.display(description=_("bot"))
    def name_of_bot(self, handover: Handover) -> str:
        return handover.bot.name

    def heading_of(self, handover: Handover) -> str:
        return f"{moment(handover.created_at)} · \u2068{handover.bot}\u2069"  # each in a direction of its own

    @admin.display(description=_("message"), ordering="email")
    def what(self, handover: Handover) -> str:
        excerpt = Truncator(handover.message).chars(100)
        return format_html('{}<br><bdi class="soft">{}</bdi>', handover.email, excerpt)

    @admin.display(description=_("e-mail address"))
    def answer_to(self, handover: Handover) -> str:
        return format_html('<a href="mailto:{0}">{0}</a>', handover.email)

    @admin.display(description=_("delivered"))
    def told(self, handover: Handover) -> str:
        if not handover.all:
            return _("only at the desk")
        if handover.waiting:
            return _("on its way")
        return _("not delivered") if handover.lost else _("yes")

    @admin.display(description=_("done"), ordering="done_at")
    def done(self, handover: Handover) -> str:
        return _("done") if handover.done_at else pgettext("a request", "open")

    @admin.display(description=_("spam"), ordering="is_suspect")
    def suspect(self, handover: Handover) -> str:
        """Show text, because the icon for "no" is a red cross beside requests that are fine."""
        return _("perhaps spam") if handover.is_suspect else "–"

    @admin.display(description=_("language"))
    def spoken(self, handover: Handover) -> str:
        return get_language_info(handover.language)["name_translated"] if handover.language else "–"

    @admin.display(description=_("About the visitor"))
    def told_about_themselves(self, handover: Handover) -> str:
        return "\n".join(str(detail) for detail in handover.details.all()) or "–"

    @admin.display(description=_("conversation"))
    def conversation_shown(self, handover: Handover) -> str:
        turns = list(handover.transcript)
        if not turns:
            return _("The visitor didn’t include it.")
        shown = transcripts.as_html(handover.bot, turns, handover.entries, handover.email)
        return format_html('<div class="saved">{}</div>', shown)

    @admin.action(description=_("Send again"), permissions=["change"])
    def send_again(self, request: HttpRequest, requests: QuerySet[Handover]) -> None:
        for handover in requests:
            handovers.queue_deliveries(handover)
            audit.record(request.user, handover, gettext_noop("Sent again."))
        count = len(requests)
        self.message_user(
            request, ngettext("%d request is being sent again.", "%d requests are being sent again.", count) % count
        )

    @admin.action(description=_("Mark as done"), permissions=["change"])
    def mark_as_done(self, request: HttpRequest, requests: QuerySet[Handover]) -> None:
        for handover in requests.filter(done_at=None):
            audit.record(request.user, handover, gettext_noop("Marked as done."))
        requests.filter(done_at=None).update(done_at=timezone.now())
        self.message_user(request, _("Marked as done."), messages.SUCCESS)


@admin.register(Alarm)
class AlarmAdmin(Delivered, admin.ModelAdmin):
    change_list_template = "desk/alarms.html"
    list_display = ("raised_at", "bot", "cause", "sentence", "held_back")
    list_filter = ("bot", "cause", "raised_at")
    list_select_related = ("bot",)
    fields = readonly_fields = ("bot", "cause", "raised_at", "sentence", "held_back")

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    @admin.display(description=_("what"))
    def sentence(self, alarm: Alarm) -> str:
        return payloads.sentence(alarm)
