"""The form for a bot's further teasers, each with its conditions, on the tab *Where it’s shown*."""

import re
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from desk.bot.summaries import heading
from webchat.models import Bot, TeaserRule

_NOT_OF_THE_PATH = re.compile(r"^[a-z]+://[^/?#]*|[?#].*", re.IGNORECASE)


class TeaserRuleForm(forms.ModelForm):
    def clean_page(self) -> str:
        """Return only the path, also if a whole URL was pasted."""
        path = _NOT_OF_THE_PATH.sub("", self.cleaned_data["page"].strip())
        return path if not path or path.startswith(("/", "*")) else f"/{path}"


class TeaserRuleInline(admin.StackedInline):
    """Whoever may change the bot may change its teasers. Their translations are among the bot's other words."""

    model = TeaserRule
    form = TeaserRuleForm
    template = "desk/_teasers.html"
    fields = ("text", ("page", "visitors"), ("seconds", "scrolled"))
    extra = 1
    classes = ("collapse",)

    def get_formset(self, request: HttpRequest, obj: Bot | None = None, **kwargs: Any) -> Any:
        title = TeaserRule._meta.verbose_name_plural
        self.verbose_name_plural = heading(title, obj.teaser_rules.count()) if obj else title
        return super().get_formset(request, obj, **kwargs)

    def has_view_permission(self, request: HttpRequest, obj: Bot | None = None) -> bool:
        return request.user.has_perm("webchat.view_bot")

    def has_change_permission(self, request: HttpRequest, obj: Bot | None = None) -> bool:
        return request.user.has_perm("webchat.change_bot")

    has_add_permission = has_delete_permission = has_change_permission
