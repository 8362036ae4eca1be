"""Shows every component in every state, from the real templates, while you work on the design (DEBUG only).

Who leads a conversation is asked of the database, so some examples are stored, and gone with the response.
"""

import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import resolve, reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from webchat import languages
from webchat.appearance import color_palette
from webchat.conversation import forms
from webchat.conversation.forms import MessageForm
from webchat.models import (
    Attachment,
    Bot,
    Conversation,
    Entry,
    Feedback,
    Handover,
    Leader,
    Requirement,
    TeamMember,
    Turn,
)
from webchat.upstream import failure_rules

RICH = """Our shop opens at **9 o’clock**. In short:

1. Come in
2. Ask for *Ada*

| Day | Opens | Closes |
|---|---|---|
| Monday to Friday | 9:00 | 18:30 |
| Saturday | 10:00 | 16:00 |

### From the command line

```sh
curl --fail https://shop.example/hours?day=saturday&format=a-very-long-parameter-that-does-not-fit
```

> Closed on holidays.

- Write to `shop@example.com`
- or see [the hours](https://shop.example/hours).[^1]

- [x] Chain
- [ ] Brakes

[^1]: Until the end of *May*.

Source: [Opening hours](https://shop.example/hours "From nine to half past six.")"""
SOURCES = """We open at nine [1], on Saturdays at ten [2].

\\[1\\] [Opening hours](https://shop.example/hours "From nine to half past six.")\\
\\[2\\] [A leaflet without an address](#source "On Saturdays from ten.")"""
LONG_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 2
ARABIC = "مرحبا! نفتح في الساعة **9:00** من الاثنين إلى الجمعة، ويمكنك الكتابة إلى `shop@example.com`."
ACCENTS = ("#2f5bd0", "#0a7f5a", "#b3261e", "#ffcc00", "#7a3ff2", "#111111", "#ffffff")


@require_GET
@transaction.atomic
def styleguide(request: HttpRequest) -> HttpResponse:
    languages.activate_language(request)
    bot = Bot.objects.create(
        slug="style-guide",
        name="Example",
        greeting="Hello! Ask me about **opening hours**, prices and returns.",
        suggestions="When do you open?\nHow do I return what I bought?\nWhere are you?",
        can_help="Orders, prices and returns",
        cannot_help="Legal advice",
        consent="I agree to [everything](https://shop.example/privacy).",
        privacy_note="What you write is read by our shop alone.",
        contact="help@example.com",
        next_questions="What does it cost?",
        handover=True,
        people_answer=True,
        takes_files=True,
        notifies_visitors=True,
    )
    request.resolver_match = resolve(reverse("chat:page", args=[bot.slug]))  # files and notifications, as on that page
    request.webchat.search_results = ["When do you open?", "Do you deliver?"]
    # Bots of which another page is seen: switched off, closed, a form in place of the chat.
    closed = [Bot(slug="off", switched_on=False), Bot(slug="closed", closed=True, closed_notice="Until *Monday*.")]
    form_only = Bot(slug="form", handover=True, asks_details="instead", own_details="Your order’s number")
    conversation = Conversation(bot=bot)
    context = {
        "bot": bot,
        "closed": closed,
        "form_only": form_only,
        "asked": Handover(email="jo@example.com"),
        "turns": [Turn(conversation=conversation, **state) for state in _states()],
        "led": _led(bot),
        "asking": Bot(
            slug="asking", asks_details="before", asks_name=Requirement.REQUIRED, own_details="Your town | Why"
        ),
        "days": _days(conversation),
        "forms": [MessageForm(), MessageForm(initial={"message": "A draft\nof two lines"})],
        "refused_forms": _refused_forms(),
        "accents": [(accent, *color_palette.palettes(accent)) for accent in ACCENTS],
        "theme": request.GET.get("theme", ""),
    }
    response = TemplateResponse(request, "webchat/styleguide.html", context).render()
    transaction.set_rollback(True)
    return response


def _states() -> list[dict[str, object]]:
    answered = {"state": Turn.State.ANSWERED, "ended_at": timezone.now()}
    failed = {"state": Turn.State.FAILED, "failures": 2}
    in_hours = timezone.now() + datetime.timedelta(hours=3)
    soon = timezone.now() + datetime.timedelta(seconds=42)
    codes = [*failure_rules.RULES, "A_CODE_NOBODY_KNOWS"]
    return [
        {"message": "When do you open?", "state": Turn.State.PENDING},
        {"message": "When do you open?\n\nAnd when do you close?", "reply": RICH, **answered},
        {"message": "And on Saturdays?", "reply": SOURCES, **answered},
        {"message": "Is that all?", "reply": "Yes.", "feedback": Feedback.UP, **answered},
        {"message": "Are you sure?", "reply": "No.", "feedback": Feedback.DOWN, **answered},
        {"message": "Why?", "reply": "Because.", "feedback": Feedback.DOWN, "feedback_reason": "Short.", **answered},
        {"message": "Do you know?", "reply": "I don’t.", "outcome": Turn.Outcome.NOT_KNOWN, **answered},
        {"message": "Go on", "reply": "We had met before.", "started_over": True, **answered},
        {"message": "And then?", "reply": "Which day?\n\n- [On Sundays](#ask)\n- [On holidays](#ask)", **answered},
        {"message": LONG_WORD, "reply": LONG_WORD, **answered},
        {"message": "متى تفتحون؟", "reply": ARABIC, **answered},
        {"message": "https://example.com/" + "a" * 300, "reply": "Yes.", **answered},
        *({"message": code, "code": code, **failed} for code in codes),
        {"message": "With time to wait", "code": failure_rules.RATE_LIMITED, "not_before": soon, **failed},
        {"message": "With hours to wait", "code": failure_rules.RATE_LIMITED, "not_before": in_hours, **failed},
    ]


def _days(conversation: Conversation) -> list[tuple[str, Turn | Entry]]:
    """A talk with a person over several days, with messages that follow one another."""
    now = timezone.now()
    long_ago, yesterday = now - datetime.timedelta(days=9), now - datetime.timedelta(days=1)
    member, said = {"name": "Olivia", "conversation": conversation}, {"kind": Entry.Kind.MESSAGE}
    asked = {"conversation": conversation, "state": Turn.State.PERSON}
    document = {"content_type": "application/pdf", "size": 48_213}
    picture = {"content_type": "image/webp", "size": 120_000, "width": 400, "height": 300}
    photo = Attachment(name="The parcel.webp", turn=Turn(created_at=long_ago, **asked), **picture)
    invoice = Attachment(name="Invoice of May.pdf", turn=Turn(created_at=now, **asked), **document)
    receipt = Attachment(name="Receipt.pdf", entry=Entry(created_at=now, **member, **said), **document)
    events = [kind for kind in Entry.Kind if kind not in (Entry.Kind.MESSAGE, Entry.Kind.NOTE)]
    return [
        ("turn", Turn(message="My parcel isn’t here.", created_at=long_ago, **asked)),
        ("turn", Turn(message="The number is 4711.", created_at=long_ago, **asked)),
        ("turn", photo.turn),
        *[("entry", Entry(kind=kind, created_at=yesterday, **member)) for kind in events],
        ("entry", Entry(text="Good morning!", created_at=yesterday, **member, **said)),
        ("entry", Entry(text="It comes **today**.", created_at=yesterday, **member, **said)),
        ("turn", invoice.turn),
        ("entry", receipt.entry),
        ("turn", Turn(message="It is here, thank you.", created_at=now, **asked)),
    ]


def _led(bot: Bot) -> list[Conversation]:
    """Return conversations with people: who waits, for long, whoever answers, who types, who has read everything."""
    now = timezone.now()
    member = TeamMember.objects.create(user=User.objects.create(username="style-guide"), name="Olivia")
    by_person = {"led_by": Leader.PERSON, "team_member": member}
    states: list[dict[str, object]] = [
        {"led_by": Leader.QUEUE, "led_since": now},
        {"led_by": Leader.QUEUE, "led_since": now - datetime.timedelta(days=1), "reply_email": "jo@example.com"},
        by_person,
        by_person | {"team_typing_at": now},
        by_person,
    ]
    led = [Conversation.objects.create(bot=bot, is_present=False, changes=1, **state) for state in states]
    led[-1].team_read_to = led[-1].turns.create(message="Is anybody there?", state=Turn.State.PERSON).pk
    return led


def _refused_forms() -> list[MessageForm]:
    key = MessageForm().fresh_key
    refusals = (
        forms.PAGE_EXPIRED,
        forms.TOO_LONG_TO_READ,
        forms.KEY_USED,
        forms.NOT_COUNTED,
        forms.NOT_AGREED,
        forms.unproven(failure_rules.PROOF_MISSING),
        forms.too_many_messages(30),
        forms.too_many_messages(30, is_own=False),
        forms.too_many_conversations(3600),
    )
    refused = [MessageForm({"message": "Kept", "key": key}) for _refusal in refusals]
    for form, refusal in zip(refused, refusals, strict=True):
        form.is_valid()
        form.refused = refusal
    return [MessageForm({"message": " ", "key": key}), *refused]
