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
# With a database server, some threads compute while others wait for its answers.
concurrency_limit.set_limit(1 if connection.vendor == "sqlite" else 4)

application = read_ahead(always_utf_8(django_application), settings.WEB_THREADS)
