"""The admin for kiosks: settings, enrolment codes and status."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.timesince import timesince
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from kiosk import visits
from kiosk.models import Device
from webchat import site
from webchat.appearance.texts import TextsField
from webchat.conversation.responses import private

FOLDED = {"classes": ("collapse",)}
CODE_KEY = "kiosk code"  # session key: carries a new code to the page that shows it


class DeviceForm(forms.ModelForm):
    languages = forms.MultipleChoiceField(
        label=_("Languages to choose"),
        choices=settings.LANGUAGES,
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_(
            "Offered while nobody is using the screen; the choice lasts for one visit. Tick none to offer no choice."
        ),
    )

    prompts = TextsField(max_length=120)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "bot" in self.fields and len(bots := self.fields["bot"].queryset[:2]) == 1:
            self.fields["bot"].initial = bots[0]
        self.initial["languages"] = self.instance.languages.split(",")
        self.text_languages = self.instance.more_languages if self.instance.pk else []
        self.fields["prompts"].offer(self.text_languages, self.instance.prompt)

    def clean_prompts(self) -> dict[str, str]:
        """Keep the texts of languages that are not offered now."""
        kept = {code: text for code, text in self.instance.prompts.items() if code not in self.text_languages}
        return kept | self.cleaned_data["prompts"]

    def clean_languages(self) -> str:
        return ",".join(self.cleaned_data["languages"])


@admin.register(Device)
class DeviceAdmin(admin.ModelAdmin):
    form = DeviceForm
    add_title = _("Add a kiosk")
    empty = _("A kiosk is a screen that visitors share, in a shop or a lobby for example.")
    list_display = ("name", "bot", "state", "last_seen")
    list_filter = ("bot", "paused")
    list_select_related = ("bot",)
    search_fields = ("name",)
    actions = ("pause", "resume", "reload")
    change_form_template = "kiosk/admin/device.html"
    fieldsets = (
        (None, {"fields": (("name", "bot"),)}),
        (capfirst(_("text on the start screen")), FOLDED | {"fields": ("prompt",)}),
        (_("Language"), FOLDED | {"fields": ("language", "languages")}),
        (_("When the visitor leaves"), FOLDED | {"fields": (("idle_seconds", "warning_seconds"), "sound")}),
        (_("Writing and speaking"), FOLDED | {"fields": ("keyboard", "speech")}),
        (_("Limits"), FOLDED | {"fields": ("messages_per_minute",)}),
    )

    class Media:
        css = {"all": ("kiosk/dashboard.css",)}

    def get_fieldsets(self, request: HttpRequest, obj: Device | None = None) -> Any:
        """Show the prompt's other languages where there are any."""
        names, (title, prompt), *others = super().get_fieldsets(request, obj)
        texts = ("prompts",) if obj and obj.more_languages else ()
        return [names, (title, prompt | {"fields": (*prompt["fields"], *texts)}), *others]

    def get_urls(self) -> list[URLPattern]:
        own = [
            path("<int:pk>/code/", self.admin_site.admin_view(self.code), name="kiosk_code"),
            path("<int:pk>/do/", self.admin_site.admin_view(self.do), name="kiosk_do"),
        ]
        return own + super().get_urls()

    @admin.display(description=_("state"))
    def state(self, device: Device) -> SafeString:
        return format_html('<span class="state" data-state="{}">{}</span>', device.state.value, device.state.label)

    @admin.display(description=_("last seen"), ordering="seen_at")
    def last_seen(self, device: Device) -> str:
        return _("%(time)s ago") % {"time": timesince(device.seen_at)} if device.seen_at else _("never")

    def response_add(self, request: HttpRequest, obj: Device, post_url_continue: str | None = None) -> HttpResponse:
        if "_addanother" in request.POST or "_continue" in request.POST:
            return super().response_add(request, obj, post_url_continue)
        return self._make_code(request, obj)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict | None = None
    ) -> HttpResponse:
        device = self.get_object(request, object_id)
        may_change = bool(device) and self.has_change_permission(request, device)
        extra = {"device": device, "may_change": may_change, "badge": device and self.state(device)}
        extra["seen"] = device and self.last_seen(device)
        return super().change_view(request, object_id, form_url, extra | (extra_context or {}))

    def code(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the code once; a reload doesn't show it again."""
        device = self._device(request, pk)
        pk_shown, code = request.session.pop(CODE_KEY, (None, ""))
        url = site.url_for(request) + device.get_absolute_url()
        context = self.admin_site.each_context(request) | {
            "opts": Device._meta,
            "title": device.name,
            "device": device,
            "badge": self.state(device),
            "code": code if pk_shown == pk else "",
            "url": url,
            "is_local": site.is_local(url),
        }
        return private(TemplateResponse(request, "kiosk/admin/code.html", context))

    def do(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Run the action of the pressed button."""
        device = self._device(request, pk)
        match request.method == "POST" and request.POST.get("do"):
            case "code":
                return self._make_code(request, device)
            case "pause":
                self.pause(request, Device.objects.filter(pk=pk))
            case "resume":
                self.resume(request, Device.objects.filter(pk=pk))
            case "reload":
                self.reload(request, Device.objects.filter(pk=pk))
            case "dismiss":
                device.unenrol()
                visits.start_next(device)
                self.log_change(request, device, gettext_noop("Disconnected the screen."))
                said = _("The screen of the kiosk “%(kiosk)s” is disconnected.") % {"kiosk": device}
                self.message_user(request, said)
            case _other:
                return HttpResponseBadRequest()
        return redirect("admin:kiosk_device_change", pk)

    @admin.action(description=_("Pause the chosen kiosks"), permissions=["change"])
    def pause(self, request: HttpRequest, devices: QuerySet[Device]) -> None:
        devices.update(paused=True)
        self._log(request, devices, gettext_noop("Paused."))
        self.message_user(request, _("Paused. The screens show it within seconds; current visits end."))

    @admin.action(description=_("Resume the chosen kiosks"), permissions=["change"])
    def resume(self, request: HttpRequest, devices: QuerySet[Device]) -> None:
        devices.update(paused=False)
        self._log(request, devices, gettext_noop("Ended the pause."))
        self.message_user(request, _("The screens are back within seconds."))

    @admin.action(description=_("Reload the chosen kiosks"), permissions=["change"])
    def reload(self, request: HttpRequest, devices: QuerySet[Device]) -> None:
        devices.reload()
        self._log(request, devices, gettext_noop("Reloaded."))
        self.message_user(request, _("The screens reload as soon as nobody is using them."))

    def _device(self, request: HttpRequest, pk: int) -> Device:
        device = get_object_or_404(Device.objects.select_related("bot"), pk=pk)
        if not self.has_change_permission(request, device):
            raise PermissionDenied
        return device

    def _log(self, request: HttpRequest, devices: QuerySet[Device], sentence: str) -> None:
        for device in devices:
            self.log_change(request, device, sentence)

    def _make_code(self, request: HttpRequest, device: Device) -> HttpResponse:
        self.log_change(request, device, gettext_noop("Created a code for a screen."))
        request.session[CODE_KEY] = (device.pk, device.make_code())
        return redirect(reverse("admin:kiosk_code", args=[device.pk]))
