"""What the web server runs."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# No visitor waits longer for PostgreSQL than this, so that slow statements cannot keep every thread. The sealing job
# and the worker, whose statements are long, start elsewhere.
if (options := settings.DATABASES["default"]["OPTIONS"].get("options")) is not None:
    settings.DATABASES["default"]["OPTIONS"]["options"] = f"-c statement_timeout=20s {options}"

application = get_wsgi_application()
