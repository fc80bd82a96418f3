"""The Celery application. Tasks stand in the `tasks` module of each app, and only call functions of its domain."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("candor")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
