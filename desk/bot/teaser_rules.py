"""The form for the rules by which a bot's widget speaks up by itself, on the tab *Where it’s shown*."""

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from desk.bot.summaries import heading
from webchat.appearance.texts import TextsField
from webchat.models import Bot, TeaserRule


class TeaserRuleForm(forms.ModelForm):
    texts = TextsField(max_length=140)
    languages: list[str] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["texts"].offer(self.languages, self.instance.text)

    def clean_texts(self) -> dict[str, str]:
        """Keep the texts of languages that are not offered now."""
        kept = {code: text for code, text in self.instance.texts.items() if code not in self.languages}
        return kept | self.cleaned_data["texts"]

    def clean_page(self) -> str:
        """Return the path alone, also of a whole URL that was pasted."""
        page = self.cleaned_data["page"].strip()
        path = urlsplit(page).path if "://" in page else page.split("?")[0].split("#")[0]
        return path if not path or path.startswith(("/", "*")) else f"/{path}"


class TeaserRuleInline(admin.StackedInline):
    """Whoever may change the bot may change its rules."""

    model = TeaserRule
    form = TeaserRuleForm
    template = "desk/_occasions.html"
    extra = 1
    classes = ("collapse",)

    def get_fields(self, request: HttpRequest, obj: Bot | None = None) -> list[object]:
        texts = ["texts"] if obj and obj.more_languages else []
        return ["text", *texts, ("page", "visitors"), ("seconds", "scrolled")]

    def get_formset(self, request: HttpRequest, obj: Bot | None = None, **kwargs: Any) -> Any:
        title = TeaserRule._meta.verbose_name_plural
        self.verbose_name_plural = heading(title, obj.teaser_rules.count()) if obj else title
        of_bot = type("TeaserRuleForm", (TeaserRuleForm,), {"languages": obj.more_languages if obj else []})
        return super().get_formset(request, obj, **{"form": of_bot} | kwargs)

    def has_view_permission(self, request: HttpRequest, obj: Bot | None = None) -> bool:
        return request.user.has_perm("webchat.view_bot")

    def has_change_permission(self, request: HttpRequest, obj: Bot | None = None) -> bool:
        return request.user.has_perm("webchat.change_bot")

    has_add_permission = has_delete_permission = has_change_permission
