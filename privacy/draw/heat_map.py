"""Heat maps of a table of shares: the larger a share, the stronger its cell, and each cell has its figure written."""

from collections.abc import Sequence
from html import escape

from privacy.draw.chart import PALETTE
from privacy.draw.labels import SIZE, shorten_apart, text_width
from privacy.draw.svg import num, svg, text_with_title

_NAME = 130  # the width of a name
_LEAST, _MOST, _HIGH = 34, 72, 26  # the width of a cell, and its height
_STRONGEST = 0.75  # of a colour: the cell of the largest share, whose figure is read on it in light and in dark
_SOFT = 'fill-opacity=".72"'


def heat_map(
    title: str,
    down: tuple[str, Sequence[str]],
    across: tuple[str, Sequence[str]],
    shares: Sequence[Sequence[float]],
    *,
    description: str = "",
) -> str:
    """Draw one `<svg>` of a table of shares.

    `down`, `across`: what the rows and the columns are, and the name of each. `shares`: the rows, each from 0 to 1.
    `description`: the text for people who do not see it.

    >>> picture = heat_map("Warner", ("true", ["0", "1"]), ("stored", ["0", "1"]), [[0.7, 0.3], [0.3, 0.7]])
    >>> picture.count("<rect"), "70" in picture
    (4, True)
    """
    rows, columns = (shorten_apart(names, _NAME) for _, names in (down, across))
    left = max(map(text_width, [*rows, down[0]])) + 12
    widest = max(map(text_width, columns)) + 10
    upright = widest > _MOST  # names that no cell has room for stand on end
    cell = _LEAST if upright else max(_LEAST, widest)
    top = 58 + (widest if upright else 18)
    right = left + cell * len(columns)
    width, height = max(right + 8, text_width(title) * 15 / SIZE), top + _HIGH * len(rows) + 8
    most = max(max(row) for row in shares) or 1.0
    out = [
        f'<text x="0" y="16" font-size="15" font-weight="600">{escape(title)}</text>',
        f'<text x="{num(left)}" y="42">{escape(across[0])}</text>',
        f'<text x="{num(left - 8)}" y="{num(top - 9)}" text-anchor="end">{escape(down[0])}</text>',
    ]
    for column, name in enumerate(columns):
        x = left + cell * (column + 0.5)
        turned = f' transform="rotate(-90 {num(x + 4)} {num(top - 8)})"' if upright else ""
        where = f'x="{num(x + 4)}" y="{num(top - 8)}"' if upright else f'x="{num(x)}" y="{num(top - 9)}"'
        anchor = "start" if upright else "middle"
        out.append(
            f'<text {where} text-anchor="{anchor}" {_SOFT}{turned}>{text_with_title(across[1][column], name)}</text>'
        )
    for row, name in enumerate(rows):
        y = top + _HIGH * row
        inside = text_with_title(down[1][row], name)
        out.append(f'<text x="{num(left - 8)}" y="{num(y + 18)}" text-anchor="end" {_SOFT}>{inside}</text>')
        for column, share in enumerate(shares[row]):
            x = left + cell * column
            said = f"{down[1][row]} → {across[1][column]}: {percent(share, 4)} %"
            out.append(
                f'<rect x="{num(x + 1)}" y="{num(y + 1)}" width="{num(cell - 2)}" height="{_HIGH - 2}" rx="2"'
                f' fill="{PALETTE[0]}" fill-opacity="{num(_STRONGEST * share / most, 3)}" stroke="currentColor"'
                f' stroke-opacity=".18"><title>{escape(said)}</title></rect>'
            )
            middle = f'x="{num(x + cell / 2)}" y="{num(y + 18)}" text-anchor="middle"'
            out.append(f'<text {middle} font-size="12" pointer-events="none">{escape(percent(share))}</text>')
    return svg("t", title, round(width), round(height), out, description=description)


def percent(share: float, digits: int = 3) -> str:
    """A share in percent; only exactly 0 is written as 0, and only exactly 1 as 100.

    >>> percent(0.12345), percent(0.0123), percent(0.00001), percent(0.99995), percent(1)
    ('12.3', '1.2', '<0.1', '>99.9', '100')
    """
    least = 10.0**-digits
    if 0 < share < least:
        return f"<{100 * least:.{digits}g}"
    if 1 - least / 2 <= share < 1:
        return f">{100 * (1 - least):.{digits}g}"
    return f"{100 * share:.{digits}g}" if share >= 0.1 else f"{100 * share:.{digits - 2}f}".rstrip("0").rstrip(".")
