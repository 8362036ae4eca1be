"""Answers polls of open pages for which nothing is new, before the rest of the site runs."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from webchat.conversation import updates

PART = "/updates/"  # of the URL; the token comes after it


class NothingNewMiddleware:
    """Answer 204 if the page shows everything: one statement, without session, account or language.

    The token opens nothing, so nobody has to be authenticated. Everything else is left to the view, as is a page that
    was hidden until now: what it shows has been read.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "GET" or PART not in request.path_info:
            return self.get_response(request)
        place, _, token = request.path.rpartition(PART)
        shown = updates.read(token)
        if shown is None or request.META["QUERY_STRING"] == "visible" or not shown.is_all:
            return self.get_response(request)
        response = HttpResponse(status=204)
        if not shown.is_fresh:
            response["Webchat-Updates"] = f"{place}{PART}{shown.token}"
        return response
