"""Signing in and out, with an account of this site or an identity signed by a website."""

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.middleware.csrf import rotate_token

from webchat import site
from webchat.handover import push_subscriptions
from webchat.models import Customer

_CUSTOMER = "person"  # session key: primary key of a customer identified by a website


def customer_of(request: HttpRequest) -> Customer | None:
    """Return the signed-in customer, or None."""
    if request.user.is_authenticated:
        return Customer.objects.of_account(request.user)
    pk = request.session.get(_CUSTOMER)
    return Customer.objects.select_related("user").filter(pk=pk, user=None).first() if pk else None


def sign_in(request: HttpRequest, customer: Customer) -> None:
    """Sign the customer in with a new session key, as Django's login does; another customer's session is flushed."""
    if request.user.is_authenticated or request.session.get(_CUSTOMER, customer.pk) != customer.pk:
        sign_out(request)
    request.session.cycle_key()
    request.session[_CUSTOMER] = customer.pk
    rotate_token(request)


def sign_out(request: HttpRequest) -> None:
    """Delete the session and its browser's notifications: neither the customer nor the anonymous visitor remains."""
    push_subscriptions.delete_own(request)
    logout(request)
    rotate_token(request)


def sign_in_options() -> dict[str, object]:
    """Return the template context for sign-in options besides a password."""
    return {"can_reset": site.has_mail_server(), "openid_name": settings.OIDC_NAME if settings.OIDC_ISSUER else ""}


@receiver(user_logged_in)
def _forget_vouched_customer(sender: object, request: HttpRequest, **kwargs: object) -> None:
    request.session.pop(_CUSTOMER, None)
