"""What must be set in the database before its first table is made."""

from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import pre_migrate


def write_ahead_logging(using: str, **_: Any) -> None:
    """Let readers and the one writer not wait for each other. SQLite keeps this in the file, so it is set once."""
    connection = connections[using]
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA journal_mode=WAL")


class Site(AppConfig):
    name = "config"
    label = "site"

    def ready(self) -> None:
        from config import checks  # noqa: F401  registers them; models are loaded now

        pre_migrate.connect(write_ahead_logging)  # is called once for each app; repeating the setting costs nothing
