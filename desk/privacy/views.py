"""The page "A visitor's data", for owners of all bots: finds, downloads and deletes what is stored about one visitor.

Its URL says whose data it shows, so that a reload and the way back work: a customer's primary key, a reference, or what
was entered, encrypted, because servers log URLs and browsers keep them.
"""

from itertools import chain
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    QueryDict,
    StreamingHttpResponse,
)
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from desk.access import rights
from desk.access.guard import is_id
from desk.exports import archives
from desk.pages import page
from desk.privacy import visitors
from desk.privacy.forms import FindForm
from desk.privacy.visitors import VisitorData
from webchat import encryption
from webchat.conversation.responses import private
from webchat.models import Customer

ENTERED = "visitor "  # before what is encrypted: a bot's encrypted key isn't shown here
MOST_LISTED = 50  # of each kind; a download is complete


@require_http_methods(["GET", "HEAD", "POST"])
def visitor_data(request: HttpRequest) -> HttpResponseBase:
    """Show the form, what it finds, or what would be deleted (GET); find, download or delete (POST)."""
    if not request.user.is_superuser:
        raise PermissionDenied
    do = request.POST.get("do")
    if request.method == "POST" and do not in ACTIONS:
        return _find(request)
    who = _entered(request.GET.get("sought", ""))
    form = FindForm(initial={"who": who})
    found = _linked(request.GET) or visitors.find(who)
    if len(found) != 1:
        return _find_page(request, form, found=found)
    (data,) = found
    if data.customer and "customer" not in request.GET:
        # From here on the URL names this customer, even if the name soon fits another one, too.
        return HttpResponseRedirect(f"{request.path}?customer={data.customer.pk}", status=303)
    if do:
        return ACTIONS[do](request, data)
    return _confirm(request, data) if request.GET.get("do") == "delete" else _show(request, form, data)


def _find(request: HttpRequest) -> HttpResponse:
    form = FindForm(request.POST)
    if not form.is_valid():
        return _find_page(request, form, 422)
    sought = urlencode({"sought": encryption.seal(ENTERED + form.cleaned_data["who"])})
    return HttpResponseRedirect(f"{request.path}?{sought}", status=303)


def _find_page(request: HttpRequest, form: FindForm, status: int = 200, **context: Any) -> HttpResponse:
    return page(request, "desk/privacy/find.html", _("A visitor’s data"), status, form=form, **context)


def _entered(sealed: str) -> str:
    plain = encryption.unseal_or_empty(sealed)
    return plain.removeprefix(ENTERED) if plain.startswith(ENTERED) else ""


def _linked(query: QueryDict) -> list[VisitorData]:
    """Return whose data other pages of the desk link to."""
    pk = query.get("customer", "")
    customers = Customer.objects.filter(pk=pk) if is_id(pk) else ()
    return [VisitorData.of(customer) for customer in customers] or visitors.by_reference(query.get("reference", ""))


def _show(request: HttpRequest, form: FindForm, data: VisitorData) -> HttpResponse:
    own, elsewhere = (
        rights.visible(request.user, rows)
        .select_related("bot")
        .prefetch_related("details")
        .annotate(messages=Count("turns", distinct=True))
        .order_by("-started_at")
        for rows in (data.conversations, data.elsewhere)
    )
    requests = rights.visible(request.user, data.requests).select_related("bot")
    listed = {
        name: list(rows[: MOST_LISTED + 1])
        for name, rows in (("conversations", own), ("elsewhere", elsewhere), ("requests", requests))
    }
    return _find_page(
        request,
        form,
        data=data,
        counts=_counts_of(data),
        has_more=any(len(rows) > MOST_LISTED for rows in listed.values()),
        most=MOST_LISTED,
        **{name: rows[:MOST_LISTED] for name, rows in listed.items()},
    )


def _download(request: HttpRequest, data: VisitorData) -> StreamingHttpResponse:
    """Send the JSON document; if there are files, in an archive with them."""
    has_files = data.files.exists()
    document = (piece.encode() for piece in visitors.export(data, request.user))
    response = StreamingHttpResponse(
        archives.zipped(chain([("visitor.json", document)], visitors.files_of(data))) if has_files else document,
        content_type="application/zip" if has_files else "application/json; charset=utf-8",
    )
    response["Content-Disposition"] = f'attachment; filename="visitor.{"zip" if has_files else "json"}"'
    return private(response)


def _confirm(request: HttpRequest, data: VisitorData) -> HttpResponse:
    title = _("Delete this visitor’s data?")
    return page(request, "desk/privacy/erase.html", title, data=data, counts=_counts_of(data))


def _erase(request: HttpRequest, data: VisitorData) -> HttpResponse:
    visitors.erase(data, request.user)
    messages.success(request, _("The visitor’s data was deleted. The audit trail says so, but not whose it was."))
    return HttpResponseRedirect(request.path, status=303)


ACTIONS = {"download": _download, "erase": _erase}


def _counts_of(data: VisitorData) -> list[tuple[str, int]]:
    """Return what there is of it, with a name."""
    conversations, said, requests, details, reply_emails, _customers = data.counts
    counts = (
        (_("Conversations"), conversations),
        (_("Messages"), said),
        (_("Ratings"), data.messages.exclude(feedback=None).count()),
        (_("Files"), data.files.count()),
        (capfirst(_("requests for a person")), requests),
        (_("Details about the visitor"), details),
        (_("Addresses for a reply by e-mail"), reply_emails),
    )
    return [(name, number) for name, number in counts if number]
