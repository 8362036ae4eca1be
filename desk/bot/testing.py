"""The page "Test this bot": runs check_bot's diagnosis after a confirmation, because it costs a message."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_noop

from desk import trained_bots
from desk.access import audit
from desk.bot.pages import bot_for, bot_page
from outbound.concurrency_limit import waiting
from webchat.models import Bot
from webchat.upstream import diagnosis
from webchat.upstream.client import client_for
from webchat.upstream.diagnosis import Finding


def test(request: HttpRequest, pk: int) -> HttpResponse:
    bot = bot_for(request, pk, to_change=True)
    return bot_page(
        request,
        bot,
        "desk/test.html",
        bot.name,
        tab="desk_bot_service",
        findings=diagnose(request.user, bot) if request.method == "POST" else None,
        upstream_url=bot.upstream_url,
        trained=trained_bots.answering_for(bot),
    )


def diagnose(user: AbstractBaseUser, bot: Bot) -> list[Finding]:
    """Send one message to the bot's service, unless its configuration shows what is wrong; it may take a minute."""
    client = client_for(bot.upstream_url, bot.upstream_key)
    findings = diagnosis.check_configuration(client)
    if not findings:
        close_old_connections()
        with waiting():
            findings = diagnosis.ask(client)
    audit.record(user, bot, gettext_noop("Tested: {}."), ", ".join(finding.name for finding in findings))
    return findings
