"""Every mail of the site: a plain part and an HTML part in the same look."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from webchat import site


@dataclass(frozen=True)
class Content:
    """What a mail says. `name` is whose mail it is: a bot's name or the site's host."""

    name: str
    heading: str
    paragraphs: Sequence[str] = ()
    message: str = ""  # a visitor's
    quotes: Sequence[str] = ()  # Markdown
    before_url: str = ""
    button: str = ""
    url: str = ""
    note: str = ""
    transcript: SafeString | None = None  # at the end: it may be long
    accent: str = ""


def make(subject: str, to: str, content: Content, **more: Any) -> EmailMultiAlternatives:
    """Return the mail, not yet sent; `more` goes to `EmailMultiAlternatives`. It is in the language that is active."""
    context = {"content": content}
    text = render_to_string("webchat/mail.txt", context).strip() + "\n"
    mail = EmailMultiAlternatives(" ".join(subject.split()), text, site.sender(), [to], **more)
    mail.attach_alternative(render_to_string("webchat/mail.html", context), "text/html")
    return mail
