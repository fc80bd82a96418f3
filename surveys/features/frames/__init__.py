"""Pages of other sites that may hold the survey in a frame.

"frames": ["https://example.edu", …]      their origins, as browsers write them; in a document and in a definition
"""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from privacy.errors import EntryError
from surveys.features.feature import Around, Feature, Named, Source
from surveys.origins import ORIGIN

MOST = 10


def sites(source: Source) -> tuple[str, ...]:
    """The origins whose pages may hold the survey in a frame."""
    return tuple(source.get("frames", ()))


def check_origins(origins: Any) -> None:
    """Refuse anything but a few different origins, each written as browsers write it."""
    if not isinstance(origins, list) or not 0 < len(origins) <= MOST:
        raise EntryError("at most {most} sites may hold the survey in their pages.", at="frames", most=MOST)
    for origin in origins:
        if not isinstance(origin, str) or len(origin) > 200 or not ORIGIN.fullmatch(origin):
            raise EntryError(
                "“{site}” is no site: https:// and its name, in small letters, such as https://www.example.edu.",
                at="frames",
                site=str(origin)[:60],
            )
    if len(set(origins)) < len(origins):
        raise EntryError("name each site once.", at="frames")


def _check(around: Around) -> None:
    check_origins(around.source["frames"])


def _says(source: Source, _named: Named) -> Iterator[str]:
    yield _("Pages of these sites may hold the survey in a frame, and learn no answer: %(sites)s.") % {
        "sites": _(", ").join(source["frames"])
    }


FRAMES = Feature("frames", {"frames": []}, _check, _says, parts=("draft", "staff"))
