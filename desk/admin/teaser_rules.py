"""The form for the rules by which a bot's widget speaks up by itself, on the tab *Where it’s shown*."""

from urllib.parse import urlsplit

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from webchat.models import Bot, TeaserRule


class TeaserRuleForm(forms.ModelForm):
    def clean_page(self) -> str:
        """Return the path alone, also of a whole URL that was pasted."""
        page = self.cleaned_data["page"].strip()
        path = urlsplit(page).path if "://" in page else page.split("?")[0].split("#")[0]
        return path if not path or path.startswith(("/", "*")) else f"/{path}"


class TeaserRuleInline(admin.StackedInline):
    """Whoever may change the bot may change its rules."""

    model = TeaserRule
    form = TeaserRuleForm
    fields = ("text", ("page", "visitors"), ("seconds", "scrolled"))
    extra = 1

    def has_view_permission(self, request: HttpRequest, obj: Bot | None = None) -> bool:
        return request.user.has_perm("webchat.view_bot")

    def has_change_permission(self, request: HttpRequest, obj: Bot | None = None) -> bool:
        return request.user.has_perm("webchat.change_bot")

    has_add_permission = has_delete_permission = has_change_permission
