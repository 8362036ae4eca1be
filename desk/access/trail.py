"""The audit trail, read-only: who did what on the desk and on the command line."""

import json
import re
from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.http import HttpRequest
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from desk.language import moment

NAME = re.compile("\u2068[^\u2069]*\u2069")  # as `audit.record` stores it


class TimeFilter(admin.DateFieldListFilter):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = _("time")  # Django says "action time"


class KindFilter(admin.ChoicesFieldListFilter):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = _("kind")  # Django says "action flag"


@admin.register(LogEntry)
class LogEntryAdmin(admin.ModelAdmin):
    heading = _("Audit trail")
    list_display = ("at", "user", "on", "what")
    list_display_links = None
    fields = readonly_fields = list_display
    list_filter = (("action_time", TimeFilter), ("action_flag", KindFilter), ("user", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("user", "content_type")
    list_per_page = 50
    ordering = ("-action_time",)
    search_fields = ("object_repr", "user__username")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False

    @admin.display(description=_("time"), ordering="action_time")
    def at(self, entry: LogEntry) -> str:
        return moment(entry.action_time)

    @admin.display(description=pgettext_lazy("what was done to", "on"))
    def on(self, entry: LogEntry) -> str:
        if not entry.object_id:
            return capfirst(gettext(entry.object_repr))  # the name of a model
        kind = capfirst(entry.content_type.name) if entry.content_type else ""
        return f"{kind}: \u2068{entry.object_repr}\u2069"

    @admin.display(description=_("what"))
    def what(self, entry: LogEntry) -> str:
        """Translate the sentence, but not the names in it; one that no catalog knows stays as it is."""
        if entry.change_message.startswith("[{"):
            entry.change_message = _with_field_names(entry.change_message)
        stored = entry.get_change_message() or entry.get_action_flag_display()
        names = iter(NAME.findall(stored))
        sentence = re.sub(r"\{\}", lambda place: next(names, place[0]), gettext(NAME.sub("{}", stored)))
        return f"\u2068{sentence}\u2069"


def _with_field_names(changes: str) -> str:
    """Translate the names of fields in Django's JSON. There they begin with a capital letter, unlike in the catalog."""
    told = json.loads(changes)
    for change in told:
        if fields := change.get("changed", {}).get("fields"):
            change["changed"]["fields"] = [_field_name(field) for field in fields]
    return json.dumps(told)


def _field_name(label: str) -> str:
    known = gettext(label)
    return known if known != label else capfirst(gettext(label[:1].lower() + label[1:]))
