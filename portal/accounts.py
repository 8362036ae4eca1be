"""Sign-in, sign-out and password reset for accounts of this site: Django's views with our templates."""

from collections.abc import Callable

from django.contrib.auth import views
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse_lazy
from django.views.decorators.http import require_POST

from accounts.views import PasswordResetConfirmView, SignInView
from portal import signing_in
from portal.appearance import portal_bot
from portal.forms import ResetForm
from webchat import languages, site
from webchat.conversation.responses import private, see_other

_sign_in = SignInView.as_view(template_name="portal/sign_in.html")


class ResetView(views.PasswordResetView):
    template_name = "portal/reset.html"
    form_class = ResetForm
    success_url = reverse_lazy("portal-reset-sent")

    def get_form_kwargs(self) -> dict[str, object]:
        return super().get_form_kwargs() | {"request": self.request}


def _page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a public page of the portal out of a view: in the visitor's language, with the other ways to sign in."""

    @login_not_required
    def page(request: HttpRequest, **kwargs: str) -> HttpResponse:
        languages.activate_language(request)
        response = view(request, **kwargs)
        context = getattr(response, "context_data", None)
        if context is not None:
            context |= signing_in.sign_in_options() | {"bot": portal_bot()}
            if "form" in context and getattr(context["form"], "errors", None):
                response.status_code = 422
        languages.remember(request, response)
        return private(response)

    return page


@_page
def sign_in(request: HttpRequest) -> HttpResponse:
    return redirect("portal") if signing_in.customer_of(request) else _sign_in(request)


@login_not_required
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    signing_in.sign_out(request)
    response = see_other("portal-sign-in")
    response["Clear-Site-Data"] = '"storage"'  # drafts, and what the widget's frames keep
    return response


@_page
def reset(request: HttpRequest) -> HttpResponse:
    if not site.has_mail_server():
        raise Http404
    return ResetView.as_view()(request)


reset_sent = _page(views.PasswordResetDoneView.as_view(template_name="portal/reset_sent.html"))
new_password = _page(
    PasswordResetConfirmView.as_view(
        template_name="portal/new_password.html", success_url=reverse_lazy("portal-reset-done")
    )
)
reset_done = _page(views.PasswordResetCompleteView.as_view(template_name="portal/reset_done.html"))
