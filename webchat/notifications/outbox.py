"""Periodic task: delivers e-mails, webhooks and notifications, and retries until they have arrived."""

import logging
import smtplib
import time
from urllib.parse import urlsplit

from django.conf import settings

from webchat import site
from webchat.models import Alarm, Channel, Delivery
from webchat.notifications import alarms, payloads, replies, web_push, webhooks

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 100
ALARM_AFTER = 4  # failed attempts: about twenty minutes


def deliver_due() -> None:
    """Deliver what is due. A recipient or push service that has just failed is left alone until the next round."""
    failed = set()
    for delivery in Delivery.objects.due()[:MOST_AT_ONCE]:
        recipient = _recipient(delivery)
        place = (delivery.channel, urlsplit(recipient).netloc if delivery.subscription else recipient)
        if place in failed or not delivery.claim():
            continue
        if delivery.subscription and not delivery.subscription.is_wanted():
            delivery.delete()
            continue
        started = time.monotonic()
        problem = _send(delivery, recipient)
        if problem == web_push.GONE:
            delivery.subscription.delete()
            continue
        took = round((time.monotonic() - started) * 1000)
        delivery.store(
            arrived=not problem, outcome=problem or "arrived", went_to=_public_part(delivery, recipient), ms=took
        )
        if problem:
            if not (delivery.subscription and problem.startswith("status")):  # this browser's fault, not its service's
                failed.add(place)
            _log_failure(delivery, problem)


def _recipient(delivery: Delivery) -> str:
    """Return the present recipient: an owner may have corrected it since the last attempt."""
    if delivery.to_site:
        return settings.ALARM_EMAIL if delivery.channel == Channel.EMAIL else settings.ALARM_WEBHOOK_URL
    if delivery.entry:
        return delivery.entry.conversation.reply_email
    if delivery.subscription:
        return delivery.subscription.url
    bot = delivery.bot
    if delivery.channel == Channel.WEBHOOK:
        return bot.webhook_url
    return bot.handover_email if delivery.handover else bot.alarm_email


def _send(delivery: Delivery, recipient: str) -> str:
    """Send it; return "" if it has arrived, else why not."""
    if not recipient:
        return "no address any more"
    if delivery.channel == Channel.WEBHOOK:
        secret = settings.ALARM_WEBHOOK_SECRET if delivery.to_site else delivery.bot.webhook_secret
        return webhooks.post(recipient, secret, str(delivery.key), payloads.body(delivery))
    if delivery.channel == Channel.PUSH:
        browser = delivery.subscription
        return web_push.post(browser.url, browser.public_key, browser.auth_secret, replies.notification(browser))
    if not site.has_mail_server():
        return "no mail server: enter it at the desk, under Site"
    try:
        payloads.email(delivery, recipient).send()
    except smtplib.SMTPResponseException as error:
        return f"the mail server answered {error.smtp_code}"
    except smtplib.SMTPRecipientsRefused:
        return "the mail server refused the address"
    except (smtplib.SMTPException, OSError) as error:
        return f"the mail server: {type(error).__name__}"
    return ""


def _log_failure(delivery: Delivery, problem: str) -> None:
    logger.warning("not delivered delivery=%s channel=%s why=%s", delivery.key, delivery.channel, problem)
    if delivery.handover and delivery.tries == ALARM_AFTER:
        alarms.raise_alarm(delivery.bot, Alarm.Cause.UNDELIVERED, tries=delivery.tries)


def _public_part(delivery: Delivery, recipient: str) -> str:
    """Return the recipient without secrets: no query, and of a browser's push service only the host."""
    if delivery.subscription:
        return urlsplit(recipient).netloc[:254]
    return recipient.partition("?")[0][:254]
