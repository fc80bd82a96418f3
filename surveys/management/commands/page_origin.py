"""Write the respondent's page as static files for an origin of its own, with a manifest in the format of WEBCAT."""

import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from privacy.errors import InputError
from surveys.domain.page import own_origin
from surveys.origins import ORIGIN


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="a new folder, or an empty one")
        parser.add_argument("--site", required=True, help="where the surveys are, such as https://survey.example.org")
        parser.add_argument("--source", required=True, help="where anybody finds this version's source code")

    def handle(self, *_args: Any, folder: Path, site: str, source: str, **_options: Any) -> None:
        site = site.rstrip("/")
        for name, address, fits in (
            ("--site", site, ORIGIN.fullmatch(site)),
            ("--source", source, source.startswith("https://") and urlsplit(source).hostname),
        ):
            if not fits:
                raise CommandError(f"{name}: {address} is not an address that begins with https://.", returncode=2)
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise CommandError(f"{folder} is not an empty folder: name a new one.", returncode=2)
        project = tomllib.loads((Path(settings.BASE_DIR) / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        try:
            count = own_origin.write(folder, site, source, project["version"])
        except (InputError, OSError) as error:
            raise CommandError(str(error), returncode=2) from None
        self.stdout.write(
            f"{folder / 'page'} holds the {count} files of the page, and {own_origin.HEADERS} with their headers. "
            "manifest.json is not signed yet: docs/deploy.md says how."
        )
