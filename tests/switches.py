"""Sites that cover every pair of a bot's switches, on every surface, with and without a conversation and JavaScript."""

import datetime
from collections import OrderedDict
from typing import Any

from allpairspy import AllPairs

from webchat.models import Surface

_ANOTHER_DAY = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=3)).strftime("%a")

SWITCHES: OrderedDict[str, list[Any]] = OrderedDict(
    surface=list(Surface.values),
    said=["nothing", "answered", "failed", "waiting", "disliked", "queued", "with a person"],
    team=["there", "away"],
    language=["", "de", "ar"],
    languages=["", "de,ar"],
    hours=["", "Mon-Sun 0-24", f"{_ANOTHER_DAY} 9:00-10:00"],
    picture=["", "face", "logo"],
    contact=["", "owner@example.com", "https://example.com/contact"],
    in_portal=[True, False],
    handover=[True, False],
    people_answer=[True, False],
    takes_files=[True, False],
    notifies_visitors=[True, False],
    consent=["", "I agree to [everything](https://example.com/privacy)."],
    asks_for_proof=[False, True],
    asks_details=["", "before", "after", "instead"],
    asks_name=["optional", "required", ""],
    asks_email=["", "optional", "required"],
    own_details=["", "Order number *\nYour town"],
    switched_on=[True, False],
    closed=[False, True],
    answers_when_closed=[True, False],
    closed_notice=["", "We are **closed**."],
    daily_budget=[None, 1],
    suggestions=["", "When are you open?\nWhere are you?"],
    next_questions=["", "What does it cost?\nHow do I pay?"],
    greeting=["Hello!", ""],
    can_help=["", "opening hours and prices"],
    cannot_help=["", "orders that you have placed"],
    privacy_note=["", "A [note](https://example.com/privacy)."],
    accent=["", "#ff8800"],
    shares_text=[False, True],
    tells_page=[False, True],
    offers_person_when_not_known=[True, False],
    offers_person_after_thumbs_down=[True, False],
    offers_person_after_failures=[True, False],
    offers_person_when_asked_for=[True, False],
    sends_questions=[False, True],
    has_own_url=[False, True],
    javascript=[False, True],
)
# Not fields of a bot: the tests set these up themselves.
NOT_FIELDS = ("surface", "said", "team", "picture", "has_own_url", "javascript")


def _is_possible(values: list[Any]) -> bool:
    """The portal shows only bots that are open to customers."""
    chosen = dict(zip(SWITCHES, values, strict=False))
    return chosen.get("surface") != "portal" or chosen.get("in_portal", True)


SITES: list[dict[str, Any]] = [site._asdict() for site in AllPairs(SWITCHES, filter_func=_is_possible)]


def fields_of(site: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in site.items() if name not in NOT_FIELDS}
