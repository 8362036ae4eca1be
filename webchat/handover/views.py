"""How a visitor gets to a person: by the queue when somebody is there, else by the form."""

import uuid

from django.core.exceptions import ValidationError
from django.db.models import Exists, OuterRef, Q
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from webchat import languages
from webchat.conversation import accept, details, updates, visitor_page
from webchat.conversation.forms import (
    BUTTON_EXPIRED,
    NOT_AGREED,
    OUT_OF_DATE,
    PAGE_EXPIRED,
    WRONG_EMAIL,
    MessageForm,
    Refusal,
    too_many_conversations,
    too_many_messages,
)
from webchat.conversation.responses import (
    IN_TRANSCRIPT,
    bot_of,
    conversation_named_in,
    fragment,
    full_page,
    post_or_page,
    private,
    refuse,
    see_other,
    show_with_draft,
    shown_conversation,
    start_bot,
    store_reasons,
    surface_of,
    surface_url,
    turns_of,
)
from webchat.conversation.views import refused
from webchat.conversation.visitor_session import ensure_visitor, visitor_of
from webchat.handover import handovers, phrases, queue
from webchat.handover.forms import HandoverForm
from webchat.handover.responses import fragments_since, own_conversation, show_after_form
from webchat.limits import client_ip, rates
from webchat.models import Bot, Conversation, Entry, Handover, ResumeLink, Surface, TeamMember

HAVE_OWN_FORM = ("handover", "handover-send")  # names of URLs
_OF_THE_COMPOSER = ("join", "leave", "back", "reply-email", "notify", "new", "details", "feedback")
KEEPS_WHAT_WAS_TYPED = (*HAVE_OWN_FORM, *_OF_THE_COMPOSER)
NOBODY_THERE = Refusal(gettext_lazy("Nobody is available right now. Try again later."), "NOBODY_THERE")
MESSAGES_SEARCHED = 5  # messages, to find one that says what it is about


@require_http_methods(["GET", "HEAD", "POST"])
def handover(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form; POST is for a frame, whose session is a field of the form that leads here."""
    store_reasons(request, slug)
    bot = bot_of(request, slug)
    if not bot.handover:
        return _without_form(request, bot)
    return _form(request, bot, _prefilled_form(request, bot))


@require_http_methods(["GET", "HEAD", "POST"])
def send_handover(request: HttpRequest, slug: str) -> HttpResponse:
    bot = bot_of(request, slug)
    if request.method != "POST":  # the URL that a refusal leaves in the browser, when it is reloaded
        return HttpResponseRedirect(surface_url(request, "handover", slug))
    if not bot.handover:
        return _without_form(request, bot)
    form = HandoverForm(request.POST)
    taken = _store_request(request, bot, form)
    if taken is None:
        return _form(request, bot, form, status=422)
    if request.htmx:
        return fragment(request, "webchat/_request_sent.html", {"bot": bot, "handover": taken}, place=IN_TRANSCRIPT)
    if request.webchat.frame_token:  # no cookie, so after a redirect there is no session
        return full_page(request, bot, "webchat/asked.html", {"bot": bot, "handover": taken})
    return see_other(surface_url(request, "handover-sent", slug, taken.key))


@require_safe
def handover_sent(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """Say what happens next, for visitors without JavaScript."""
    taken = get_object_or_404(Handover.objects.of(visitor_of(request), slug, surface_of(request)), key=key)
    languages.activate_language(request, taken.bot)
    return full_page(request, taken.bot, "webchat/asked.html", {"bot": taken.bot, "handover": taken})


@post_or_page
def back(request: HttpRequest, slug: str) -> HttpResponse:
    """Go back to the conversation without JavaScript: keep the draft and, in a frame, the session."""
    bot = bot_of(request, slug)
    return show_with_draft(request, bot, shown_conversation(request, bot).first())


@require_safe
def team_picture(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Serve the picture of a team member who may answer for this bot, or has written to its visitors."""
    bot = bot_of(request, slug)
    members = TeamMember.objects.exclude(picture="")
    messages = Entry.objects.filter(kind=Entry.Kind.MESSAGE, conversation__bot=bot)
    has_written = Exists(messages.filter(team_member=OuterRef("pk")))
    member = get_object_or_404(members.filter(Q(pk__in=members.who_may_answer(bot)) | has_written), pk=pk)
    response = FileResponse(member.picture.open("rb"), content_type="image/webp")
    response["Cache-Control"] = "public, max-age=3600"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def resume(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page of a link in an e-mail.

    Only its button opens the conversation, so that mail scanners don't use it up. Afterwards the link still leads to
    the conversation where it was opened.
    """
    link = ResumeLink.valid(token)  # first: another press may use it at this moment, and is seen below then
    own = ResumeLink.already_open(token, visitor_of(request))
    if own:
        return see_other(own.bot)
    if link is None:  # the same for a used, an expired and an unknown link
        return private(TemplateResponse(request, "webchat/resume_gone.html", {"bot": start_bot()}, status=404))
    conversation = link.conversation
    if request.method == "POST":
        is_open = link.use(ensure_visitor(request))  # if not, this page says why, or leads there after another press
        return see_other(conversation.bot if is_open else request.path)
    languages.activate_language(request, conversation.bot)
    open_here = Conversation.objects.open_for(visitor_of(request), conversation.bot.slug, Surface.CHAT)
    context = {"bot": conversation.bot, "other": open_here.exclude(pk=conversation.pk).exists()}
    # The site's own Referrer-Policy: with "no-referrer" browsers send `Origin: null`, and the button would be refused.
    return full_page(request, conversation.bot, "webchat/resume.html", context)


def refuse_expired(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep what was typed on an expired page, with a new token."""
    if request.resolver_match.url_name not in HAVE_OWN_FORM:
        return refuse(request, bot_of(request, slug), BUTTON_EXPIRED, 403)
    form = HandoverForm(request.POST)
    form.add_error(None, PAGE_EXPIRED.sentence)
    return _form(request, bot_of(request, slug), form, status=403)


@post_or_page
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Put the visitor into the queue, or show the form when nobody is there."""
    bot = bot_of(request, slug)
    visitor = visitor_of(request)
    if accept.has_to_agree(visitor, bot) and request.POST.get("consent") != bot.consent_version:
        return _ask_first(request, bot, NOT_AGREED)
    if not queue.has_people(bot):
        return _nobody_there(request, bot)
    asked = details.asked(request, bot)
    if asked and not asked.is_valid():
        return _ask_first(request, bot, asked.refusal)
    try:
        limits = rates.count_if_new(request, visitor)
        conversation = queue.join(
            ensure_visitor(request), bot, surface_of(request), conversation_named_in(request), limits
        )
    except Conversation.DoesNotExist as error:
        raise Http404 from error
    except rates.TooManyMessages as refusal:
        return refuse(request, bot, too_many_messages(refusal.wait, is_own=refusal.is_own))
    except rates.TooManyConversations as refusal:
        return refuse(request, bot, too_many_conversations(refusal.wait))
    conversation.store_details(asked.given if asked else ())
    visitor_page.store_page(request, conversation)
    begun = surface_of(request) == Surface.PORTAL and not conversation_named_in(request)
    return show_after_form(request, conversation, begun=begun, joined=True)


@post_or_page
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Go back to the bot."""
    conversation = own_conversation(request, slug)
    conversation.leave_queue()
    return show_after_form(request, conversation)


@post_or_page
def reply_email(request: HttpRequest, slug: str) -> HttpResponse:
    """Store the e-mail address for a person's reply after the visitor has left; an empty one deletes it.

    Without JavaScript on a page of its own, opened by a button of the composer: so the draft there is kept.
    """
    conversation = own_conversation(request, slug)
    email = request.POST.get("email", "").strip()
    wrong = ""
    try:
        Conversation._meta.get_field("reply_email").run_validators(email)
        if "email" in request.POST:
            conversation.notify_pages(reply_email=email)
    except ValidationError:
        wrong = WRONG_EMAIL
    if request.htmx or ("email" in request.POST and not wrong):
        return show_after_form(request, conversation, typed_email=email, wrong_email=wrong)
    context = {"bot": conversation.bot, "conversation": conversation, "draft": request.POST.get("message", "")}
    context |= {"typed_email": email, "wrong_email": wrong}
    return full_page(request, conversation.bot, "webchat/reply_email.html", context, status=422 if wrong else 200)


@require_POST
def typing(request: HttpRequest, slug: str) -> HttpResponse:
    """Record that the visitor is typing, for the team member to see."""
    conversation = own_conversation(request, slug)
    if not conversation.is_led_by_bot:
        conversation.record_typing(conversation.turns, request.POST.get("key"), "visitor_typing_at")
    return HttpResponse(status=204)


@require_safe
def show_updates(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Send what is new, to its own visitor only. If nothing is, `nothing_new` has answered already."""
    shown = updates.read(token)
    if shown is None:
        raise Http404
    conversation = own_conversation(request, slug, shown.conversation)
    visitor_page.store_page(request, conversation)
    conversation.record_visit(has_read="hidden" not in request.GET)
    return fragments_since(request, conversation, shown)


def _without_form(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Keep what was typed on a page that is older than the owner's decision to take no more requests."""
    if request.method != "POST":
        raise Http404
    return refuse(request, bot, NOBODY_THERE)


def _prefilled_form(request: HttpRequest, bot: Bot) -> HandoverForm:
    """Fill in the composer's text, or the last message, if possible about more than a person: nobody has to retype it.

    The box that attaches the conversation stays unticked: a ticked box would be no consent.
    """
    said = turns_of(request, bot.slug).filter(attachment=None).select_related("conversation")
    turns = list(said.order_by("-pk")[:MESSAGES_SEARCHED])
    turns.sort(key=lambda turn: phrases.asks_for_person(turn.message))
    message = request.POST.get("message", "").strip() or (turns[0].message if turns else "")
    conversation = turns[0].conversation if turns else None
    email = (conversation.reply_email or conversation.given_email) if conversation else ""
    return HandoverForm(initial={"message": message, "email": email})


def _form(request: HttpRequest, bot: Bot, form: HandoverForm, status: int = 200) -> HttpResponse:
    context = {"bot": bot, "form": form, "has_transcript": turns_of(request, bot.slug).exists()}
    if request.htmx:
        return fragment(request, "webchat/_handover.html", context, status=status)
    return full_page(request, bot, "webchat/handover.html", context, status=status)


def _store_request(request: HttpRequest, bot: Bot, form: HandoverForm) -> Handover | None:
    """Store and return the request; otherwise return None, and the form says why."""
    asked = details.asked_with_request(request, bot)
    if form.is_valid() and asked and not asked.is_valid():
        form.add_error(None, asked.refusal.sentence)
    if not form.is_valid():
        return None
    given = form.cleaned_data
    last_turn = turns_of(request, bot.slug).last() if given["transcript"] else None
    try:
        # Before storing anything: a program without cookies is a new visitor each time.
        handovers.count_request(given["key"], visitor_of(request), client_ip.origin_of(request))
        return handovers.store_request(
            ensure_visitor(request),
            bot,
            surface_of(request),
            key=given["key"],
            email=given["email"],
            message=given["message"],
            details=asked.given if asked else (),
            last_turn=last_turn,
            is_suspect=bool(given["website"]),
        )
    except accept.KeyAlreadyUsed:
        form.add_error("key", OUT_OF_DATE)  # as after a step back in the browser
    except handovers.TooManyRequests:
        form.add_error(None, _("You’ve sent a lot of requests. Wait an hour before you send another one."))
    return None


def _ask_first(request: HttpRequest, bot: Bot, refusal: Refusal) -> HttpResponse:
    """Refuse with a new composer: the page may be older than what the owner asks visitors."""
    form = MessageForm(request.POST)
    form.refused = refusal
    return refused(request, bot, form)


def _nobody_there(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Show the form or, if there is none, a sentence."""
    if not bot.handover:
        return refuse(request, bot, NOBODY_THERE)
    response = _form(request, bot, _prefilled_form(request, bot))
    if request.htmx:
        response["HX-Retarget"], response["HX-Reswap"] = "#person", "innerHTML"
    return response
