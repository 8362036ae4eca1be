"""The endpoint of chat-api.md and its description."""

import logging
import math

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from docbot.endpoint import exchanges, keys, openapi, wire
from docbot.endpoint.errors import ChatError
from docbot.models import TrainedBot

logger = logging.getLogger(__name__)


@csrf_exempt  # authorised by a key, never by a cookie
def chat(request: HttpRequest) -> HttpResponse:
    """POST /api/public/chat: answer one message; every failure is returned in the same error format."""
    try:
        return _answer(request)
    except ChatError as error:
        return wire.write_error(error)
    except Exception:  # clients get INTERNAL_ERROR as JSON, never an HTML page
        logger.exception("The chat endpoint failed")
        return wire.write_error(ChatError("INTERNAL_ERROR"))


def _answer(request: HttpRequest) -> HttpResponse:
    """Check key and rate limit before reading the body."""
    if request.method != "POST":
        raise ChatError("METHOD_NOT_ALLOWED")
    trained_bot = _authorise(request)
    stored = exchanges.answer_message(trained_bot, *wire.read_request(request))
    return wire.write_reply(stored.chat.chat_id, stored.reply, wire.OUTCOMES[stored.certainty])


def _authorise(request: HttpRequest) -> TrainedBot:
    plain = request.headers.get(wire.KEY_HEADER, "").strip()
    if not plain:
        raise ChatError("MISSING_API_KEY")
    key = keys.find(plain)
    if key is None:
        raise ChatError("INVALID_API_KEY")
    if wait := key.use(settings.DOCBOT_REQUESTS_PER_MINUTE):
        raise ChatError("RATE_LIMITED", retry_after=math.ceil(wait))
    return key.trained_bot


@require_safe
def describe(request: HttpRequest) -> HttpResponse:
    response = JsonResponse(openapi.document(), json_dumps_params={"ensure_ascii": False, "indent": 1})
    patch_cache_control(response, public=True, max_age=3600)
    return response
