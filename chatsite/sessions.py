"""Django's sessions in the database, read by a look-up that is put together once: each request begins with it."""

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
    def _get_session_from_db(self) -> Session | None:
        session = _LIVING.first(key=self.session_key, now=timezone.now())
        if session is None:
            self._session_key = None
        return session
