"""Print what is published of a closed survey, made again from the database, with the salts of its sealed parts.

It names the last snapshot of each version as pages and files cite it, and by the hash in the database, which earlier
versions of Candor printed in its place.

It ends with 0 if the database holds what was published, with 1 if it holds something else, and with 2 if nothing is
published. Give a salt, or the hash of a snapshot, to nobody who may not have the data: with it, small parts can be
found by trying.
"""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from surveys.domain.closed import statement
from surveys.domain.responses.snapshots import cite
from surveys.models import Snapshot, Statement


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("survey", help="its short name, which stands in the link after /s/")

    def handle(self, *_args: Any, survey: str, **_options: Any) -> None:
        stated = Statement.published.filter(survey__slug=survey).first()
        if stated is None:
            raise CommandError(f"Nothing is published of {survey!r}: it must be closed, and sealed.", returncode=2)
        content, salts = json.loads(bytes(stated.content)), statement.salts(stated)
        self.stdout.write(f"statement  {stated.sha256}")
        if receipts := content["receipts"]:
            self.stdout.write(f"receipts   {receipts['root']}  ({receipts['count']})")
        else:
            self.stdout.write("receipts   not listed: fewer answered than the survey reports on")
        for version in content["versions"]:
            salt = salts[version["version"]]
            self.stdout.write(f"version {version['number']}  {version['parts']}  (salt {salt})")
            if newest := Snapshot.objects.filter(version__sha256=version["version"]).last():
                self.stdout.write(f"  cited as {cite(newest)}  (hash {newest.sha256})")
        if not statement.agrees(stated):
            raise CommandError("The database no longer holds the receipts and the parts that were published.")
        self.stdout.write("The database holds what was published.")
