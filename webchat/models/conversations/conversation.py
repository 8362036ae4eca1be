"""Conversations: whose they are, where they are shown, how they begin, change hands and end."""

import uuid
from collections.abc import Iterable
from functools import partial
from typing import Self

from django.db import IntegrityError, connection, models, transaction
from django.db.models import Max, Q
from django.utils import timezone, translation
from django.utils.functional import cached_property
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from webchat.models import hot_queries
from webchat.models.bots import Bot, Surface
from webchat.models.conversations.leading import Leader, LedConversation
from webchat.models.customers import Customer

TITLE_LENGTH = 80  # characters
LONGEST_MADE_TITLE = 60  # characters


def split_page(message: str) -> tuple[str, str]:
    """Return the URL of the website's page that may be above a widget's first message, or "", and the message."""
    first, _, rest = message.partition("\n\n")
    is_page = rest and first.startswith(("https://", "http://")) and " " not in first
    return (first, rest) if is_page else ("", message)


def title_made_of(message: str) -> str:
    """Return the message's first words on one line, without the page's URL that may be above them."""
    words = " ".join(split_page(message)[1].split())
    if len(words) <= LONGEST_MADE_TITLE:
        return words
    cut = words[:LONGEST_MADE_TITLE]
    whole_words = cut.rpartition(" ")[0]
    return f"{whole_words} …" if whole_words else f"{cut}…"


class ConversationQuerySet(models.QuerySet):
    def open_for(self, visitor: str | None, slug: str, surface: str) -> Self:
        """Return the visitor's present conversation with one bot: at most one, and none without a visitor."""
        if visitor is None:
            return self.none()
        present = self.filter(visitor=visitor, bot__slug=slug, surface=surface, ended_at=None, is_present=True)
        return present.select_related("bot")

    def shown_on(self, surface: str, visitor: str | None, bot: Bot) -> Self:
        """Return the visitor's present conversation on the surface, if any; in the portal all of a customer's."""
        if surface == Surface.PORTAL:
            return self.of_customer(visitor).filter(bot=bot)
        return self.open_for(visitor, bot.slug, surface)

    def open_or_begin(self, visitor: str, bot: Bot, surface: str, public_id: uuid.UUID | None = None) -> "Conversation":
        """Return the conversation that a message belongs to, or begin one.

        It is the present one; in the portal the one that `public_id` names. Call it within a transaction, which then
        holds the conversation's row; see `leading`. Raises Conversation.DoesNotExist.
        """
        if surface == Surface.PORTAL:
            return self._named_or_begin(visitor, bot, public_id)
        # Of two first messages at once, only one begins a conversation: a constraint decides.
        present = partial(self._present, visitor, bot, surface)
        conversation = present() or self._begin(visitor, bot, surface) or present()
        conversation.bot = bot
        return conversation

    def _present(self, visitor: str, bot: Bot, surface: str) -> "Conversation | None":
        statement = hot_queries.PRESENT_CONVERSATION
        if connection.features.has_select_for_update:  # on SQLite a writing transaction is alone anyway
            statement += " FOR UPDATE"
        return hot_queries.first_object(Conversation, statement, [visitor, bot.pk, surface])

    def _begin(self, visitor: str, bot: Bot, surface: str) -> "Conversation | None":
        """Begin a conversation; None if another request was first."""
        try:
            with transaction.atomic():
                return self._new(visitor, bot, surface=surface)
        except IntegrityError:
            return None

    def _new(self, visitor: str, bot: Bot, **fields: object) -> "Conversation":
        language = translation.get_language() or ""
        new = Conversation(
            visitor=visitor, bot=bot, customer=Customer.objects.behind(visitor), language=language, **fields
        )
        new.is_new = True
        new.save(force_insert=True)
        return new

    def agreed(self, visitor: str | None, bot: Bot) -> Self:
        """Return the conversations in which the visitor agreed to the bot's present text, in any of its languages."""
        return self.filter(visitor=visitor, bot=bot, consented_to__in=bot.consents) if visitor else self.none()

    def with_people(self, visitor: str | None, bot: Bot) -> Self:
        """Return the visitor's conversations with people or in the queue: they continue if the bot is closed or off."""
        open_ones = self.filter(visitor=visitor, bot=bot, ended_at=None)
        return open_ones.exclude(led_by=Leader.BOT) if visitor else self.none()

    def of_customer(self, visitor: str | None) -> Self:
        """Return all that a customer can continue in the portal: conversations with the bots that are open there."""
        if visitor is None:
            return self.none()
        return self.filter(visitor=visitor, ended_at=None, bot__in_portal=True).select_related("bot")

    def _named_or_begin(self, visitor: str, bot: Bot, public_id: uuid.UUID | None) -> "Conversation":
        """As open_or_begin, for the portal, where a customer may have any number of conversations with a bot."""
        if public_id is not None:
            return self.of_customer(visitor).select_for_update(of=["self"]).get(public_id=public_id, bot=bot)
        return self._new(visitor, bot, surface=Surface.PORTAL, is_present=False)

    def end_all_of(self, visitors: list[str]) -> None:
        """End all open conversations of these visitors, with any bot; see Conversation.end."""
        of_them = self.filter(visitor__in=visitors, ended_at=None).order_by("pk")
        with transaction.atomic():
            for conversation in of_them.select_for_update():  # so that nobody claims one meanwhile
                conversation.leave()
            of_them.update(ended_at=timezone.now(), chat_id="")


class Conversation(LedConversation):
    """One visitor's exchange with one bot. The chat_id is the upstream's key for it: no browser ever sees it."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="conversations")
    surface = models.CharField(_("place"), max_length=10, choices=Surface, default=Surface.CHAT)
    visitor = models.CharField(_("visitor"), max_length=64)  # a hash: of the session’s key, or a customer’s
    # Only of visitors who have signed in.
    customer = models.ForeignKey(
        Customer, on_delete=models.CASCADE, null=True, blank=True, related_name="conversations", db_column="person_id"
    )
    public_id = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)  # names it in URLs
    title = models.CharField(_("title"), max_length=TITLE_LENGTH, blank=True)  # without one, the first message is shown
    page_url = models.CharField(_("page"), max_length=500, blank=True, editable=False)  # of the website with the widget
    chat_id = models.CharField(max_length=1024, blank=True, editable=False)
    is_present = models.BooleanField(default=True, editable=False)  # its surface shows it; others are opened by name
    started_at = models.DateTimeField(_("started"), default=timezone.now)
    last_at = models.DateTimeField(_("last message"), default=timezone.now)  # updated for customers only
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    consented_at = models.DateTimeField(_("agreed"), null=True, blank=True)
    consented_to = models.TextField(_("agreed to"), blank=True)  # the bot’s consent text of that time

    objects = ConversationQuerySet.as_manager()

    is_new = False  # did the message that is being stored begin it?

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        constraints = [
            *LedConversation.Meta.constraints,
            models.UniqueConstraint(
                fields=["visitor", "bot", "surface"],
                condition=Q(ended_at=None, is_present=True),
                name="one_open_conversation",
            ),
        ]
        indexes = [
            models.Index(fields=["visitor", "-last_at", "-public_id"], name="newest_of_a_visitor"),
            # The owner's desk: how many a day, and the latest of all or of one bot.
            models.Index(fields=["started_at"], name="by_start"),
            models.Index(fields=["bot", "started_at"], name="of_a_bot_by_start"),
            # The inbox: who waits, and whom a person answers.
            models.Index(fields=["led_by", "led_since"], condition=~Q(led_by="bot"), name="led_by_people"),
        ]
        permissions = [
            ("export_conversation", "Can export conversations"),
            ("answer_conversation", "Can answer visitors in person"),
        ]

    def __str__(self) -> str:
        return f"{self.bot} · {self.started_at:%Y-%m-%d %H:%M}"

    def end(self) -> None:
        """End the conversation and forget its chat_id; turns that were still to be asked never will be."""
        with transaction.atomic():
            self.lock()  # so that nobody claims it meanwhile
            self.leave()
            Conversation.objects.filter(pk=self.pk, ended_at=None).update(ended_at=timezone.now(), chat_id="")

    def archive(self) -> None:
        """Take it off the surface. A customer can resume it, so theirs keeps its chat_id; an anonymous one ends."""
        if self.customer_id is None:
            self.end()
        else:
            with transaction.atomic():
                self.lock()
                self.leave()
                Conversation.objects.filter(pk=self.pk).update(is_present=False)

    def agree(self) -> None:
        """Record that the visitor has agreed to the bot's text in this language."""
        consent = self.bot.words.consent
        if consent and self.consented_to not in self.bot.consents:
            self.consented_to, self.consented_at = consent, timezone.now()
            self.save(update_fields=["consented_to", "consented_at"])

    def store_details(self, details: "Iterable[Detail]") -> None:
        """Store what the visitor told about themselves, in place of what they told before."""
        told = [Detail(conversation=self, kind=each.kind, question=each.question, text=each.text) for each in details]
        if told:
            with transaction.atomic():
                self.lock()  # so that two tabs at once don't both store theirs
                self.details.all().delete()
                Detail.objects.bulk_create(told)

    def store_page_url(self, url: str) -> None:
        """Store which page of the website the visitor is on; if people lead the conversation, the inbox shows it."""
        if self.is_led_by_bot:
            Conversation.objects.filter(pk=self.pk).update(page_url=url)
        else:
            self.notify_pages(page_url=url)

    def record_typing(self, sent: models.QuerySet, key: str | None, field: str) -> None:
        """Record in `field` that somebody is typing, unless the message with this key is the last of those `sent`.

        A message may overtake its own sign of typing, which would then outlast it.
        """
        with transaction.atomic():
            self.lock()  # so that the message isn't stored in between
            if str(sent.order_by("pk").values_list("key", flat=True).last()) != key:
                self.notify_pages(**{field: timezone.now()})

    @cached_property
    def given_email(self) -> str:
        """Return the e-mail address that the visitor gave when the bot asked for it, or ""."""
        return self.details.filter(kind=Detail.Kind.EMAIL).values_list("text", flat=True).first() or ""

    def lock(self) -> None:
        """Hold this row until the end of the transaction, and read who leads; see `leading`."""
        row = Conversation.objects.select_for_update().filter(pk=self.pk)
        self.led_by = row.values_list("led_by", flat=True).get()

    def touch(self) -> None:
        """Record that a message was sent just now; only for a customer, who has a list of conversations."""
        if self.customer_id is not None:
            Conversation.objects.filter(pk=self.pk).update(last_at=timezone.now())

    def give_to(self, customer: Customer) -> bool:
        """Give an anonymous conversation to a customer. From now on only they can open it."""
        anonymous = Conversation.objects.filter(pk=self.pk, visitor=self.visitor, customer=None, ended_at=None)
        last = self.turns.aggregate(at=Max("created_at"))["at"] or self.started_at
        moved = anonymous.update(visitor=customer.visitor, customer=customer, is_present=False, last_at=last)
        if moved:
            self.push_subscriptions.all().delete()  # it leaves the browser that asked
        return bool(moved)

    def give_to_and_show(self, customer: Customer) -> None:
        """Hand it over and show it on its surface; the conversation that the customer had there is archived."""
        with transaction.atomic():
            if self.give_to(customer):
                for other in Conversation.objects.open_for(customer.visitor, self.bot.slug, self.surface):
                    other.archive()
                Conversation.objects.filter(pk=self.pk).update(is_present=True)

    def move(self, visitor: str, surface: str) -> bool:
        """Move it to another visitor and surface, with its chat_id and its turns, even one that is being asked.

        The conversation that they had there with the bot is archived. Returns False if this one has ended or has moved.
        """
        here = Conversation.objects.filter(pk=self.pk, visitor=self.visitor, surface=self.surface, ended_at=None)
        customer = Customer.objects.behind(visitor)
        with transaction.atomic():
            for other in Conversation.objects.open_for(visitor, self.bot.slug, surface):
                other.archive()
            moved = here.update(visitor=visitor, surface=surface, customer=customer, is_present=True)
            if not moved:
                transaction.set_rollback(True)
                return False
            self.push_subscriptions.all().delete()  # of the browser that it leaves
        return True


class Detail(models.Model):
    """What a visitor told about themselves because the bot asked for it: in a conversation, or with a request by form.

    It is never sent upstream.
    """

    class Kind(models.TextChoices):
        NAME = "name", _("name")
        EMAIL = "email", _("e-mail address")
        OWN = "own", _("the owner’s own question")

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, null=True, related_name="details")
    handover = models.ForeignKey("Handover", on_delete=models.CASCADE, null=True, related_name="details")
    kind = models.CharField(_("kind"), max_length=5, choices=Kind)
    question = models.CharField(_("question"), max_length=120, blank=True)
    text = models.CharField(_("answer"), max_length=254)

    class Meta:
        verbose_name = _("detail")
        verbose_name_plural = _("details")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(conversation=None, handover__isnull=False)
                | models.Q(conversation__isnull=False, handover=None),
                name="a_detail_is_told_in_one_place",
            )
        ]

    def __str__(self) -> str:
        return _("%(label)s: %(text)s") % {"label": self.label, "text": self.text}

    @property
    def label(self) -> str:
        return self.question or capfirst(self.get_kind_display())
