"""What must be set in the database before its first table is made, and what happens at a sign-in."""

import gc
from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.db import connections
from django.db.models.signals import post_delete, post_save, pre_migrate

# This is the first of the apps. What they load stays, and the search for cycles among it was an eighth of each start.
SEARCHES = gc.isenabled()
gc.disable()


def write_ahead_logging(using: str, **_: Any) -> None:
    """Let readers and the one writer not wait for each other. SQLite keeps this in the file, so it is set once."""
    connection = connections[using]
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA journal_mode=WAL")


class Site(AppConfig):
    name = "config"
    label = "site"

    # What `manage.py tend` calls again and again, and the seconds between two calls.
    duties = (("config.signin.sessions.purge", 3600),)
    duties_of_each_host = (
        ("config.run.heartbeats.sealing_job", 5),
        ("config.signin.first_password.forget_changed", 60),
    )

    def ready(self) -> None:
        from allauth.mfa.models import Authenticator

        from config import celery, checks  # noqa: F401  tasks find the application; checks are registered
        from config.signin import first_password, sessions, tokens

        user_logged_in.connect(sessions.begin)
        user_logged_in.connect(first_password.mark_session)
        post_save.connect(tokens.end_sessions, sender=Authenticator)
        post_delete.connect(tokens.end_sessions, sender=Authenticator)
        pre_migrate.connect(write_ahead_logging)  # is called once for each app; repeating the setting costs nothing
        # What is loaded stays until the process ends: the search for cycles need not look through it again and again,
        # least of all at the end, where that took half a second of processor in each process of a site.
        gc.freeze()
        if SEARCHES:
            gc.enable()
