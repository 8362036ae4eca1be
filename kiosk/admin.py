"""The owner's side: kiosks with their codes, what they are set to, and whether they are there."""

from django.contrib import admin

from kiosk.models import Device


@admin.register(Device)
class DeviceAdmin(admin.ModelAdmin):
    list_display = ("name", "bot", "seen_at", "paused")
