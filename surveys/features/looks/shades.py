"""The colour of a survey, with one shade for light pages and one for dark ones.

Contrast is that of WCAG 2.2 (1.4.3): https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio.
"""

import re
from typing import Any

from privacy.errors import EntryError, InputError

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
