"""The Celery application. Tasks stand in the `tasks` module of each app, and only call functions of its domain."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # a worker has no pages; `manage.py prepare` has checked them

app = Celery("candor")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
