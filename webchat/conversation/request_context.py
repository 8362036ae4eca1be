"""What webchat knows about a request beside what Django does: `request.webchat`."""

from dataclasses import dataclass, field

from webchat.limits.rates import Limit
from webchat.models import Person


@dataclass
class RequestContext:
    """Set for every request by chatsite's SecurityHeadersMiddleware; surfaces and views fill in what differs."""

    # What a surface says about the visitor.
    person: Person | None = None  # who is signed in, in the portal
    session_key: str | None = None  # where no cookie carries it
    frame_token: str = ""  # the session's key, signed, for a page in another site's frame
    language: str = ""
    limits: list[Limit] = field(default_factory=list)  # of the surface, beside the visitor's and the address's
    device: object | None = None  # the kiosk's
    has_people: bool | None = None  # whether team members are there to answer, once that was looked up

    # What a view asks of the response's headers; see chatsite.security.
    frame_ancestors: list[str] = field(default_factory=list)  # sources that may frame the page
    policy: dict[str, str] = field(default_factory=dict)  # further directives of the policy
    permissions: list[str] = field(default_factory=list)  # such as "microphone"
    styles: list[str] = field(default_factory=list)  # fingerprints of the style sheets within the page
