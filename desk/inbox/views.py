"""The inbox's pages: whole ones, and with htmx the fragments that have changed."""

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from desk import trained_bots
from desk.access import audit, rights
from desk.access.guard import is_id
from desk.inbox import actions, listing, suggestions, transcript, updates
from desk.inbox.forms import WriteForm
from desk.inbox.listing import Selection
from desk.inbox.rights import canned_replies_of, conversations_of, member_of
from desk.inbox.transcript import View
from desk.pages import page
from webchat.attachments import content, serving, storing
from webchat.attachments.content import Content
from webchat.conversation.forms import OUT_OF_DATE
from webchat.conversation.responses import fragment
from webchat.models import Attachment, Bot, Conversation, Entry, NotLeading, TeamMember

MOST_NAMED = 5  # bots
ACTIONS = {
    "claim": actions.claim,
    "hand-back": actions.hand_back,
    "hand-over": actions.hand_over,
    "take-over": actions.take_over,
    "close": actions.close,
}


def post_or_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Show the conversation on a GET, as when a login leads back to the URL of a form."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def posted(request: HttpRequest, public_id: uuid.UUID, **named: object) -> HttpResponse:
        if request.method != "POST":
            return show_conversation(request, public_id)
        return view(request, public_id, **named)

    return posted


@require_safe
def show_inbox(request: HttpRequest) -> HttpResponse:
    return _page(request, member_of(request))


@require_safe
def show_conversation(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    member = member_of(request)
    conversation = _conversation(member, public_id=public_id)
    transcript.mark_as_read(conversation, member)
    return _page(request, member, conversation)


@require_safe
def show_updates(request: HttpRequest, token: str) -> HttpResponse:
    """Send what has changed; if nothing has, `nothing_new` has answered already.

    Instead of a conversation that is gone, say why it is; the list goes on without it.
    """
    shown = updates.read(token)
    if shown is None:
        raise Http404
    member = member_of(request)
    conversation = _answerable(member).filter(pk=shown.conversation).first()
    if shown.conversation and conversation is None:
        return _changes(request, member, None, shown, is_gone=True, refusal=_why_gone(pk=shown.conversation))
    if conversation and "hidden" not in request.GET:
        transcript.mark_as_read(conversation, member)
    return _changes(request, member, conversation, shown)


@post_or_page
def act(request: HttpRequest, public_id: uuid.UUID, action: str) -> HttpResponse:
    """Claim, hand back, hand over, take over or close the conversation."""
    member = member_of(request)
    conversation = _conversation(member, public_id=public_id)
    if action not in ACTIONS:
        raise Http404
    more = [request.POST.get("colleague", "")] if action == "hand-over" else []
    refusal = ACTIONS[action](conversation, member, *more)
    return _after(request, member, conversation, refusal)


@post_or_page
def write(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Store a message or a note; or put a canned reply or a suggested answer into the text, which is sent by hand."""
    member = member_of(request)
    form = WriteForm(request.POST, request.FILES)
    conversation = _answerable(member).filter(public_id=public_id).first()
    if conversation is None:
        return _page(request, member, status=404, form=form, refusal=_why_gone(public_id=public_id))
    if "put" in request.POST:
        return _put_into_text(request, member, conversation)
    if not form.is_valid():
        return _after(request, member, conversation, form.refusal, form)
    if form.cleaned_data["file"] and not conversation.bot.takes_files:
        return _after(request, member, conversation, _("Files are turned off for this bot."), form)
    try:
        stored = _store(conversation, member, **form.cleaned_data)
    except NotLeading:
        refusal = actions.who_leads(conversation, member) or actions.ENDED
        kept = _("Your text is still here.")
        return _after(request, member, conversation, f"{refusal} {kept}", form)
    if stored.text != form.cleaned_data["text"]:  # the text was changed after the first response was lost
        form.add_error("key", OUT_OF_DATE)
        return _after(request, member, conversation, form.refusal, form)
    conversation.refresh_from_db(fields=["changes"])
    return _after(request, member, conversation, sent=True)


@require_safe
def show_attachment(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Serve a file to whoever may read the conversation, in the inbox or among all conversations."""
    attachment = get_object_or_404(rights.visible(request.user, Attachment.objects.all()), key=key)
    if not request.user.has_perm(rights.MAY_READ):
        _conversation(member_of(request), pk=attachment.conversation_id)
    return serving.hand_out(attachment)


@require_POST
def record_typing(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Record that the team member is typing, for the visitor to see."""
    member = member_of(request)
    conversation = _conversation(member, public_id=public_id)
    if View(conversation, member).is_mine:
        conversation.record_typing(conversation.entries, request.POST.get("key"), "team_typing_at")
    return HttpResponse(status=204)


@require_POST
def set_availability(request: HttpRequest) -> HttpResponse:
    """Set the team member available or away, until they change it."""
    member = member_of(request)
    is_available = request.POST.get("available") == "yes"
    if is_available != member.is_available:
        member.is_available = is_available
        member.save(update_fields=["is_available"])
        audit.record(request.user, member, gettext_noop("Available.") if is_available else gettext_noop("Away."))
    if request.htmx:
        closed = _closed(_answered_in_person(member))
        context = {"member": member, "closed_bots": closed, "selection": Selection.of(request)}
        return fragment(request, "desk/inbox/_availability.html", context)
    return HttpResponseRedirect(_inbox_url(Selection.of(request)), status=303)


def _store(
    conversation: Conversation, member: TeamMember, key: uuid.UUID, kind: str, text: str, file: Content | None
) -> Entry:
    if file:
        return storing.store_from_person(conversation, member, key, text, file)
    store = conversation.write_note if kind == "note" else conversation.write_message
    return store(member, key, text)


def _conversation(member: TeamMember, **named: object) -> Conversation:
    """Return a conversation that the member may answer. Raises Http404."""
    return get_object_or_404(_answerable(member), **named)


def _answerable(member: TeamMember) -> QuerySet[Conversation]:
    """Return the conversations that the member may answer: every look-up starts here."""
    return conversations_of(member).select_related("bot", "team_member", "customer__user")


def _why_gone(**named: object) -> str:
    """Return why the member can't open a conversation that was open before."""
    still_exists = Conversation.objects.filter(rights.not_deleted("bot"), **named).exists()
    return _("Your account doesn’t have permission.") if still_exists else _("The conversation has been deleted.")


def _put_into_text(request: HttpRequest, member: TeamMember, conversation: Conversation) -> HttpResponse:
    text, refusal = request.POST.get("text", ""), ""
    if request.POST["put"] == "canned":
        number = request.POST.get("canned", "")
        chosen = canned_replies_of(member).filter(pk=number if is_id(number) else 0).first()
        added = chosen.text if chosen else ""
    else:
        added = suggestions.suggest(conversation)
        refusal = "" if added else _("The documents have no answer to the last message.")
    data = request.POST.dict() | {"text": f"{text}\n\n{added}".strip() if added else text}
    form = WriteForm(data)
    if request.htmx:
        return fragment(request, "desk/inbox/_put.html", {"form": form, "refusal": refusal})
    return _page(request, member, conversation, form=form, refusal=refusal)


def _after(
    request: HttpRequest,
    member: TeamMember,
    conversation: Conversation,
    refusal: str = "",
    form: WriteForm | None = None,
    **more: object,
) -> HttpResponse:
    """Show what follows a form: with htmx what has changed, else the page, which keeps a refused text."""
    if request.htmx:
        transcript.mark_as_read(conversation, member)  # what follows shows it
        shown = updates.read(request.POST.get("shown", ""))
        return _changes(request, member, conversation, shown, refusal=refusal, form=form or WriteForm(), **more)
    if refusal:
        return _page(request, member, conversation, 409, form=form or WriteForm(), refusal=refusal)
    return HttpResponseRedirect(_inbox_url(Selection.of(request), conversation), status=303)


def _page(
    request: HttpRequest,
    member: TeamMember,
    conversation: Conversation | None = None,
    status: int = 200,
    **more: object,
) -> HttpResponse:
    context = _context(request, member, conversation) | more
    return page(request, "desk/inbox/page.html", _("Inbox"), status, **context)


def _changes(
    request: HttpRequest,
    member: TeamMember,
    conversation: Conversation | None,
    shown: updates.Shown | None,
    **more: object,
) -> HttpResponse:
    context = _context(request, member, conversation) | more
    same = shown is not None and conversation is not None and shown.conversation == conversation.pk
    context["is_content_new"] = not same or shown.content != context["shown"].content
    response = fragment(request, "desk/inbox/_changes.html", context)
    if context.get("sent"):
        response["HX-Trigger"] = "inbox:sent"
    return response


def _context(request: HttpRequest, member: TeamMember, conversation: Conversation | None) -> dict[str, Any]:
    shown = updates.current(conversation.pk if conversation else 0)  # before the rest, so that nothing is missed
    selection = Selection.of(request)
    answered = _answered_in_person(member)
    context: dict[str, Any] = {
        "member": member,
        "selection": selection,
        "tabs": listing.TABS,
        "groups": listing.groups(member, selection),
        "unread": listing.unread(request.user),
        "closed_bots": _closed(answered),
        "switched_off": [] if answered else rights.bots_of(member.user)[:MOST_NAMED],
        "shown": shown,
        "conversation": conversation,
        "form": WriteForm(),
        "refusal": "",
        "sent": False,
    }
    if conversation:
        context |= {
            "bot": conversation.bot,
            "view": View(conversation, member),
            "canned_replies": canned_replies_of(member).filter(Q(bot=conversation.bot) | Q(bot=None)),
            "accept": content.ACCEPT,
            "file_template": "desk/_file.html",
            "may_suggest": trained_bots.answering_for(conversation.bot) is not None,
        }
    return context


def _answered_in_person(member: TeamMember) -> list[Bot]:
    """Return the member's bots whose visitors may ask for a person. Without any, nobody can ever wait here."""
    return list(rights.bots_of(member.user).filter(people_answer=True))


def _closed(bots: list[Bot]) -> list[str]:
    """Return the names of those that offer nobody now, because it is outside their business hours."""
    return [bot.name for bot in bots if not bot.is_open]


def _inbox_url(selection: Selection, conversation: Conversation | None = None) -> str:
    url = reverse("admin:inbox_conversation", args=[conversation.public_id]) if conversation else reverse("admin:inbox")
    return f"{url}?{selection.query}" if selection.query else url
