"""Django's database sessions, read with plain SQL and written at most once in a request."""

from typing import Any

from django.contrib.sessions.backends import db
from django.utils import timezone

from webchat.models.hot_queries import as_parameter, first_row

# Plain SQL, because each request of a visitor reads its session, and the ORM takes five times as long.
_STORED = "SELECT session_data FROM django_session WHERE session_key = %s AND expire_date > %s"


class SessionStore(db.SessionStore):
    _saved = b""

    def load(self) -> dict[str, Any]:
        stored = first_row(_STORED, [self.session_key, as_parameter(timezone.now())])
        return self.decode(stored[0]) if stored else super().load()

    def save(self, must_create: bool = False) -> None:
        """Skip an unchanged session: otherwise Django's middleware writes a session created in this request again."""
        if not must_create and self._content() == self._saved:
            return
        super().save(must_create)
        self._saved = self._content()

    def _content(self) -> bytes:
        return self.serializer().dumps([self.session_key, dict(self.items())])
