"""Forms and URLs are UTF-8, whatever a request says."""

import re
from collections.abc import Callable, Iterable
from typing import Any

_CHARSET = re.compile(r";\s*charset[^;]*", re.IGNORECASE)
_UTF_8 = re.compile(r';\s*charset\s*=\s*"?utf-?8"?\s*', re.IGNORECASE)


def always_utf_8(application: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """WSGI middleware: treat text as UTF-8, whatever charset the Content-Type names.

    Django decodes the query string with that charset before it can show an error page, and some of Python's codecs
    can't decode a form. The chat endpoint still sees that another charset was named.
    """

    def with_utf_8(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        content_type = environ.get("CONTENT_TYPE", "")
        if named := _CHARSET.findall(content_type):
            unknown = "" if all(map(_UTF_8.fullmatch, named)) else "; charset=unknown"
            environ["CONTENT_TYPE"] = _CHARSET.sub("", content_type) + unknown
        return application(environ, start_response)

    return with_utf_8
