"""Sign-in, sign-out and password reset for accounts of this site: Django's views with our templates."""

from django.conf import settings
from django.contrib.auth import views
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse, reverse_lazy
from django.views.decorators.http import require_POST

from accounts.views import SignInView
from portal import signing_in
from portal.forms import ResetForm
from webchat import languages
from webchat.conversation.responses import private

_sign_in = SignInView.as_view(template_name="portal/sign_in.html")
_reset = views.PasswordResetView.as_view(
    template_name="portal/reset.html",
    form_class=ResetForm,
    email_template_name="portal/reset_mail.txt",
    subject_template_name="portal/reset_subject.txt",
    success_url=reverse_lazy("portal-reset-sent"),
    extra_email_context={"site_url": settings.SITE_URL},
)
_reset_sent = views.PasswordResetDoneView.as_view(template_name="portal/reset_sent.html")
_new_password = views.PasswordResetConfirmView.as_view(
    template_name="portal/new_password.html", success_url=reverse_lazy("portal-reset-done")
)
_reset_done = views.PasswordResetCompleteView.as_view(template_name="portal/reset_done.html")


@login_not_required
def sign_in(request: HttpRequest) -> HttpResponse:
    languages.activate_language(request)
    if signing_in.person_of(request):
        return private(HttpResponseRedirect(reverse("portal")))
    return _finish(request, _sign_in(request))


@login_not_required
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    signing_in.sign_out(request)
    response = private(HttpResponseRedirect(reverse("portal-sign-in"), status=303))
    response["Clear-Site-Data"] = '"storage"'  # drafts, and what the widget's frames keep
    return response


@login_not_required
def reset(request: HttpRequest) -> HttpResponse:
    if not settings.EMAIL_HOST:
        raise Http404
    languages.activate_language(request)
    return _finish(request, _reset(request))


@login_not_required
def reset_sent(request: HttpRequest) -> HttpResponse:
    languages.activate_language(request)
    return _finish(request, _reset_sent(request))


@login_not_required
def new_password(request: HttpRequest, uidb64: str, token: str) -> HttpResponse:
    languages.activate_language(request)
    return _finish(request, _new_password(request, uidb64=uidb64, token=token))


@login_not_required
def reset_done(request: HttpRequest) -> HttpResponse:
    languages.activate_language(request)
    return _finish(request, _reset_done(request))


def _finish(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Finish a response of Django's: add the other sign-in options, and status 422 to a form with errors."""
    context = getattr(response, "context_data", None)
    if context is not None:
        context |= signing_in.sign_in_options()
        if "form" in context and getattr(context["form"], "errors", None):
            response.status_code = 422
    languages.remember(request, response)
    return private(response)
