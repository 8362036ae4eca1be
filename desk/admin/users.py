"""The admin for accounts and groups. Staff who are not superusers can't grant or revoke more than they have."""

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.auth import admin as auth
from django.contrib.auth.models import Group, Permission, User
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from desk import audit

for model in (User, Group, Authenticator, UserSession):
    admin.site.unregister(model)


def grantable_permissions(user: User) -> QuerySet[Permission]:
    """Return the permissions that the user has and may therefore grant."""
    if user.is_superuser:
        return Permission.objects.all()
    return Permission.objects.filter(Q(user=user) | Q(group__user=user)).distinct()


class LimitedToOwnPermissions:
    """Admin mixin that limits the visible rows and the permissions offered to those the user has."""

    rights: tuple[str, ...]  # lookups that lead to a row's permissions

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        rows = super().get_queryset(request)
        if request.user.is_superuser:
            return rows
        beyond = Permission.objects.exclude(pk__in=grantable_permissions(request.user).values("pk"))
        for right in self.rights:
            rows = rows.exclude(**{f"{right}__in": beyond})
        return rows

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        field = super().formfield_for_manytomany(db_field, request, **kwargs)
        if field is not None and field.queryset.model is Permission:
            field.queryset = field.queryset.filter(pk__in=grantable_permissions(request.user).values("pk"))
        elif field is not None and field.queryset.model is Group:
            field.queryset = admin.site.get_model_admin(Group).get_queryset(request)
        return field


@admin.register(Group)
class GroupAdmin(LimitedToOwnPermissions, auth.GroupAdmin):
    rights = ("permissions",)


@admin.register(User)
class UserAdmin(LimitedToOwnPermissions, auth.UserAdmin):
    rights = ("user_permissions", "groups__permissions")
    actions = ("remove_second_factor",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        users = super().get_queryset(request)
        return users if request.user.is_superuser else users.filter(is_superuser=False)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Not once the audit trail names the account: its entries would be deleted with it. Switch it off instead."""
        is_on_trail = obj is not None and LogEntry.objects.filter(user=obj).exists()
        return not is_on_trail and super().has_delete_permission(request, obj)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Accounts are deleted one by one."""
        return {name: action for name, action in super().get_actions(request).items() if name != "delete_selected"}

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        fieldsets = super().get_fieldsets(request, obj)
        if request.user.is_superuser:
            return fieldsets
        return [
            (name, options | {"fields": [field for field in options["fields"] if field != "is_superuser"]})
            for name, options in fieldsets
        ]

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        filters = super().get_list_filter(request)
        return [each for each in filters if each != "is_superuser" or request.user.is_superuser]

    @admin.action(description="Remove the second factor (for somebody who has lost it)", permissions=["change"])
    def remove_second_factor(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Remove others' second factors; removing one's own asks for the password on its own page."""
        for user in users.exclude(pk=request.user.pk):
            if Authenticator.objects.filter(user=user).delete()[0]:
                audit.record(request.user, user, "Removed the second factor.")
        self.message_user(request, "They can now log in with their password alone.", messages.SUCCESS)
