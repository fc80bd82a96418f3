"""What a build adds to the source archive and the wheel: their commit, and whole addresses in what an index shows.

hatchling calls both. The project's address stands in CITATION.cff, as `repository-code`; while it has none there,
links of the README stay what they are in a checkout.
"""

import re
import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)(\[[^\]]*\]\()(?!https?:|#|mailto:)([^)\s]+)\)")


class Commit(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """An archive that was unpacked has the file already; an editable installation asks its checkout."""
        find_commit = runpy.run_path(str(Path(self.root, "privacy", "version.py")))["find_commit"]
        kept = Path(self.root, "privacy", "commit.txt")
        commit = "" if version == "editable" or kept.exists() else find_commit(Path(self.root))
        self._made = bool(commit)
        if self._made:
            kept.write_text(f"{commit}\n")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self._made:
            Path(self.root, "privacy", "commit.txt").unlink()


class Description(MetadataHookInterface):
    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        if found := re.search(r"^repository-code: *(\S+)", Path(self.root, "CITATION.cff").read_text(), re.MULTILINE):
            address = found[1].rstrip("/")
            metadata["urls"] = {"Source": address, "Changes": f"{address}/blob/HEAD/CHANGELOG.md"}
            text = link_wholly(text, address)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def link_wholly(text: str, address: str) -> str:
    """Links of a checkout as links to its files at an address; pictures as what they show."""
    kinds = {"": "blob", "!": "raw"}
    return _LINK.sub(lambda link: f"{link[1]}{link[2]}{address}/{kinds[link[1]]}/HEAD/{link[3]})", text)
