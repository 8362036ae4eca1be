"""The frame of the desk's own pages: what Django's admin has around its pages."""

from django.contrib import admin
from django.http import HttpRequest
from django.template.response import TemplateResponse


def page(request: HttpRequest, template: str, title: str, status: int = 200, **context: object) -> TemplateResponse:
    everywhere = admin.site.each_context(request) | {"title": title}
    return TemplateResponse(request, template, everywhere | context, status=status)
