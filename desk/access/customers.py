"""The admin for customers' accounts: name, e-mail address and password. The team has its own pages."""

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth import admin as auth
from django.contrib.auth.models import Group, User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

for model in (User, Group, Authenticator, UserSession):
    admin.site.unregister(model)


@admin.register(User)
class CustomerAdmin(auth.UserAdmin):
    """Accounts that sign in at the portal. Rights are given on the team's pages only."""

    heading = _("Customers’ accounts")
    list_display = ("username", "email", "first_name", "last_name", "is_active", "last_login")
    list_filter = ("is_active",)
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Who it is"), {"fields": ("first_name", "last_name", "email")}),
        (_("Sign-in"), {"fields": ("is_active", "last_login", "date_joined")}),
    )
    readonly_fields = ("last_login", "date_joined")
    filter_horizontal = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).filter(is_staff=False, is_superuser=False)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Refuse if the audit trail names the account, as of somebody who left the team: its entries would go too."""
        is_on_trail = obj is not None and LogEntry.objects.filter(user=obj).exists()
        return not is_on_trail and super().has_delete_permission(request, obj)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Remove the bulk deletion: accounts are deleted one by one."""
        return {name: action for name, action in super().get_actions(request).items() if name != "delete_selected"}
