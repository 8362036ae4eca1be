"""Answers a message to a bot from its documents and stores the exchange."""

import logging
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace

from django.conf import settings
from django.db import close_old_connections, transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from docbot.answering import llm
from docbot.answering.answers import Answer, PastExchange, Source, answer, language_of
from docbot.answering.certainty import calibration
from docbot.answering.phrases import phrases
from docbot.endpoint import wire
from docbot.endpoint.errors import ChatError
from docbot.models import Chat, Exchange, State, TrainedBot
from docbot.retrieval.index import Index, IndexMissing, open_index
from outbound.concurrency_limit import waiting
from outbound.deadline import Deadline

logger = logging.getLogger(__name__)

# Exchanges loaded for a reply: the engine uses the last few, a model more.
MOST_HISTORY = 50
OFFLINE = "This bot is offline ({}). Its owner can change that at the desk."


@dataclass(frozen=True)
class Reply:
    """The answer, how it was made, and why the model failed, if it did."""

    answer: Answer
    via: Exchange.Via = Exchange.Via.EXTRACTIVE
    failure: str = ""


def answer_message(trained_bot: TrainedBot, message: str, chat_id: str | None) -> Exchange:
    """Answer the message in the chat (None: a new one). Raises ChatError."""
    began = time.monotonic()
    if reason := trained_bot.offline_reason:
        raise ChatError("BOT_DISABLED", OFFLINE.format(reason))
    chat, history = _load_chat(trained_bot, chat_id) if chat_id is not None else (None, [])
    # No transaction is open while engine and model work.
    said = compose_reply(trained_bot, message, history)
    milliseconds = round((time.monotonic() - began) * 1000)
    return _store(trained_bot, chat, message, said, milliseconds)


def compose_reply(trained_bot: TrainedBot, message: str, history: Sequence[PastExchange]) -> Reply:
    """Compose the bot's reply without storing it. Raises ChatError.

    The model is asked only if something was found: not for off-topic messages, small talk and taught answers.
    """
    found = quote(trained_bot, message, history)
    config = model_of(trained_bot)
    if config is None or found.is_taught or not (found.sources or found.is_close):
        return Reply(found)
    said = phrases(language_of(_index(trained_bot), message, [one.message for one in history]))
    close_old_connections()  # a model takes seconds: free the connection
    try:
        deadline = Deadline(settings.LLM_TIMEOUT)
        with waiting():
            text, sources = llm.reply(found.hits, message, history, said=said, config=config, deadline=deadline)
    except llm.ModelFailed as error:
        logger.warning("The language model gave no reply: %s", error)
        return Reply(found, Exchange.Via.FALLBACK, str(error))
    certainty = ("unsure" if found.is_close else found.certainty) if sources else "unknown"
    return Reply(replace(found, text=text, sources=sources, certainty=certainty), Exchange.Via.MODEL)


def quote(trained_bot: TrainedBot, message: str, history: Sequence[PastExchange]) -> Answer:
    """Answer without the model. Raises ChatError.

    By words until it is known how alike in meaning a quotation has to be.
    """
    index = _index(trained_bot)
    return answer(index, message, history, by_meaning=settings.DOCBOT_MEANING and calibration.knows_meaning(index))


def model_of(trained_bot: TrainedBot) -> llm.ModelConfig | None:
    """Return the bot's own language model, else the site's, or None if replies are quoted."""
    if trained_bot.model_url:
        key = import_string(settings.DOCBOT_UNSEAL)(trained_bot.sealed_model_key)
        url, name = trained_bot.model_url, trained_bot.model_name
    else:
        url, name, key = settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_API_KEY
    return llm.ModelConfig(url, name, key, most_tokens=settings.LLM_MAX_TOKENS) if url else None


def _load_chat(trained_bot: TrainedBot, chat_id: str) -> tuple[Chat, list[PastExchange]]:
    """Return the chat and its exchanges, oldest first. Raises ChatError, also for expired or others' chats."""
    if not wire.CHAT_ID.fullmatch(chat_id):
        raise ChatError("CHAT_NOT_FOUND")
    # A chat is stored together with its first exchange, so one query finds both.
    chats = Chat.objects.alive().filter(trained_bot=trained_bot, chat_id=chat_id)
    latest = list(Exchange.objects.filter(chat__in=chats).select_related("chat").order_by("-pk")[:MOST_HISTORY])
    if not latest:
        raise ChatError("CHAT_NOT_FOUND")
    return latest[0].chat, [to_past_exchange(one) for one in reversed(latest)]


def to_past_exchange(one: Exchange) -> PastExchange:
    # By field name: the row may have been stored by another version.
    sources = ({field.name: source.get(field.name, "") for field in fields(Source)} for source in one.sources)
    return PastExchange(message=one.message, sources=tuple(Source(**source) for source in sources), reply=one.reply)


def _index(trained_bot: TrainedBot) -> Index:
    try:
        return open_index(trained_bot.index_folder)
    except IndexMissing as error:
        sentence = "This bot is not trained yet. Try again after the seconds in Retry-After."
        raise ChatError("BOT_UNAVAILABLE", sentence, retry_after=5) from error


def _store(trained_bot: TrainedBot, chat: Chat | None, message: str, said: Reply, milliseconds: int) -> Exchange:
    """Store credit, chat and exchange in one transaction: a failed request costs nothing."""
    now = timezone.now()
    with transaction.atomic():
        if not trained_bot.spend_credit():
            raise ChatError("BOT_DISABLED", OFFLINE.format(State.NO_CREDITS))
        if chat is None:
            chat = Chat.objects.create(trained_bot=trained_bot, created_at=now, last_used_at=now)
        elif not Chat.objects.filter(pk=chat.pk).update(last_used_at=now):
            raise ChatError("CHAT_NOT_FOUND")  # deleted in the dashboard in the meantime
        return Exchange.objects.create(
            chat=chat,
            created_at=now,
            message=message,
            reply=said.answer.text,
            certainty=said.answer.certainty,
            sources=[asdict(source) for source in said.answer.sources],
            milliseconds=milliseconds,
            via=said.via,
        )
