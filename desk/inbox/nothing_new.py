"""Answers polls of open inboxes for which nothing is new, before the rest of the site runs."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from desk.inbox import updates

PART = "/inbox/updates/"  # of the URL; the token comes after it


class NothingNewMiddleware:
    """Answer 204 if the inbox shows everything: one statement, without session, account or language.

    The token opens nothing, so nobody has to be authenticated. Everything else is left to the view, as is an inbox
    that was hidden until now: what it shows has been read.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "GET" or PART not in request.path_info:
            return self.get_response(request)
        token = request.path_info.rpartition(PART)[2].rstrip("/")
        if "visible" in request.GET or not updates.is_all_shown(token):
            return self.get_response(request)
        return HttpResponse(status=204)
