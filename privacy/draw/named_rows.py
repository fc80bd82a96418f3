"""Pictures that several results share: a row for each name, with what is known of it.

>>> differences("Direct less disguised", ["drugs"], [0.1], [(-0.1, 0.3)])[:4]
'<svg'
>>> differences("Direct less disguised", [], [], [])
''
"""

from collections.abc import Sequence

from privacy.draw.chart import Axis, Mark, Points, chart

MOST_ROWS = 40
_NAME = 200  # the width of a name


def rows(
    title: str,
    names: Sequence[str],
    series: Sequence[Points],
    across: Axis,
    description: str = "",
    marks: Sequence[Mark] = (),
) -> str:
    """Draw a row per name; y of a point is the place of its name. Nothing is drawn where there are no names."""
    if not names:
        return ""
    down = Axis(names=tuple(names), widest=_NAME)
    height = 110 + 24 * len(names) + (16 if marks else 0)  # the words of a mark stand above the rows
    return chart(title, series, across, down, description=description, marks=marks, height=height)


def supports(
    title: str, names: Sequence[str], estimates: Sequence[float], intervals: Sequence[tuple[float, float]]
) -> str:
    """Draw a row per share: the estimate with its interval."""
    left, right = ([interval[end] for interval in intervals] for end in (0, 1))
    places = range(len(names))
    series = [Points("", estimates, places, left=left, right=right, labels=names)]
    return rows(title, names, series, Axis("share", percent=True))


def differences(
    title: str, names: Sequence[str], estimates: Sequence[float], intervals: Sequence[tuple[float, float]]
) -> str:
    """Draw a row for each difference of two shares with its interval, against none."""
    left, right = ([interval[end] for interval in intervals] for end in (0, 1))
    said = [
        f"{name}: {estimate:.6g}, from {low:.6g} to {high:.6g}"
        for name, estimate, low, high in zip(names, estimates, left, right, strict=True)
    ]
    points = Points("", estimates, range(len(names)), left=left, right=right, labels=said)
    across = Axis("difference of the shares", percent=True)
    return rows(title, names, [points], across, marks=[Mark("no difference", x=0)])
