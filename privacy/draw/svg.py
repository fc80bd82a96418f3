"""The frame of a drawing of one size: `<svg>` with a title for who does not see it."""

import hashlib
from collections.abc import Iterable
from html import escape

from privacy.draw.labels import SIZE

NAME = "\0"
"""Stands in the parts of a drawing for its identifier, which nothing else on the page has but the same drawing."""


def svg(
    letter: str, title: str, width: float, height: float, parts: Iterable[str], *, size: str = "", description: str = ""
) -> str:
    """Put the parts of a drawing into their frame; `size` is that on the page, if it is another than its own.

    `description`: the text for people who do not see it. The identifier begins with a letter and goes by what is
    drawn: the last bit of a figure, which differs from one processor to the next, changes nothing in it.
    """
    size = size or f'width="{width}" height="{height}"'
    described = [f'<desc id="{NAME}d">{escape(description)}</desc>'] if description else []
    drawn = "\n".join(
        [
            f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {size} role="img"'
            f' aria-labelledby="{NAME}{f" {NAME}d" if description else ""}" font-size="{SIZE}" fill="currentColor">',
            f'<title id="{NAME}">{escape(title)}</title>',
            *described,
            *parts,
            "</svg>",
        ]
    )
    return drawn.replace(NAME, letter + hashlib.sha256(drawn.encode()).hexdigest()[:8])


def text_with_title(whole: str, text: str) -> str:
    """The inside of a `<text>`; the full text of a cut one appears on hover.

    >>> text_with_title("a long name", "a…name")
    'a…name<title>a long name</title>'
    """
    return escape(text) if text == whole else f"{escape(text)}<title>{escape(whole)}</title>"


def num(value: float, digits: int = 1) -> str:
    """A coordinate or length as text, with `digits` decimals at most, the same on every processor.

    What is half in exact arithmetic may be a last bit less or more in floats. It is half again before it is rounded.

    >>> num(2.25), num(2.25 - 4e-16), num(2.25 + 4e-16), num(3), num(-0.01)
    ('2.2', '2.2', '2.2', '3', '0')
    """
    written = f"{round(value, 9):.{digits}f}"
    written = written.rstrip("0").rstrip(".") if "." in written else written
    return "0" if written == "-0" else written
