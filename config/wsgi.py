"""The application that the web server runs."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from config.environment import PREPARED, for_visitors
from config.run import pooler
from surveys.domain.database import damage
from surveys.domain.page import bundle

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

settings.DATABASES["default"] = for_visitors(settings.DATABASES["default"])
application = get_wsgi_application()
# Gunicorn's master loads this once for all its processes, so it loads the pages too: their first visitors do not wait.
get_resolver().url_patterns  # noqa: B018  reading it loads them
bundle.names()  # and their files, so that all its processes serve one version, whenever they start
if PREPARED in os.environ:  # `make run` prepares the database meanwhile, and closes this pipe when it has
    os.read(int(os.environ[PREPARED]), 1)
damage.refuse_half()  # `manage.py prepare` has refused both, but perhaps nobody has called that
pooler.refuse_another()
