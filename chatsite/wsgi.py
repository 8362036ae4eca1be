"""The WSGI application that gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application
from django.db import connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatsite.settings")
application = get_wsgi_application()

if connection.vendor == "sqlite":
    # Stays open, and idle, as long as the process. SQLite's last connection to close writes the whole write-ahead log
    # back and deletes it: on a quiet site that would happen in nearly every request, waiting for the disk each time.
    connection.ensure_connection()
