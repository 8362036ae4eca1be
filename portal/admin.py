"""The admin for identity keys, whose secret is generated and shown once, and for customers."""

import secrets

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin, messages
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from webchat.models import Customer, IdentityKey

# django-allauth's pages are of no use here: its settings are environment variables.
for model in (EmailAddress, SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(model)


WHAT_FOR = _("For whoever builds your website: with a key it can tell the chat which of its own users is writing.")


@admin.register(IdentityKey)
class IdentityKeyAdmin(admin.ModelAdmin):
    """Keys are added and deleted, never changed: the website that signs would have to change, too."""

    add_title = _("Add a website key")
    empty = WHAT_FOR
    list_display = ("name", "bot", "algorithm", "created_at")
    list_select_related = ("bot",)
    fieldsets = (
        (
            None,
            {
                "fields": ("bot", "name", "algorithm", "public_key"),
                "description": WHAT_FOR,
            },
        ),
    )

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, key: IdentityKey, form: ModelForm, change: bool) -> None:
        if key.algorithm == IdentityKey.Algorithm.HS256:
            secret = secrets.token_urlsafe(48)
            key.set_secret(secret)
            words = _("The secret of “{name}”, shown only once: {secret}")
            messages.warning(request, format_html(str(words), name=key.name, secret=secret))
        super().save_model(request, key, form, change)


@admin.register(Customer)
class CustomerAdmin(admin.ModelAdmin):
    """Customers. Deleting one deletes their conversations."""

    empty = _("Visitors who signed in at the portal or on your website appear here.")
    list_display = ("__str__", "email_shown", "bot", "subject")
    list_select_related = ("user", "bot")
    list_filter = ("bot",)
    search_fields = ("name", "email", "subject", "user__username", "user__email")
    fields = ("user", "name", "email", "bot", "subject")

    @admin.display(description=_("e-mail"))
    def email_shown(self, customer: Customer) -> str:
        return customer.contact_email

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False
