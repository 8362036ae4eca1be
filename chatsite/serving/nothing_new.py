"""Answers polls of open pages and inboxes when nothing is new, before the rest of the site runs."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from chatsite.serving.request_limits import DESK
from desk.inbox.updates import is_up_to_date
from webchat.conversation import updates

UPDATES = "/updates/"  # of the URL; the token comes after it


class NothingNewMiddleware:
    """Answers 204 if everything is shown: one statement, without session, account or language.

    The token gives no access, so nobody has to be authenticated. The views answer everything else, and polls of a page
    or inbox that has just become visible: they record that its messages have been read.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "GET" or UPDATES not in request.path_info or "visible" in request.GET:
            return self.get_response(request)
        return _nothing_new(request) or self.get_response(request)


def _nothing_new(request: HttpRequest) -> HttpResponse | None:
    page, _, token = request.path.partition(UPDATES)
    if request.path.startswith(DESK):
        return HttpResponse(status=204) if is_up_to_date(token.rstrip("/")) else None
    shown = updates.read(token)
    if shown is None or not shown.is_up_to_date:
        return None
    response = HttpResponse(status=204)
    if not shown.is_fresh:
        response["Webchat-Updates"] = f"{page}{UPDATES}{shown.token}"
    return response
