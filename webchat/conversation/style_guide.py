"""Shows every component in every state, from the real templates, while you work on the design (DEBUG only)."""

import datetime

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from webchat.appearance import color_palette
from webchat.conversation.forms import PAGE_EXPIRED, MessageForm, too_many_messages
from webchat.models import Attachment, Bot, Conversation, Entry, Handover, Turn
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
LONG_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 2
ARABIC = "مرحبا! نفتح في الساعة **9:00** من الاثنين إلى الجمعة، ويمكنك الكتابة إلى `shop@example.com`."
ACCENTS = ("#2f5bd0", "#0a7f5a", "#b3261e", "#ffcc00", "#7a3ff2", "#111111", "#ffffff")


@require_GET
def styleguide(request: HttpRequest) -> HttpResponse:
    bot = Bot(
        slug="example",
        name="Example",
        greeting="Hello! Ask me about **opening hours**, prices and returns.",
        suggestions="When do you open?\nHow do I return what I bought?\nWhere are you?",
        can_help="Orders, prices and returns",
        cannot_help="Legal advice",
        consent="I agree to [everything](https://shop.example/privacy).",
        privacy_note="What you write is read by our shop alone.",
        contact="help@example.com",
    )
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
        "days": _days(conversation),
        "forms": [MessageForm(), MessageForm(initial={"message": "A draft\nof two lines"}), *_refused_forms()],
        "accents": [(accent, *color_palette.palettes(accent)) for accent in ACCENTS],
        "theme": request.GET.get("theme", ""),
    }
    return TemplateResponse(request, "webchat/styleguide.html", context)


def _states() -> list[dict[str, object]]:
    answered = {"state": Turn.State.ANSWERED, "ended_at": timezone.now()}
    failed = {"state": Turn.State.FAILED, "failures": 2}
    in_hours = timezone.now() + datetime.timedelta(hours=3)
    soon = timezone.now() + datetime.timedelta(seconds=42)
    codes = [*failure_rules.RULES, "A_CODE_NOBODY_KNOWS"]
    return [
        {"message": "When do you open?", "state": Turn.State.PENDING},
        {"message": "When do you open?\n\nAnd when do you close?", "reply": RICH, **answered},
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
    invoice = Attachment(name="Invoice of May.pdf", turn=Turn(created_at=now, **asked), **document)
    receipt = Attachment(name="Receipt.pdf", entry=Entry(created_at=now, **member, **said), **document)
    return [
        ("turn", Turn(message="My parcel isn’t here.", created_at=long_ago, **asked)),
        ("turn", Turn(message="The number is 4711.", created_at=long_ago, **asked)),
        ("entry", Entry(kind=Entry.Kind.JOINED, created_at=yesterday, **member)),
        ("entry", Entry(text="Good morning!", created_at=yesterday, **member, **said)),
        ("entry", Entry(text="It comes **today**.", created_at=yesterday, **member, **said)),
        ("turn", invoice.turn),
        ("entry", receipt.entry),
        ("turn", Turn(message="It is here, thank you.", created_at=now, **asked)),
    ]


def _refused_forms() -> list[MessageForm]:
    key = MessageForm().fresh_key
    empty = MessageForm({"message": " ", "key": key})
    busy = MessageForm({"message": "One more", "key": key})
    busy.refused = too_many_messages(30)
    expired = MessageForm({"message": "After lunch", "key": key})
    expired.refused = PAGE_EXPIRED
    return [empty, busy, expired]
