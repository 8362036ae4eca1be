"""The admin for team members: which bots each of them answers for."""

from django.contrib import admin
from django.http import HttpRequest

from webchat.models import TeamMember


@admin.register(TeamMember)
class TeamMemberAdmin(admin.ModelAdmin):
    """Made by itself at somebody's first visit to the inbox; name and picture are theirs to change."""

    list_display = ("name", "user", "answers_for", "is_available")
    list_select_related = ("user",)
    fields = ("user", "name", "bots")
    readonly_fields = ("user", "name")
    filter_horizontal = ("bots",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @admin.display(description="answers for")
    def answers_for(self, member: TeamMember) -> str:
        return ", ".join(member.bots.values_list("name", flat=True)) or "all bots"
