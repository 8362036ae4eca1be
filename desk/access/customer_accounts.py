"""The admin for customers' accounts: name, e-mail address and password. The team has its own pages."""

from functools import partial
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.auth import admin as auth
from django.contrib.auth.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from django.contrib.auth.models import Group, User
from django.db import IntegrityError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts.forms import GOOD_PASSWORD
from desk.access import audit, rights
from desk.fields import EmailField
from webchat.models import Bot

for model in (User, Group, Authenticator, UserSession):
    admin.site.unregister(model)


class SignInFilter(admin.BooleanFieldListFilter):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = _("May sign in")


class AccountForm(UserChangeForm):
    class Meta(UserChangeForm.Meta):
        labels = {
            "username": _("User name"),
            "email": _("E-mail address"),
            "is_active": _("May sign in"),
        }
        help_texts = dict.fromkeys(("username", "is_active"), "")
        field_classes = UserChangeForm.Meta.field_classes | {"email": EmailField}


class NewAccountForm(UserCreationForm):
    class Meta(UserCreationForm.Meta):
        labels = {"username": _("User name")}
        help_texts = {"username": ""}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _explain_passwords(self)


class NewPasswordForm(AdminPasswordChangeForm):
    """Sets a password. To keep somebody out, untick *May sign in*; a password can't be switched off here."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("usable_password", None)
        for field in self.fields.values():
            field.required = True
        _explain_passwords(self)


def _explain_passwords(form: forms.Form) -> None:
    """Explain the rules for passwords in one sentence instead of Django's list."""
    form.fields["password1"].help_text = GOOD_PASSWORD
    form.fields["password2"].label = _("Repeat the password")
    form.fields["password2"].help_text = ""


@admin.register(User)
class CustomerAccountAdmin(auth.UserAdmin):
    """Accounts that sign in at the portal. Rights are given on the team's pages only."""

    heading = _("Customers’ accounts")
    add_title = _("Add an account")
    form = AccountForm
    change_list_template = "admin/auth/user/change_list.html"
    add_form = NewAccountForm
    add_form_template = None  # Django's announces a second form
    change_password_form = NewPasswordForm
    list_display = ("user_name", "email", "first_name", "last_name", "may_sign_in", "last_login")
    list_filter = (("is_active", SignInFilter),)
    fieldsets = (
        (None, {"fields": ("username", "password_link")}),
        (_("Customer"), {"fields": ("first_name", "last_name", "email")}),
        (_("Sign-in"), {"fields": ("is_active", "last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"fields": ("username", "password1", "password2")}),)
    readonly_fields = ("password_link", "last_login", "date_joined")
    filter_horizontal = ()
    actions = None  # accounts are deleted one by one

    @admin.display(description=_("User name"), ordering="username")
    def user_name(self, account: User) -> str:
        return account.username

    @admin.display(description=_("May sign in"), ordering="is_active")
    def may_sign_in(self, account: User) -> str:
        return _("yes") if account.is_active else _("no")

    @admin.display(description=_("Password"))
    def password_link(self, account: User) -> SafeString:
        url = reverse("admin:auth_user_password_change", args=[account.pk])
        return format_html('<a href="{}">{}</a>', url, _("Change password"))

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        show = partial(super().add_view, request, form_url, extra_context)
        try:
            return show()
        except IntegrityError:  # the button was pressed twice: this time the form says that the name is taken
            return show()

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Name the bots that customers don't find, where there is none in the portal."""
        absent = [] if Bot.objects.filter(in_portal=True).exists() else rights.bots_of(request.user).order_by("name")
        return super().changelist_view(request, {"not_in_portal": absent} | (extra_context or {}))

    def response_add(self, request: HttpRequest, obj: User, post_url_continue: str | None = None) -> HttpResponse:
        messages.success(request, _("The account “%(name)s” was added.") % {"name": obj.username})
        return HttpResponseRedirect(reverse("admin:auth_user_change", args=[obj.pk]))

    def response_change(self, request: HttpRequest, obj: User) -> HttpResponse:
        messages.success(request, _("The account “%(name)s” was saved.") % {"name": obj.username})
        page = reverse("admin:auth_user_changelist")
        return HttpResponseRedirect(request.path if "_continue" in request.POST else page)

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: int) -> HttpResponse:
        messages.success(request, _("The account “%(name)s” was deleted.") % {"name": obj_display})
        return HttpResponseRedirect(reverse("admin:auth_user_changelist"))

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return (
            super()
            .get_queryset(request)
            .filter(is_staff=False, is_superuser=False)
            .exclude(username=audit.COMMAND_LINE)
        )

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Refuse if the audit trail names the account, such as a former member's: its entries would go too."""
        is_on_trail = obj is not None and LogEntry.objects.filter(user=obj).exists()
        return not is_on_trail and super().has_delete_permission(request, obj)
