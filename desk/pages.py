"""What the desk's own pages share: the frame that Django's admin has around its pages, and the summary of errors."""

from dataclasses import dataclass

from django.contrib import admin
from django.forms import BaseForm
from django.http import HttpRequest
from django.template.response import TemplateResponse


@dataclass(frozen=True)
class Problem:
    """A line of the error summary: what is wrong, and the id of the field that it is about; "" for the form."""

    field: str
    label: str
    sentence: str


def page(request: HttpRequest, template: str, title: str, status: int = 200, **context: object) -> TemplateResponse:
    everywhere = admin.site.each_context(request) | {"title": title}
    return TemplateResponse(request, template, everywhere | context, status=status)


def problems_of(form: BaseForm) -> list[Problem]:
    found = []
    for name, errors in form.errors.as_data().items():
        box = label = ""
        if name in form.fields and not form[name].is_hidden:
            box = form[name].id_for_label
            if not box and (boxes := form[name].subwidgets):  # a choice may have none
                box = boxes[0].id_for_label
            label = form[name].label
        for error in errors:
            wrong = (error.params or {}).get("box")  # of a grid of boxes, as for the week's hours
            found += [Problem(f"{form[name].auto_id}-{wrong}" if wrong else box, label, each) for each in error]
    return found
