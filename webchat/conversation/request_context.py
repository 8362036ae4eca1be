"""What webchat knows about a request besides what Django knows: `request.webchat`."""

from dataclasses import dataclass, field

from webchat.limits.rates import Limit
from webchat.models import Bot, Customer


@dataclass
class RequestContext:
    """Set for every request by chatsite's SecurityHeadersMiddleware; surfaces and views fill in what differs."""

    # Set by the surface, about the visitor.
    customer: Customer | None = None  # signed in at the portal
    session_key: str | None = None  # where there is no cookie for it
    frame_token: str = ""  # the session's key, signed, for a page in another site's frame
    language: str = ""
    limits: list[Limit] = field(default_factory=list)  # the surface's own rate limits
    device: object | None = None  # the kiosk's
    has_people: bool | None = None  # are team members available? None: not looked up yet

    bot: Bot | None = None  # the one that the page is about
    has_searched_session: bool = False  # of a browser that didn't get its cookie
    start_value: str | None = None  # of the cookie from which the first message's session is derived
    search_results: list[str] | None = None  # on the widget's home; None: nothing was searched

    # Set by the view, for the response's headers; see chatsite.security.
    frame_ancestors: list[str] = field(default_factory=list)  # sources that may frame the page
    policy: dict[str, str] = field(default_factory=dict)  # further directives of the Content-Security-Policy
    permissions: list[str] = field(default_factory=list)  # such as "microphone"
    styles: list[str] = field(default_factory=list)  # hashes of the style sheets inside the page
