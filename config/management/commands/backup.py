"""manage.py backup FILE: the whole database in one file, without what waits to be sealed."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.run.backups import BackupError, back_up


class Command(BaseCommand):
    help = "Write the database to a new file, while the site runs. It does not contain SECRET_KEY: keep that elsewhere."
    requires_system_checks = ()  # they load every page, and a backup shows none

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **_: Any) -> None:
        try:
            back_up(file)
        except BackupError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{file}: {file.stat().st_size:,} bytes.")
