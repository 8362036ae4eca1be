"""Answers open pages to which nothing has to be told, before anything else of the site is asked."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from webchat.conversation import updates

PART = "/updates/"  # of the address; behind it stands the token


class NothingNewMiddleware:
    """204 when the page shows everything: one statement, without session, account, language or address.

    A token opens nothing, so nobody has to be asked who they are. Anything else is for the view.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "GET" or PART not in request.path_info:
            return self.get_response(request)
        place, _, token = request.path.rpartition(PART)
        shown = updates.read(token)
        if shown is None or not shown.is_all:
            return self.get_response(request)
        response = HttpResponse(status=204)
        if not shown.is_fresh:
            response["Webchat-Updates"] = f"{place}{PART}{shown.token}"
        return response
