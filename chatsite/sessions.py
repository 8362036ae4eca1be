"""Django's sessions in the database, written once in a request."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    _saved = b""

    def save(self, must_create: bool = False) -> None:
        """Skip an unchanged session: Django's middleware would write one that starts during a request twice."""
        if not must_create and self._content() == self._saved:
            return
        super().save(must_create)
        self._saved = self._content()

    def _content(self) -> bytes:
        return self.serializer().dumps([self.session_key, dict(self.items())])
