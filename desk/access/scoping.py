"""Limits every list, form and action of Django's admin to the rows that `desk.access.rights` lets the account see."""

from typing import Any

from django.apps import apps
from django.contrib.admin import ModelAdmin, RelatedOnlyFieldListFilter
from django.contrib.admin.utils import get_fields_from_path
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.contrib.contenttypes.models import ContentType
from django.contrib.contenttypes.views import shortcut
from django.core.exceptions import FieldDoesNotExist
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from desk.access import rights

MOST_NAMED = 10  # rows on the page that asks whether to delete them


class Scoped:
    """Admin mixin, put before every admin class that is registered at the desk."""

    actions_on_top, actions_on_bottom = False, True  # by keyboard, after the rows that are chosen for them

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return rights.visible(request.user, super().get_queryset(request))

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Allow only filters that the list offers: with any filter, any field, even a key's hash, could be guessed."""
        name = lookup.partition("__")[0]
        offered = [getattr(each, "parameter_name", None) or each for each in self.get_list_filter(request)]
        paths = [each[0] if isinstance(each, tuple) else each for each in offered]
        is_offered = any(lookup == path or lookup.startswith(f"{path}__") for path in paths)
        is_field = name in {field.name for field in self.opts.get_fields()}
        return (is_offered or not is_field) and super().lookup_allowed(lookup, value, request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and rights.may_add(request.user, self.model)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) and _may_see(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and _may_see(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and _may_see(request, obj)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer only what the account may see. If that is one bot, it is chosen."""
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field is not None:
            field.queryset = rights.visible(request.user, field.queryset)
            if field.required:
                field.empty_label = None if field.queryset.count() == 1 else _("Choose…")
        return field

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Leave out Django's pencil, plus and eye beside a choice: the rows have their own pages in the navigation."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if isinstance(field and field.widget, RelatedFieldWidgetWrapper):
            field.widget = field.widget.widget
        return field

    def get_formset_kwargs(self, request: HttpRequest, obj: Any, inline: Any, prefix: str) -> dict[str, Any]:
        return super().get_formset_kwargs(request, obj, inline, prefix) | {"form_kwargs": {"label_suffix": ""}}

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], **more: Any) -> HttpResponse:
        """Title the page after its row, with a single save button, or none if there is nothing to enter."""
        obj, form = more.get("obj"), context["adminform"].form
        form.label_suffix = ""  # no colons, as on the desk's other forms
        context["heading"] = self.add_title if obj is None else self._heading(obj)
        if not form.fields:
            context["show_save"] = False
        context |= {"show_save_and_add_another": False, "show_save_and_continue": False}
        context["list_heading"] = getattr(self, "heading", None)
        return super().render_change_form(request, context, **more)

    def render_delete_form(self, request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
        return super().render_delete_form(request, context | {"heading": self._heading(context["object"])})

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Don't record a form that was saved without changes."""
        return super().log_change(request, obj, message) if message else None

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Respond with 404: the audit trail has what Django's page would show, and translated."""
        raise Http404

    def _heading(self, obj: Any) -> str:
        """Return the admin class's `heading_of` the row, or else the row's name as the audit trail stores it."""
        return getattr(self, "heading_of", str)(obj)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Name the rows and count what is deleted with them, instead of Django's list of every message."""
        _all, counts, lacking, protected = super().get_deleted_objects(objs, request)
        named = {
            str(model._meta.verbose_name_plural) for model in apps.get_models() if self.admin_site.is_registered(model)
        }
        own = str(self.opts.verbose_name_plural) if len(objs) == 1 else ""
        shown = {name: count for name, count in counts.items() if str(name) in named and str(name) != own}
        names = [self._heading(obj) for obj in objs[:MOST_NAMED]]
        if others := len(objs) - len(names):
            names.append(ngettext("%(number)d more", "%(number)d more", others) % {"number": others})
        return names, shown, lacking, protected

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        """Offer only values that occur in the list."""
        filters = super().get_list_filter(request)
        if rights.sees_all_bots(request.user):
            return filters
        return [(each, RelatedOnlyFieldListFilter) if _is_relation(self.model, each) else each for each in filters]


def scoped(admin_class: type[ModelAdmin]) -> type[ModelAdmin]:
    return type(admin_class.__name__, (Scoped, admin_class), {})


@require_safe
def view_on_site(request: HttpRequest, content_type_id: int, object_id: int) -> HttpResponse:
    """Redirect to a row's page, if the account may see the row: Django's own view of this name doesn't check."""
    rows = get_object_or_404(ContentType, pk=content_type_id).model_class()._default_manager.all()
    get_object_or_404(rights.visible(request.user, rows), pk=object_id)
    return shortcut(request, content_type_id, object_id)


def _may_see(request: HttpRequest, obj: Any) -> bool:
    return obj is None or obj.pk is None or rights.is_visible(request.user, obj)


def _is_relation(model: Any, listed: Any) -> bool:
    try:
        return isinstance(listed, str) and get_fields_from_path(model, listed)[-1].is_relation
    except FieldDoesNotExist:
        return False
