"""The bot, its texts in several languages, and its teasers."""

from webchat.models.bots.bot import Bot, DetailsTiming, Requirement, Surface
from webchat.models.bots.widget import TeaserRule
from webchat.models.bots.words import WORDS, BotWords

__all__ = ["WORDS", "Bot", "BotWords", "DetailsTiming", "Requirement", "Surface", "TeaserRule"]
