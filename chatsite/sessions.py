"""Django's sessions in the database, read by a look-up that is put together once, and written once in a request."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db import models
from django.utils import timezone

from webchat.models.prepared import Given, LookUp

_LIVING: LookUp[Session] = LookUp(
    lambda: Session.objects.filter(
        session_key=Given("key", models.CharField()), expire_date__gt=Given("now", models.DateTimeField())
    )
)


class SessionStore(db.SessionStore):
    _saved = (None, b"")  # the key, and what stands behind it since this object has saved it

    def save(self, must_create: bool = False) -> None:
        """Once: a session that begins amid a request would be written again at its end, by Django's middleware."""
        content = self.serializer().dumps(self._get_session(no_load=must_create))
        if must_create or self._saved != (self.session_key, content):
            super().save(must_create)
            self._saved = (self.session_key, content)

    def _get_session_from_db(self) -> Session | None:
        session = _LIVING.first(key=self.session_key, now=timezone.now())
        if session is None:
            self._session_key = None
        return session
