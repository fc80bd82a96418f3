"""manage.py restore FILE: bring a backup back, before the site starts."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.run.backups import BackupError, restore


class Command(BaseCommand):
    help = "Bring a backup back into an empty database. What was erased since it was made comes back, too."
    requires_system_checks = ()  # they ask a database that is not there yet

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **_: Any) -> None:
        try:
            restored = restore(file)
        except BackupError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"The database of {restored.day} is back. Start the site, which brings its tables up to date, and erase "
            "again what was erased since."
        )
        if not restored.same_secret:
            self.stderr.write(
                "It was made under another SECRET_KEY: without that one, invitations cannot be exchanged and second "
                "factors not be checked."
            )
        if not restored.is_marked:
            self.stderr.write(
                "No mark under this SECRET_KEY shows that it is as it was written: use it if nobody else could write "
                "where it lay. Versions before this one made backups without a mark."
            )
