"""The frame of a drawing of one size: `<svg>` with a title for who does not see it."""

import hashlib
from collections.abc import Iterable
from html import escape

from privacy.draw.labels import SIZE


def svg(
    name: str,
    title: str,
    width: float,
    height: float,
    parts: Iterable[str],
    *,
    size: str = "",
    description: str = "",
) -> str:
    """Put the parts of a drawing into their frame; `size` is that on the page, if it is another than its own.

    `description`: what somebody is told who does not see it.
    """
    size = size or f'width="{width}" height="{height}"'
    described = [f'<desc id="{name}d">{escape(description)}</desc>'] if description else []
    return "\n".join(
        [
            f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {size} role="img"'
            f' aria-labelledby="{name}{f" {name}d" if description else ""}" font-size="{SIZE}" fill="currentColor">',
            f'<title id="{name}">{escape(title)}</title>',
            *described,
            *parts,
            "</svg>",
        ]
    )


def named(letter: str, *shown: object) -> str:
    """An identifier that no other drawing on the page has, unless it shows the same."""
    return letter + hashlib.sha256(repr(shown).encode()).hexdigest()[:8]
