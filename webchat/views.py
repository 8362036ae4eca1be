"""What a visitor's requests are answered with."""

from django.http import HttpRequest, HttpResponse


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return HttpResponse("This form has expired. Reload the page and send again.", status=403, content_type="text/plain")
