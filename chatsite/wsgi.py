"""The WSGI application that gunicorn serves."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from chatsite.request_limits import always_utf_8
from chatsite.slow_clients import read_ahead

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatsite.settings")

application = read_ahead(always_utf_8(get_wsgi_application()), settings.WEB_THREADS)
