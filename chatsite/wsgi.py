"""The WSGI application that gunicorn serves."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection

from chatsite.serving.charsets import always_utf_8
from chatsite.serving.slow_clients import read_ahead
from outbound import concurrency_limit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatsite.settings")

django_application = get_wsgi_application()
# With a database on the network, one thread works while others wait for their rows.
concurrency_limit.allow(1 if connection.vendor == "sqlite" else 4)

application = read_ahead(always_utf_8(django_application), settings.WEB_THREADS)
