"""The steps of the set-up after the login; each saves what it was given and leads to the next one."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import close_old_connections, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods

from desk import trained_bots
from desk.access import audit, guard, rights
from desk.bot import previews, testing
from desk.bot.pages import bot_page
from desk.models import TriedBot
from desk.setup import website_check, website_look
from desk.setup.forms import LookForm, PageForm, PlaceForm, ServiceForm, shown_accent
from desk.setup.steps import TITLES, after, has_answers, steps_of, url_of
from docbot.dashboard.forms import UploadForm, WebsiteForm
from docbot.dashboard.training import training_started, training_status
from docbot.models import AlreadyTraining, Document, TrainedBot
from docbot.training.launching import launch
from outbound.concurrency_limit import waiting
from webchat import site
from webchat.models import Bot
from webchat.upstream.client import UpstreamError, client_for
from webchat.upstream.diagnosis import Finding

NEEDED = ("webchat.change_bot", "docbot.change_trainedbot", "docbot.add_trainedbot")
View = Callable[..., HttpResponse]


def of_one_bot(view: View) -> View:
    """Guard a view for those who may change and train bots, and pass it the bot."""

    @wraps(view)
    def guarded(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
        if not request.user.has_perms(NEEDED):
            raise PermissionDenied
        return view(request, get_object_or_404(rights.bots_of(request.user), slug=slug), **kwargs)

    return require_http_methods(["GET", "HEAD", "POST"])(guarded)


def start(request: HttpRequest) -> HttpResponse:
    """Lead to the first step that is not done, of the first bot."""
    if not request.user.has_perms(NEEDED):
        raise PermissionDenied
    bot = rights.bots_of(request.user).order_by("pk").first()
    if bot is None:
        return HttpResponseRedirect(reverse("admin:webchat_bot_add"))
    steps = steps_of(bot)
    missing = next((step for step in steps if not step.is_done), steps[0])
    return HttpResponseRedirect(missing.url)


@of_one_bot
def answers(request: HttpRequest, bot: Bot, step: str) -> HttpResponse:
    trained = trained_bots.answering_for(bot)
    if trained and not rights.is_visible(request.user, trained):
        trained = None  # it also answers for other bots: this bot gets one of its own
    given = request.POST.get("from", "")
    upload = UploadForm(*(request.POST, request.FILES) if given == "files" else ())
    website = WebsiteForm(request.POST if given == "website" else None)
    owner, posted = f"{request.user.pk} {bot.pk}", request.POST if given == "service" else None
    service = ServiceForm(owner, posted, initial={"base_url": bot.base_url})
    findings = None
    if given == "files" and upload.is_valid():
        for sentence in upload.refusals:
            messages.warning(request, sentence)
        trained = trained or _new_trained_bot(request, bot)
        upload.save_to(trained.upload_folder)
        return _train(request, bot, trained, str(trained.upload_folder))
    if given == "website" and website.is_valid():
        return _train(request, bot, trained or _new_trained_bot(request, bot), website.cleaned_data["url"])
    if given == "service" and not guard.has_entered_password(request):
        service.add_error("new_key", guard.ask_for_password(guard.NOT_SAVED, guard.password_url(request)))
    elif given == "service" and service.is_valid():
        findings = _test_and_use(request, bot, service)
        if not any(finding.is_fault for finding in findings):
            messages.success(request, _("%(address)s answers. The key is saved.") % {"address": bot.base_url})
            return HttpResponseRedirect(after(bot, step))
        trained = None if bot.base_url else trained
    context = {
        "upload": upload,
        "website": website,
        "service": service,
        "findings": findings,
        "has_answers": has_answers(bot),
        "can_be_trained": trained_bots.is_possible(),
        "given": given or ("service" if bot.base_url else ""),
    }
    if trained is not None:
        context |= {
            "trained": TrainedBot.objects.with_counts().get(pk=trained.pk),
            "training": training_status(trained),
            "knows_manual": trained_bots.manual_of(trained).exists(),
        }
    return _page(request, bot, step, context, status=422 if given else 200)


def _test_and_use(request: HttpRequest, bot: Bot, service: ServiceForm) -> list[Finding]:
    """Let the service answer for the bot; one that fails its test doesn't take the place of documents that answer."""
    documents_answer = trained_bots.answering_for(bot) is not None and has_answers(bot)
    service.apply_to(bot)
    findings = testing.diagnose(request.user, bot)
    if documents_answer and any(finding.is_fault for finding in findings):
        bot.refresh_from_db()
        return findings
    bot.save(update_fields=["base_url", "sealed_key"])
    audit.record(request.user, bot, gettext_noop("Set the bot’s service and its key."))
    return findings


def _new_trained_bot(request: HttpRequest, bot: Bot) -> TrainedBot:
    """Make a trained bot that answers for the bot instead of its service."""
    if not trained_bots.is_possible():
        raise PermissionDenied
    with transaction.atomic():
        trained, made = TrainedBot.objects.get_or_create(slug=bot.slug, defaults={"name": bot.name})
        if not made and not rights.is_visible(request.user, trained):
            raise PermissionDenied
        trained_bots.link(bot, trained)
        bot.save()
    return trained


def _train(request: HttpRequest, bot: Bot, trained: TrainedBot, source: str) -> HttpResponse:
    """Train on the source and forget this site's manual, whose passages answer until the training is done."""
    try:
        launch(trained, [source])
    except AlreadyTraining:
        messages.warning(request, _("The bot is being trained already. Add this when that is done."))
        return HttpResponseRedirect(url_of(bot, "answers"))
    if trained_bots.manual_of(trained).delete()[0]:
        trained.runs.update(changes=[])  # that the manual was read is no news about the owner's documents
    audit.record(request.user, trained, *training_started(trained, source))
    return HttpResponseRedirect(url_of(bot, "answers"))


@of_one_bot
def look(request: HttpRequest, bot: Bot, step: str) -> HttpResponse:
    form = LookForm(request.POST or None, instance=bot, initial=_proposed_look(bot))
    # Also by the Enter key in its box; in the other boxes it saves.
    takes = "take" in request.POST or request.POST.get("url", "") not in ("", _website_of(bot))
    initial = {"url": request.POST.get("url", _website_of(bot))}
    website = WebsiteForm(request.POST if takes else None, initial=initial)
    website.fields["url"].label = _("Use a website’s colour and icon")
    if form.is_valid() and not takes:
        form.save()
        audit.record(request.user, bot, gettext_noop("Changed its name and look in the set-up."))
        return HttpResponseRedirect(after(bot, step))
    if form.is_valid() and (taken := _look_at(website)):
        form.save()
        _take_look(request, bot, taken)
        return HttpResponseRedirect(url_of(bot, step))
    if form.is_bound:
        bot.refresh_from_db()
    context = {"form": form, "website": website} | previews.shades_of(bot.accent)
    return _page(request, bot, step, context, status=422 if form.is_bound else 200)


def _look_at(form: WebsiteForm) -> website_look.WebsiteLook | None:
    """Return the look of the website; None if there is none, which the form then says."""
    if not form.is_valid():
        return None
    close_old_connections()  # the website may take seconds
    try:
        with waiting():
            return website_look.look_of(form.cleaned_data["url"])
    except website_look.Unreachable as error:
        form.add_error("url", str(error))
        return None


def _take_look(request: HttpRequest, bot: Bot, taken: website_look.WebsiteLook) -> None:
    """Give the bot the colour and the icon of a website."""
    if sentence := taken.give_to(bot):
        audit.record(request.user, bot, sentence)
        messages.success(request, _(sentence))
    else:
        messages.warning(request, _("No colour or icon was found on that page."))


def _website_of(bot: Bot) -> str:
    """Return the website that the bot was trained on, if there is one."""
    trained = trained_bots.answering_for(bot)
    websites = trained.documents.filter(kind=Document.Kind.WEBSITE) if trained else Document.objects.none()
    return websites.values_list("origin", flat=True).first() or ""


def _origin_of(url: str) -> str:
    """Return the beginning of a URL, up to the path."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower() if url else ""


def _proposed_look(bot: Bot) -> dict[str, str]:
    """Return what the form shows where the bot has nothing of its own: questions from its documents."""
    proposed = {"accent": shown_accent(bot)}
    trained = trained_bots.answering_for(bot)
    if trained is not None and not bot.suggestions:
        proposed["suggestions"] = "\n".join(trained_bots.suggest_questions(trained))
    return proposed


@of_one_bot
def preview(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Show the page as the form describes it; an invalid field keeps its stored value."""
    stored = Bot.objects.get(pk=bot.pk)
    form = LookForm(request.POST or None, instance=bot)
    for wrong in form.errors:
        setattr(bot, wrong, getattr(stored, wrong))
    return previews.show(request, bot, "chat")


@of_one_bot
def try_out(request: HttpRequest, bot: Bot, step: str) -> HttpResponse:
    message = request.POST.get("message", "").strip()
    context: dict[str, Any] = {"message": message, "longest": 1000}
    if message:
        client = client_for(bot.upstream_url, bot.upstream_key)
        close_old_connections()  # the service may take a minute
        try:
            with waiting():
                context["reply"] = client.ask(message[: context["longest"]]).text
            TriedBot.objects.get_or_create(bot=bot)
        except UpstreamError:
            context["failed"] = True
        audit.record(request.user, bot, gettext_noop("Asked it a question in the set-up."))
    return _page(request, bot, step, context)


@of_one_bot
def place(request: HttpRequest, bot: Bot, step: str) -> HttpResponse:
    form = PlaceForm(
        request.POST or None, instance=bot, initial={"origins": bot.origins or _origin_of(_website_of(bot))}
    )
    if form.is_valid():
        before = Bot.objects.get(pk=bot.pk).origins
        form.save()
        if bot.origins != before:
            audit.record(request.user, bot, gettext_noop("Changed the websites that may show it, in the set-up."))
            messages.success(request, _("Saved. Those websites can show the chat now."))
        return HttpResponseRedirect(after(bot, step) if "done" in request.POST else url_of(bot, step))
    if form.is_bound:
        bot.refresh_from_db()
    is_proposed = not form.is_bound and bool(form["origins"].value()) and not bot.origins
    context = {"form": form, "is_unsaved": is_proposed}
    return _page(request, bot, step, context, status=422 if form.is_bound else 200)


@of_one_bot
def website(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Look at a page of a website, and say what is missing for the chat to be shown there."""
    form = PageForm(request.GET if "page" in request.GET else None)
    findings = None
    if form.is_valid():
        close_old_connections()  # the website may take seconds
        with waiting():
            findings = website_check.check(bot, form.cleaned_data["page"], site.url_for(request))
    return bot_page(
        request,
        bot,
        "desk/setup/website.html",
        bot.name,
        422 if form.errors else 200,
        tab="desk_bot_places",
        here=site.url_for(request),
        form=form,
        findings=findings,
        found={finding.name for finding in findings or ()},
    )


STEPS: dict[str, View] = {"answers": answers, "look": look, "try": try_out, "place": place}


def _page(request: HttpRequest, bot: Bot, step: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    request.webchat.policy = {"frame-src": "'self'"}  # the preview
    return bot_page(
        request,
        bot,
        f"desk/setup/{step}.html",
        _("Set up"),
        status,
        steps=steps_of(bot),
        step=step,
        step_title=TITLES[step],
        next_url=after(bot, step),
        **context,
    )
