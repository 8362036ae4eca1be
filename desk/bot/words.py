"""The owner's words on a tab, in one of the bot's further languages."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import translation
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from desk.bot.pages import bot_for, languages_of, tab_context, tab_of, teaser_field
from desk.bot.tabs import ON_SEVERAL_LINES
from desk.fields import LinesField
from desk.pages import page
from webchat.models import Bot, BotWords, TeaserRule


class WordsForm(forms.ModelForm):
    """The words of one tab in one language, with the further teasers if they are on that tab."""

    teasers: Iterable[TeaserRule] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        bot, language = self.instance.bot, self.instance.language
        missing = self.instance.missing(self.fields)
        for name, field in self.fields.items():
            field.default, field.is_missing = getattr(bot, name), name in missing
        for rule in self.teasers:
            written = rule.texts.get(language, "")
            field = forms.CharField(
                label=capfirst(rule._meta.verbose_name_plural), max_length=140, required=False, initial=written
            )
            field.default, field.is_missing = rule.text, not written
            self.fields[teaser_field(rule)] = field
        for field in self.fields.values():
            field.widget.attrs |= {"lang": language, "dir": "auto", "class": "vTextField"}
            if isinstance(field.widget, forms.Textarea):
                field.widget.attrs["rows"] = 4

    def save(self, commit: bool = True) -> BotWords:
        for rule in self.teasers:
            rule.texts[self.instance.language] = self.cleaned_data[teaser_field(rule)]
            rule.texts = {code: text for code, text in rule.texts.items() if text}
            rule.save(update_fields=["texts"])
        return super().save(commit)


def words(bots_admin: ModelAdmin, request: HttpRequest, pk: int, language: str) -> HttpResponse:
    """Show the words of the tab in that language (GET), or save them (POST)."""
    bot = bot_for(request, pk, to_change=request.method == "POST")
    tab = tab_of(request)
    if language not in bot.more_languages or not tab.words:
        return HttpResponseRedirect(request.path)
    name = dict(settings.LANGUAGES)[language]
    written = BotWords.objects.filter(bot=bot, language=language).first() or BotWords(bot=bot, language=language)
    classes = {name: LinesField for name in tab.words if name in ON_SEVERAL_LINES}
    form_class = forms.modelform_factory(BotWords, WordsForm, fields=tab.words, field_classes=classes)
    if tab.page == "desk_bot_places":
        form_class.teasers = list(bot.teaser_rules.all())
    form = form_class(request.POST or None, instance=written, label_suffix="")
    if form.is_valid():
        form.save()
        if form.changed_data:
            with translation.override(settings.LANGUAGE_CODE):
                fields = [str(form.fields[each].label) for each in form.changed_data]
            changed = {"fields": fields, "name": "language", "object": name}
            bots_admin.log_change(request, bot, [{"changed": changed}])
        messages.success(request, _("Saved. Visitors who read %(language)s see it at once.") % {"language": name})
        changed = f"#id_{form.changed_data[0]}" if form.changed_data else ""
        return HttpResponseRedirect(request.get_full_path() + changed)
    context = tab_context(request, bot, form) | {
        "title": f"{tab.title} · {name} · {bot}",
        "opts": Bot._meta,
        "media": bots_admin.media,
        "has_change_permission": bots_admin.has_change_permission(request, bot),
        "form": form,
        "language_name": name,
        "languages": languages_of(bot, tab, language),
    }
    request.webchat.policy = {"frame-src": "'self'"}  # the preview
    return page(request, "desk/bot_words.html", **context)
