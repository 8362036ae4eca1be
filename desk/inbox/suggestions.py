"""Suggests an answer from the documents of a trained bot of this site; it uses up no reply and stores nothing."""

from desk import trained_bots
from docbot.answering.phrases import quotation_alone
from docbot.endpoint import exchanges
from docbot.endpoint.errors import ChatError
from webchat.models import Conversation
from webchat.rendering import follow_ups


def suggest(conversation: Conversation) -> str:
    """Return an answer to the visitor's last message as Markdown; "" if the documents hold none that is sure.

    Without sources and further questions: a person sends it as their own words.
    """
    trained_bot = trained_bots.answering_for(conversation.bot)
    message = conversation.turns.filter(attachment=None).order_by("-pk").values_list("message", flat=True).first()
    if trained_bot is None or not message:
        return ""
    try:
        answer = exchanges.quote(trained_bot, message, [])
    except ChatError:
        return ""
    return quotation_alone(follow_ups.split(answer.text).text) if answer.certainty == "sure" else ""
