"""Who has signed in: an account of this site, or a person for whom a website's signed identity stands."""

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.middleware.csrf import rotate_token

from webchat.models import Person

_PERSON = "person"  # in the session: whom a website vouches for


def person_of(request: HttpRequest) -> Person | None:
    """None when nobody has signed in."""
    if request.user.is_authenticated:
        return Person.objects.of_account(request.user)
    number = request.session.get(_PERSON)
    return Person.objects.select_related("user").filter(pk=number, user=None).first() if number else None


def sign_in(request: HttpRequest, person: Person) -> None:
    """The session gets another key, as at Django's own login; of somebody else's session nothing stays."""
    if request.user.is_authenticated or request.session.get(_PERSON, person.pk) != person.pk:
        logout(request)
    request.session.cycle_key()
    request.session[_PERSON] = person.pk
    rotate_token(request)


def sign_out(request: HttpRequest) -> None:
    """This browser knows nothing any more: neither the person nor an anonymous visitor."""
    logout(request)
    rotate_token(request)


def sign_in_options() -> dict[str, object]:
    """How one can sign in here, beside a password."""
    return {"can_reset": bool(settings.EMAIL_HOST), "openid_name": settings.OIDC_NAME if settings.OIDC_ISSUER else ""}


@receiver(user_logged_in)
def _forget_vouched_person(sender: object, request: HttpRequest, **kwargs: object) -> None:
    request.session.pop(_PERSON, None)
