"""The page "Language model" of a trained bot: where its model is, its key, and a question to try it with."""

import time
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import close_old_connections
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from desk import trained_bots
from desk.access import audit, guard, rights
from desk.bot.kept_secrets import SecretField, SecretInput
from desk.bot.pages import ANSWERS, bot_for, bot_page
from docbot.checks import is_in_the_clear, is_model_url
from docbot.endpoint import exchanges
from docbot.endpoint.errors import ChatError
from docbot.models import Exchange, TrainedBot
from webchat import encryption

PAGE = "desk_bot_model"
NEEDED = "docbot.change_trainedbot"


class LanguageModelForm(forms.ModelForm):
    """The model's URL, name and key."""

    model_url = forms.CharField(
        label=_("Address"), required=False, max_length=500, help_text=_("It usually ends in /v1.")
    )
    new_key = SecretField(label=_("Key"), required=False, widget=SecretInput({"class": "vTextField"}))
    forget_key = forms.BooleanField(label=_("Remove the key"), required=False)
    question = forms.CharField(label=_("Question"), required=False, max_length=500)

    class Meta:
        model = TrainedBot
        fields = ("model_url", "model_name")
        help_texts = {"model_name": _("As its server lists it.")}

    def __init__(self, *args: Any, owner: str, password_url: str, **kwargs: Any) -> None:
        """`owner`: whose form it is. `password_url`: the page that has to ask for their password first, or ""."""
        super().__init__(*args, **kwargs)
        self.password_url = password_url
        self.stored_url = self.instance.model_url
        for name in ("model_url", "model_name", "question"):
            self.fields[name].widget.attrs["class"] = "vTextField"
        self.fields["question"].widget.attrs["data-not-stored"] = True
        self.fields["new_key"].widget.owner = f"{owner} {self.instance.pk} model_key"
        has_key = bool(self.instance.sealed_model_key)
        self.fields["new_key"].help_text = (
            _("Leave blank to keep the current one.") if has_key else _("Servers on this machine often need none.")
        )
        if not has_key:
            del self.fields["forget_key"]

    @property
    def saves(self) -> bool:
        return "try" not in self.data

    def clean_model_url(self) -> str:
        url = self.cleaned_data["model_url"].strip().rstrip("/")
        if url and (not is_model_url(url) or is_in_the_clear(url)):
            raise ValidationError(_("Use https://…/v1, or http://127.0.0.1:…/v1 for a model on this machine."))
        return url

    def clean_new_key(self) -> str:
        key = self.cleaned_data["new_key"]
        if not key.isascii() or any(map(str.isspace, key)):
            raise ValidationError(_("Copy the key again, without spaces or line breaks."))
        return key

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        changes_key = bool(cleaned.get("new_key") or cleaned.get("forget_key"))
        if cleaned.get("model_url") and not cleaned.get("model_name"):
            self.add_error("model_name", _("Enter the model’s name as its server lists it."))
        if self.instance.sealed_model_key and cleaned.get("model_url") != self.stored_url and not changes_key:
            # A key is only ever sent to the URL it was entered for.
            self.add_error(
                "new_key", _("The address has changed: enter the key that belongs to it, or remove the key.")
            )
        if not self.saves:
            self._clean_question(cleaned)
        elif changes_key and self.password_url:
            self.add_error("new_key", guard.ask_for_password(guard.NOT_SAVED, self.password_url))
        return cleaned

    def set_key(self) -> None:
        """Give the trained bot the key that was entered; it isn't saved by this."""
        if self.cleaned_data.get("forget_key") or not self.cleaned_data["model_url"]:
            self.instance.sealed_model_key = ""
        if self.cleaned_data["new_key"]:
            self.instance.sealed_model_key = encryption.seal(self.cleaned_data["new_key"])

    def _clean_question(self, cleaned: dict[str, Any]) -> None:
        if not cleaned.get("question"):
            self.add_error("question", _("Enter a question that the documents answer."))
        if not cleaned.get("model_url") and "model_url" not in self.errors and not settings.LLM_BASE_URL:
            self.add_error("model_url", _("Enter the model’s address."))


def language_model(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the form (GET), save it, or try the model that it names with a question (POST)."""
    bot = bot_for(request, pk)
    if not request.user.has_perm(NEEDED):
        raise PermissionDenied
    trained = trained_bots.answering_for(bot)
    if trained is None or not rights.is_visible(request.user, trained):
        raise Http404
    question = next(iter(bot.suggested_questions), "")
    form = LanguageModelForm(
        request.POST or None,
        instance=trained,
        initial={"question": question},
        owner=str(request.user.pk),
        password_url="" if guard.has_entered_password(request) else guard.password_url(request),
    )
    tried = None
    if form.is_valid():
        form.set_key()
        if form.saves:
            return _save(request, form)
        tried = _try(trained, form.cleaned_data["question"])
    return bot_page(
        request,
        bot,
        "desk/language_model.html",
        f"{_('Language model')} · {bot}",
        tab=ANSWERS,
        tab_title=_("Language model"),
        form=form,
        tried=tried,
        is_unsaved=tried is not None and bool(set(form.changed_data) - {"question"}),
        of_the_site=settings.LLM_BASE_URL and settings.LLM_MODEL,
    )


def _save(request: HttpRequest, form: LanguageModelForm) -> HttpResponse:
    trained = form.save(commit=False)
    trained.save(update_fields=["model_url", "model_name", "sealed_model_key"])
    if trained.model_url:
        sentence = gettext_noop("Replies are written by the language model “{}” from now on.")
        audit.record(request.user, trained, sentence, trained.model_name)
    else:
        audit.record(request.user, trained, gettext_noop("Replies are written by the site’s own setting from now on."))
    messages.success(request, _("Saved. It applies from the next message on."))
    return HttpResponseRedirect(request.path)


def _try(trained: TrainedBot, question: str) -> dict[str, Any]:
    """Return what the bot would say, and the time that the model took; nothing is stored."""
    close_old_connections()
    began = time.perf_counter()
    quoted = exchanges.quote(trained, question, []) if trained.passages().exists() else None
    quoting = time.perf_counter() - began
    try:
        reply = exchanges.compose_reply(trained, question, [])
    except ChatError as error:
        return {"failure": str(error)}
    seconds = time.perf_counter() - began - quoting
    return {
        "text": reply.answer.text,
        "failure": reply.failure,
        "is_written": reply.via == Exchange.Via.MODEL,
        "was_asked": bool(reply.failure) or reply.via == Exchange.Via.MODEL,
        "seconds": seconds,
        "quoting": quoting,
        "quoted": quoted.text if quoted else "",
    }
