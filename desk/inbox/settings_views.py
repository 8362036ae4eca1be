"""What a team member can set: their name and picture, and canned replies."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.forms import BaseForm
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_safe

from desk.access import audit
from desk.inbox.forms import CannedReplyForm, ProfileForm
from desk.inbox.rights import canned_replies_of, may_change, member_of
from desk.pages import page
from webchat.models import CannedReply

SHOWN_OR_SENT = ["GET", "HEAD", "POST"]


@require_http_methods(SHOWN_OR_SENT)
def edit_profile(request: HttpRequest) -> HttpResponse:
    """Show or save how visitors see the team member."""
    member = member_of(request)
    form = ProfileForm(request.POST or None, request.FILES or None, instance=member)
    if request.method == "POST" and form.is_valid():
        form.save()
        audit.record(request.user, member, gettext_noop("Changed the name and picture that visitors see."))
        messages.success(request, _("Saved. Visitors see your name and picture like this."))
        return HttpResponseRedirect(reverse("admin:inbox_profile"), status=303)
    member.refresh_from_db(fields=["name", "picture"])
    return page(request, "desk/inbox/profile.html", _("Your profile"), member=member, form=form)


@require_safe
def show_picture(request: HttpRequest) -> HttpResponse:
    """Serve the member's own picture."""
    member = member_of(request)
    if not member.picture:
        raise Http404
    return FileResponse(member.picture.open("rb"), content_type="image/webp")


@require_safe
def canned_replies(request: HttpRequest) -> HttpResponse:
    member = member_of(request)
    replies = list(canned_replies_of(member))
    return page(request, "desk/inbox/canned_replies.html", _("Canned replies"), replies=replies)


@require_http_methods(SHOWN_OR_SENT)
def canned_reply(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """Add, change or delete a canned reply."""
    member = member_of(request)
    reply = get_object_or_404(canned_replies_of(member), pk=pk) if pk else CannedReply()
    if pk and not may_change(member, reply):
        raise PermissionDenied
    form: BaseForm = CannedReplyForm(member, request.POST or None, instance=reply)
    if request.method == "POST" and pk and "delete" in request.POST:
        audit.record(request.user, reply, gettext_noop("Deleted."), deleted=True)
        reply.delete()
    elif request.method == "POST" and form.is_valid():
        audit.record(request.user, form.save(), gettext_noop("Changed.") if pk else gettext_noop("Added."))
    else:
        title = str(reply) if pk else _("Add a canned reply")
        return page(request, "desk/inbox/canned_reply.html", title, form=form, reply=reply)
    return HttpResponseRedirect(reverse("admin:inbox_canned_replies"), status=303)
