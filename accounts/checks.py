"""A system check: the site doesn't start with an OpenID provider that is reached without TLS."""

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from webchat.upstream.wire import is_allowed_url


@register()
def check_provider(app_configs: object, **kwargs: object) -> list[CheckMessage]:
    """Refuse a provider without TLS: anybody in between could forge id tokens and sign in as anybody."""
    if not settings.OIDC_ISSUER or is_allowed_url(settings.OIDC_ISSUER):
        return []
    return [
        Error(
            "OIDC_ISSUER is not an address that people may be signed in from.",
            hint="Set it to https://…, or to http://127.0.0.1:… for a provider on this machine.",
            id="accounts.E001",
        )
    ]
