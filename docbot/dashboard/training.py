"""Views that add content, start and stop trainings, and show their progress."""

from datetime import timedelta
from typing import Any

from django.contrib.admin import ModelAdmin
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from docbot.dashboard.forms import ReadAgainForm, UploadForm, WebsiteForm
from docbot.dashboard.pages import context, documents_url, log
from docbot.models import AlreadyTraining, TrainedBot
from docbot.training import encoding
from docbot.training.launching import launch, rebuild_index

FRESH = timedelta(minutes=1)
CHANGES_SHOWN = 5  # trainings


def upload(admin: ModelAdmin, request: HttpRequest, bot: TrainedBot) -> HttpResponse:
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _refused(admin, request, bot, upload_form=form)
    for sentence in form.refusals:
        admin.message_user(request, sentence, "warning")
    admin.message_user(request, form.save_to(bot.upload_folder))
    return _train(admin, request, bot, [str(bot.upload_folder)])


def add_website(admin: ModelAdmin, request: HttpRequest, bot: TrainedBot) -> HttpResponse:
    form = WebsiteForm(request.POST)
    if not form.is_valid():
        return _refused(admin, request, bot, website_form=form)
    return _train(admin, request, bot, [form.cleaned_data["url"]])


def train_again(admin: ModelAdmin, request: HttpRequest, bot: TrainedBot) -> HttpResponse:
    return _train(admin, request, bot, [])


def choose_reading_again(admin: ModelAdmin, request: HttpRequest, bot: TrainedBot) -> HttpResponse:
    form = ReadAgainForm(request.POST, instance=bot)
    if not form.is_valid():
        return _refused(admin, request, bot, again_form=form)
    form.save()
    chosen = bot.get_reads_again_display()
    admin.log_change(request, bot, gettext_noop("Changed how often websites and folders are read again."))
    when = chosen[:1].lower() + chosen[1:]  # in German, a noun follows
    admin.message_user(request, _("Saved. Websites and folders are read again: %(when)s.") % {"when": when})
    return _back(request, bot)


def stop(admin: ModelAdmin, request: HttpRequest, bot: TrainedBot) -> HttpResponse:
    for run in bot.runs.filter(finished_at__isnull=True):
        run.stop()
        admin.log_change(request, bot, gettext_noop("Stopped the training."))
    return _back(request, bot)


def forget_origin(admin: ModelAdmin, request: HttpRequest, bot: TrainedBot) -> HttpResponse:
    documents = bot.documents.exclude(origin="").filter(origin=request.POST.get("origin", ""))
    if documents.exists():
        documents.delete()
        log(admin, request, bot, gettext_noop("Removed the documents of {}."), request.POST["origin"])
        rebuild_index(bot)
    return _back(request, bot)


def _back(request: HttpRequest, bot: TrainedBot) -> HttpResponseRedirect:
    """Return to the page that the form was on."""
    page = request.POST.get("next", "")
    return redirect(page if url_has_allowed_host_and_scheme(page, allowed_hosts=None) else documents_url(bot))


def _refused(admin: ModelAdmin, request: HttpRequest, bot: TrainedBot, **form: BaseForm) -> HttpResponse:
    page = context(admin, request, bot, "documents", **forms_of(bot) | form)
    return TemplateResponse(request, "docbot/admin/refused.html", page, status=422)


def training_started(bot: TrainedBot, source: str = "") -> tuple[str, ...]:
    """Return what the audit trail says of a training: a sentence and the name in it."""
    if source == str(bot.upload_folder):
        return (gettext_noop("Started a training: uploaded files."),)
    return (gettext_noop("Started a training: {}."), source) if source else (gettext_noop("Started a training."),)


def _train(admin: ModelAdmin, request: HttpRequest, bot: TrainedBot, given: list[str]) -> HttpResponseRedirect:
    try:
        launch(bot, given)
        log(admin, request, bot, *training_started(bot, *given))
    except AlreadyTraining:
        admin.message_user(request, _("The bot is being trained already. Train it again after that."), "warning")
    return _back(request, bot)


def progress(admin: ModelAdmin, request: HttpRequest, bot: TrainedBot) -> HttpResponse:
    """Return the progress fragment, which the documents page requests every second during a training."""
    shown = training_status(bot)
    may_change = admin.has_change_permission(request, bot)
    page = {"bot": bot, "training": shown, "may_change": may_change}
    response = TemplateResponse(request, "docbot/admin/_training.html", page)
    if not shown["is_under_way"]:
        response.headers["HX-Trigger-After-Swap"] = "trained"  # the list of documents has changed, too
    return response


def forms_of(bot: TrainedBot) -> dict[str, Any]:
    """Return what a page about the bot's documents shows: how its training is, and the forms for more of it."""
    return {
        "training": training_status(bot),
        "upload_form": UploadForm(),
        "website_form": WebsiteForm(),
        "again_form": ReadAgainForm(instance=bot),
        "origins": bot.documents.exclude(origin="").order_by("origin").values_list("origin", flat=True).distinct(),
    }


def training_status(bot: TrainedBot) -> dict[str, Any]:
    """Return the template context for the latest run."""
    run = bot.runs.first()
    return {
        "run": run,
        "is_under_way": run is not None and run.is_running,
        "is_fresh": run is not None and run.finished_at is not None and run.finished_at > timezone.now() - FRESH,
        "is_encoding": encoding.is_outdated(bot),
        "changed_runs": bot.runs.exclude(changes=[])[:CHANGES_SHOWN],
    }
