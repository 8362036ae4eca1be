"""Customers: visitors who have said who they are, and whose conversations follow them from browser to browser."""

import secrets
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from webchat.models.bots import Bot


def _new_visitor() -> str:
    return secrets.token_hex(32)  # as long as a hash, but random


class CustomerQuerySet(models.QuerySet):
    def of_account(self, user: Any) -> "Customer":
        """Return the customer behind a Django account; made at the first visit."""
        return self.get_or_create(user=user)[0]

    def vouched_for(self, bot: Bot, subject: str, name: str, email: str) -> "Customer":
        """Return the customer whom the website with the bot's identity keys calls `subject`; update the name."""
        known = {"name": name, "email": email}
        customer, made = self.get_or_create(bot=bot, subject=subject, defaults=known)
        if not made and (customer.name, customer.email) != (name, email):
            customer.name, customer.email = name, email
            customer.save(update_fields=["name", "email"])
        return customer

    def behind(self, visitor: str) -> "Customer | None":
        """Return the customer; usually None: most visitors are not signed in."""
        return self.filter(visitor=visitor).first()

    def known_by_email(self, email: str) -> Self:
        return self.filter(Q(email__iexact=email) | Q(user__email__iexact=email))


class Customer(models.Model):
    """Somebody with an account here, or somebody whom a website vouches for; never both, even with the same e-mail.

    Otherwise a website's keys could open an account's conversations.
    """

    visitor = models.CharField(max_length=64, unique=True, default=_new_visitor, editable=False)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="customer",
    )
    bot = models.ForeignKey(
        Bot, verbose_name=_("bot"), on_delete=models.CASCADE, null=True, blank=True, related_name="customers"
    )
    subject = models.CharField(_("ID at your website"), max_length=255, blank=True)
    name = models.CharField(_("name"), max_length=200, blank=True)
    email = models.EmailField(_("e-mail"), blank=True)

    objects = CustomerQuerySet.as_manager()

    class Meta:
        db_table = "webchat_person"  # its name in an earlier version
        verbose_name = _("customer")
        verbose_name_plural = _("customers")
        constraints = [
            models.UniqueConstraint(fields=["bot", "subject"], condition=Q(user=None), name="one_person_a_subject"),
            models.CheckConstraint(
                condition=Q(user=None, bot__isnull=False) | Q(user__isnull=False, bot=None), name="one_source_a_person"
            ),
        ]

    def __str__(self) -> str:
        if self.user is not None:
            return self.user.get_full_name() or self.user.get_username()
        return self.name or self.email or self.subject

    @property
    def contact_email(self) -> str:
        """Where to write to; "" if unknown."""
        return self.email if self.user is None else self.user.email

    @property
    def has_own_account(self) -> bool:
        """Return whether the account is there for this customer alone: no present or former team member's."""
        return self.user is not None and not self.user.is_staff and not hasattr(self.user, "team_member")
