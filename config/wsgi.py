"""The application that the web server runs."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# No visitor waits longer than this for PostgreSQL, so that slow statements cannot occupy every thread. The sealing job
# and the worker need long statements; they do not start from here.
if (options := settings.DATABASES["default"]["OPTIONS"].get("options")) is not None:
    settings.DATABASES["default"]["OPTIONS"]["options"] = f"-c statement_timeout=20s {options}"

application = get_wsgi_application()
# Gunicorn's master loads this once for all its processes, so it loads the pages too: their first visitors do not wait.
get_resolver().url_patterns  # noqa: B018  reading it loads them
