#!/usr/bin/env python
"""Django's command line for this site."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatsite.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:  # a setting with an odd value: its sentence says what to do
        sys.exit(str(error))
