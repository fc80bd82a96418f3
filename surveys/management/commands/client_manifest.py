"""Print the hashes of the respondent's page, or compare with them what a site serves to browsers.

--check ends with 0 if the site serves what this repository holds, with 1 and a sentence for each difference, and with 2
if nothing could be compared.
"""

import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from privacy.errors import InputError
from surveys.domain.page import bundle, visit


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check",
            nargs="+",
            metavar="ADDRESS",
            help="addresses of sites, or of surveys on them (with #v=… their questionnaire too), to compare",
        )
        parser.add_argument(
            "--from",
            nargs="+",
            default=[],
            dest="sources",
            metavar="ADDRESS",
            help="addresses of this machine to ask from, one after the other",
        )
        parser.add_argument(
            "--release", action="store_true", help="write the manifest of this version to docs/releases"
        )

    def handle(
        self,
        *_args: Any,
        check: list[str] | None = None,
        sources: list[str] | None = None,
        release: bool = False,
        **_options: Any,
    ) -> None:
        if check:
            self._check(check, sources or [])
        elif release:
            self._write_release()
        else:
            self.stdout.write(bundle.manifest(), ending="")

    def _write_release(self) -> None:
        """Write the manifest, and beside it the hashes of all manifests, as `sha256sum` writes them."""
        folder = Path(settings.BASE_DIR) / "docs" / "releases"
        project = tomllib.loads((Path(settings.BASE_DIR) / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        written = folder / f"{project['version']}.json"
        written.write_text(bundle.release(project["version"]), encoding="utf-8")
        hashes = {file.name: sha256(file.read_bytes()).hexdigest() for file in sorted(folder.glob("*.json"))}
        (folder / "SHA256SUMS").write_text("".join(f"{digest}  {name}\n" for name, digest in hashes.items()))
        self.stdout.write(f"docs/releases/{written.name} has the hash {hashes[written.name]}.")

    def _check(self, addresses: list[str], sources: list[str]) -> None:
        wrong = []
        for address in addresses:
            try:
                seen = visit.visit_site(address, sources)
            except (InputError, visit.UnreachableError) as error:
                raise CommandError(str(error), returncode=2) from None
            if seen.silent:
                self.stderr.write(f"Nobody answered at {', '.join(seen.silent)}, which was not checked.")
            if seen.differences:
                wrong += [f"{address} does not serve what this repository holds:", *seen.differences]
            else:
                self.stdout.write(
                    f"{address} serves the {len(bundle.files())} files of this repository, byte for byte, with their "
                    f"headers and no others, in {seen.visits} visits as browsers make them, "
                    f"at {', '.join(seen.addresses)}."
                )
        if wrong:
            raise CommandError("\n".join(wrong))
