"""The WSGI application that gunicorn serves."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection

from chatsite.request_limits import always_utf_8
from chatsite.slow_clients import read_ahead

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatsite.settings")
django_application = get_wsgi_application()

from chatsite import gate  # noqa: E402 - it knows webchat, which Django has to set up first

application = gate.put_before(django_application, at_a_time=1 if connection.vendor == "sqlite" else 4)
application = read_ahead(always_utf_8(application), settings.WEB_THREADS)
