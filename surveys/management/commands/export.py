"""Write the files of a survey into a folder: records in every format, texts, codebook, design, scripts.

Each file appears under its name when it is whole. Responses leave only once the version is closed, unless respondents
have read otherwise or the survey is simulated; that they left is noted on the page of the survey's files.
"""

import getpass
import shutil
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.module_loading import autodiscover_modules

from privacy.errors import InputError
from privacy.files import whole_file
from surveys.domain.exports import files
from surveys.domain.exports.risk import risk_of
from surveys.domain.responses import counts, disclosure
from surveys.domain.responses.snapshots import cite
from surveys.models import Snapshot, Survey
from surveys.results import study_pack  # noqa: F401  adds itself to the files


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("survey", help="its short name, which stands in the link after /s/")
        parser.add_argument("-o", "--output", default=".", metavar="FOLDER", help="where to write (default: here)")
        parser.add_argument("--file", action="append", metavar="NAME", help=f"only this one: {', '.join(files.FILES)}")
        parser.add_argument(
            "--of-version", type=int, metavar="N", help="the version (default: the newest with responses)"
        )

    def handle(
        self, *_args: Any, survey: str, output: str, file: list[str] | None, of_version: int | None, **_options: Any
    ) -> None:
        autodiscover_modules("offers")  # what other apps add to the study pack
        try:
            self._write(survey, Path(output), file, of_version)
        except InputError as error:
            raise CommandError(str(error), returncode=2) from error

    def _write(self, slug: str, folder: Path, names: list[str] | None, number: int | None) -> None:
        snapshot = _snapshot(slug, number)
        if not folder.is_dir():
            raise InputError(f"{folder}: is no folder.")
        names = names or [file.name for file in files.list_files(snapshot)]
        for name in names:
            with files.write_file(snapshot, name) as path:
                with whole_file(folder / name) as target, path.open("rb") as source:
                    shutil.copyfileobj(source, target)
                if files.FILES[name].responses:
                    files.note(snapshot, name, path, None, f"manage.py export ({getpass.getuser()})")
            self.stdout.write(str(folder / name))
        self.stdout.write(f"{counts.of_snapshot(snapshot)} responses, snapshot {cite(snapshot)}")
        if any(files.FILES[name].responses for name in names) and (risk := risk_of(snapshot)):
            people = counts.to_report(risk.respondents, disclosure.is_settled(snapshot))
            self.stdout.write(
                f"Undisguised answers ({', '.join(risk.columns)}): {risk.alone} of {people} respondents are alone "
                f"with theirs, k = {risk.k}. They tell on {risk.disclosed} of {risk.direct} direct ones."
            )


def _snapshot(slug: str, number: int | None) -> Snapshot:
    """The last snapshot of the version, or of the newest that has one."""
    survey = Survey.objects.filter(slug=slug).first()
    if survey is None:
        raise InputError(f"survey: there is no survey {slug!r}.")
    snapshots = Snapshot.objects.filter(version__survey=survey)
    if number is not None:
        snapshots = snapshots.filter(version__number=number)
    snapshot = snapshots.select_related("version__survey").order_by("version__number", "id").last()
    if snapshot is None:
        raise InputError(f"survey: {slug!r} has no sealed responses{f' of version {number}' if number else ''}.")
    return snapshot
