"""The looks of a survey: the logo of who asks, and a colour with one shade for light pages and one for dark ones.

in a document      "looks": {"logo": "", "words": TEXT, "accent": ""}        a file, what it shows, and a colour
in a definition    "looks": {"logo"?: {"file": NAME, "words": TEXT}, "accent"?: {"light": "#17635c", "dark": "#7cc9bd"}}

NAME is the hash of a file, and its type (surveys.media).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from privacy.errors import EntryError, InputError
from surveys.features.feature import Around, Feature, Named, Source
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


def files_of_looks(source: Source) -> set[str]:
    logo = source.get("looks", {}).get("logo")
    return {logo["file"]} if logo else set()


def pictures(document: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The logo of a document: its place, its name for people, and what holds its "words"."""
    if document["looks"]["logo"]:
        yield "logo", _("what the logo shows"), document["looks"]


LOOKS = Feature(
    "looks",
    {"looks": {"logo": "", "words": {}, "accent": ""}},
    _check,
    _says,
    parts=("draft", "staff"),
)


LEAST = 4.5
# What the colour stands on, or is behind, in surveys/client/style.css: page, card and what is chosen.
LIGHT = ("#fbfaf7", "#ffffff", "#e4f0ed")
DARK = ("#131817", "#1b2220", "#1c3330")
_COLOR = re.compile(r"#[0-9a-f]{6}")
_STEPS = 40  # from the colour to white, or to black


def shades(color: str) -> dict[str, str]:
    """A shade of the colour for light pages and one for dark ones: the nearest that can be read there."""
    check_color(color)
    return {"light": _nearest_readable(color, LIGHT, 0), "dark": _nearest_readable(color, DARK, 255)}


def check_color(color: Any, at: str = "accent") -> None:
    if not isinstance(color, str) or not _COLOR.fullmatch(color):
        raise EntryError(
            "“{color}” is no colour: # and six of 0-9 and a-f, such as #17635c.", at=at, color=str(color)[:20]
        )


def check_shades(accent: Any) -> None:
    """Refuse shades that some people could not read."""
    if not isinstance(accent, dict) or set(accent) != {"light", "dark"}:
        raise InputError("the accent has a light shade and a dark one.")
    for name, grounds in (("light", LIGHT), ("dark", DARK)):
        check_color(accent[name])
        if not _is_readable(accent[name], grounds):
            raise InputError(f"the accent {accent[name]} has a contrast below {LEAST} on a {name} page.")


def _nearest_readable(color: str, grounds: tuple[str, ...], end: int) -> str:
    """The nearest colour on the way to black (0) or white (255) that can be read on all these grounds."""
    return next(shade for step in range(_STEPS + 1) if _is_readable(shade := _mix(color, end, step), grounds))


def _mix(color: str, end: int, step: int) -> str:
    """The colour so many steps on the way to black (`end` 0) or white (255)."""
    parts = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{(part * (_STEPS - step) + end * step) // _STEPS:02x}" for part in parts)


def _is_readable(color: str, grounds: tuple[str, ...]) -> bool:
    return all(contrast(color, ground) >= LEAST for ground in grounds)


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted(map(_luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: str) -> float:
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
