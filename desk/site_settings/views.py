"""The page "Site", for owners of all bots."""

import json

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods

from desk.access import audit, guard
from desk.pages import page
from desk.site_settings import mail_test
from desk.site_settings.forms import MAIL, SiteForm
from webchat import site
from webchat.models import SiteSettings


@require_http_methods(["GET", "HEAD", "POST"])
def show_site(request: HttpRequest) -> HttpResponse:
    """Show the form (GET), save it, or send a test e-mail as it says (POST)."""
    if not request.user.is_superuser:
        raise PermissionDenied
    site.refresh()
    form = SiteForm(
        request.POST or None,
        instance=SiteSettings.stored(),
        initial={"test_to": request.user.email},
        owner=str(request.user.pk),
        password_url="" if guard.has_entered_password(request) else guard.password_url(request),
    )
    outcome = None
    if form.is_valid():
        form.set_password()
        if form.saves:
            return _save(request, form)
        outcome = _test(request, form)
    with timezone.override(site.time_zone()):
        return page(
            request,
            "desk/site.html",
            _("Site"),
            422 if form.errors else 200,
            form=form,
            outcome=outcome,
            is_unsaved=outcome is not None and bool(set(form.changed_data) - {"test_to"}),
            mail_fields=[form[name] for name in MAIL if name in form.fields],
            server=settings,
        )


def _save(request: HttpRequest, form: SiteForm) -> HttpResponse:
    form.save()
    changes = form.changes()
    audit.record(request.user, SiteSettings, json.dumps([{"changed": {"fields": changes}}] if changes else []))
    messages.success(request, _("Saved."))
    return HttpResponseRedirect(request.path, status=303)


def _test(request: HttpRequest, form: SiteForm) -> mail_test.Outcome:
    server = {} if settings.EMAIL_HOST else form.instance.mail_server
    outcome = mail_test.send(form.cleaned_data["test_to"], server, site.sender(form.instance.mail_from))
    taken, refused = gettext_noop("Sent a test e-mail: accepted."), gettext_noop("Sent a test e-mail: refused.")
    audit.record(request.user, SiteSettings, taken if outcome.is_taken else refused)
    return outcome
