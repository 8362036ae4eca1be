"""The page of a bot's API keys."""

from django.contrib.admin import ModelAdmin
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from docbot.dashboard.forms import KeyForm
from docbot.dashboard.pages import context, log
from docbot.endpoint import keys
from docbot.models import ApiKey, TrainedBot


def list_keys(admin: ModelAdmin, request: HttpRequest, bot: TrainedBot) -> HttpResponse:
    form = KeyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        key, plain = keys.issue(bot, form.cleaned_data["name"])
        log(admin, request, bot, gettext_noop("Created the key “{}”."), key.name)
        return _page(admin, request, bot, KeyForm(), shown=key, plain=plain)
    return _page(admin, request, bot, form, status=422 if form.errors else 200)


def revoke(admin: ModelAdmin, request: HttpRequest, bot: TrainedBot, key_pk: int) -> HttpResponse:
    key = get_object_or_404(bot.api_keys.valid(), pk=key_pk)
    key.revoke()
    log(admin, request, bot, gettext_noop("Revoked the key “{}”."), key.name)
    admin.message_user(request, _("The key “%(name)s” is revoked.") % {"name": key.name})
    return redirect("admin:docbot_keys", bot.pk)


def _page(
    admin: ModelAdmin, request: HttpRequest, bot: TrainedBot, form: KeyForm, *, status: int = 200, **new: ApiKey | str
) -> HttpResponse:
    """Render the page. The plain key appears only in this response; it isn't stored for a redirect."""
    shown_keys = bot.api_keys.order_by(F("revoked_at").asc(nulls_first=True), "-pk")
    page = context(admin, request, bot, "keys", form=form, keys=shown_keys, **new)
    return TemplateResponse(request, "docbot/admin/keys.html", page, status=status)
