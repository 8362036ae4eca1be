"""The bot, in parts: each is an abstract model with the fields of one thing and what follows from them."""

from webchat.models.bots.bot import Bot
from webchat.models.bots.people import DetailsTiming, Requirement
from webchat.models.bots.widget import TeaserRule
from webchat.models.bots.words import WORDS, BotWords

__all__ = ["WORDS", "Bot", "BotWords", "DetailsTiming", "Requirement", "TeaserRule"]
