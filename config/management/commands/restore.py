"""manage.py restore FILE: bring a backup back, before the site starts."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.run.backups import BackupError, restore


class Command(BaseCommand):
    help = "Restore a backup into an empty database. Data erased since the backup comes back, too."
    requires_system_checks = ()  # they ask a database that is not there yet

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **_: Any) -> None:
        try:
            restored = restore(file)
        except BackupError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"The database of {restored.day} is restored. Start the site, which updates its tables, and erase again "
            "what was erased since."
        )
        if not restored.same_secret:
            self.stderr.write(
                "It was made under another SECRET_KEY: without that key, invitations cannot be exchanged and second "
                "factors cannot be checked."
            )
        if not restored.is_marked:
            self.stderr.write(
                "It has no signature under this SECRET_KEY, so a change would not be noticed: use it only if nobody "
                "else could write to its folder. Earlier versions made backups without a signature."
            )
