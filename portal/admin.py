"""The desk's page for identity keys: the secret is made here, shown once and never again."""

import secrets

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin, messages
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.html import format_html

from webchat.models import IdentityKey, Person

# django-allauth's own pages: nothing in them is of use to an owner, whose settings are environment variables.
for model in (EmailAddress, SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(model)


@admin.register(IdentityKey)
class IdentityKeyAdmin(admin.ModelAdmin):
    """A key is made and taken away, never changed: what signs with it has to be changed as well."""

    list_display = ("name", "bot", "algorithm", "created_at")
    list_select_related = ("bot",)
    fields = ("bot", "name", "algorithm", "public_key")

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, key: IdentityKey, form: ModelForm, change: bool) -> None:
        if key.algorithm == IdentityKey.Algorithm.HS256:
            secret = secrets.token_urlsafe(48)
            key.set_secret(secret)
            words = "The secret of “{}”, shown only now: {}"
            messages.warning(request, format_html(words, key.name, secret))
        super().save_model(request, key, form, change)


@admin.register(Person)
class PersonAdmin(admin.ModelAdmin):
    """Who has signed in; to delete one is to delete what they said."""

    list_display = ("__str__", "address", "bot", "subject")
    list_select_related = ("user", "bot")
    list_filter = ("bot",)
    search_fields = ("name", "email", "subject", "user__username", "user__email")
    fields = ("user", "name", "email", "bot", "subject")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False
