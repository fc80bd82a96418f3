"""The looks of a survey: the logo of who asks, and a colour with one shade for light pages and one for dark ones.

in a document      "looks": {"logo": "", "words": TEXT, "accent": ""}        a file, what it shows, and a colour
in a definition    "looks": {"logo"?: {"file": NAME, "words": TEXT}, "accent"?: {"light": "#17635c", "dark": "#7cc9bd"}}

NAME is the hash of a file, and its type (surveys.media).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from privacy.errors import EntryError, InputError
from surveys.features.feature import Around, Feature, Named, Source
from surveys.features.looks.shades import check_shades
from surveys.media import check_words, is_name, is_picture


def _check(around: Around) -> None:
    """Refuse looks without a logo that is a picture with words, or an accent that everybody can read."""
    looks = around.source["looks"]
    if not isinstance(looks, dict) or not looks or not set(looks) <= {"logo", "accent"}:
        raise InputError("looks has a logo, an accent, or both.")
    if "logo" in looks:
        logo = looks["logo"]
        if not isinstance(logo, dict) or set(logo) != {"file", "words"} or not is_name(logo["file"]):
            raise InputError('the logo holds a "file" and its "words".')
        if not is_picture(logo["file"]):
            raise EntryError("a logo is a picture.", at="logo")
        check_words(logo["words"], around.source["languages"], "logo")
    if "accent" in looks:
        check_shades(looks["accent"])


def _says(source: Source, _named: Named) -> Iterator[str]:
    looks = source["looks"]
    own = [_("a logo")] if "logo" in looks else []
    own += [_("the colour %(color)s") % {"color": looks["accent"]["light"]}] if "accent" in looks else []
    yield _("The first page has the survey's own looks: %(looks)s.") % {"looks": _(", ").join(own)}


def _files(source: Source) -> set[str]:
    logo = source.get("looks", {}).get("logo")
    return {logo["file"]} if logo else set()


def _pictures(document: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    if document["looks"]["logo"]:
        yield "logo", _("what the logo shows"), document["looks"]


LOOKS = Feature(
    "looks",
    {"looks": {"logo": "", "words": {}, "accent": ""}},
    _check,
    _says,
    files=_files,
    pictures=_pictures,
    parts=("draft", "changes", "staff"),
)
