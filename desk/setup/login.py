"""The first step, before anybody can log in: the owner makes their login."""

from allauth.account.utils import perform_login
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from desk.access import audit
from desk.pages import page
from desk.setup import links
from desk.setup.forms import LoginForm
from webchat.models import Bot


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def make_login(request: HttpRequest, token: str) -> HttpResponse:
    form = LoginForm(request.POST or None)
    with transaction.atomic():
        Bot.objects.select_for_update().order_by("pk").first()  # of two with the link, one makes the login
        if not links.is_valid(token):
            return page(request, "desk/setup/login.html", _("Set up"), 410)
        if not form.is_valid():
            return page(request, "desk/setup/login.html", _("Set up"), 422 if form.is_bound else 200, form=form)
        user = form.save()
        audit.record(user, user, gettext_noop("Created the first login with the set-up link."))
    made = _('Your login is ready. <a href="{url}">Protect it with a passkey</a>, now or later.')
    messages.success(request, format_html(made, url=reverse("mfa_add_webauthn")))
    return perform_login(request, user, redirect_url=reverse("admin:setup"))
