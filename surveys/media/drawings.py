"""SVG files that draw, and do nothing else: no scripts, no other files, no words of the program that made them."""

import re
from math import isfinite
from xml.etree import ElementTree

from privacy.errors import EntryError

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}"
_XML = "{http://www.w3.org/XML/1998/namespace}"
_OWN = (f"{_XML}space", f"{_XML}lang", f"{_LINK}href")  # other attributes with a prefix are a program's own
_LEFT_OUT = (f"{_SVG}metadata",)
_DO_MORE = (f"{_SVG}script", f"{_SVG}foreignObject")
_ENTITY = re.compile(rb"<!ENTITY", re.IGNORECASE)
# A backslash hides a word of a style sheet, as in u\72l(…).
_OUTSIDE = re.compile(r"\\|//|@import|url\(\s*[\"']?(?!#)", re.IGNORECASE)
_MOST_USES = 20  # of a part of a drawing: each may hold others
_MOST_DEEP = 100  # parts within parts

ElementTree.register_namespace("", _SVG[1:-1])
ElementTree.register_namespace("xlink", _LINK[1:-1])


def is_drawing(body: bytes) -> bool:
    return b"<svg" in body or b":svg" in body


def plain_drawing(body: bytes) -> tuple[bytes, tuple[int, int]]:
    """The drawing written again, and its size."""
    drawing = None if _ENTITY.search(body) else ElementTree.fromstring(body)
    if drawing is None or drawing.tag != f"{_SVG}svg":
        raise _does_more()
    _clean(drawing)
    if sum(part.tag == f"{_SVG}use" for part in drawing.iter()) > _MOST_USES:
        raise EntryError("the drawing uses its parts more than {most} times: simplify it.", at="file", most=_MOST_USES)
    return ElementTree.tostring(drawing, encoding="utf-8"), _size(drawing)


def _does_more() -> EntryError:
    return EntryError("the drawing has a script, an entity or another file in it: export it as a plain SVG.", at="file")


def _clean(part: ElementTree.Element, deep: int = 0) -> None:
    """Take away what a program wrote for itself; EntryError if the part does more than draw."""
    if part.tag in _DO_MORE or deep > _MOST_DEEP:
        raise _does_more()
    for name, value in [*part.attrib.items()]:
        if name.startswith("{") and name not in _OWN:
            del part.attrib[name]
        elif (
            name.lower().startswith("on")
            or (name.endswith("href") and not value.startswith("#"))
            or (name == "attributeName" and value.endswith("href"))
            or _OUTSIDE.search(value)
        ):
            raise _does_more()
    if part.tag == f"{_SVG}style" and _OUTSIDE.search("".join(part.itertext())):
        raise _does_more()
    for inner in [*part]:
        if inner.tag.startswith(_SVG) and inner.tag not in _LEFT_OUT:
            _clean(inner, deep + 1)
        else:
            part.remove(inner)


def _size(drawing: ElementTree.Element) -> tuple[int, int]:
    box = drawing.get("viewBox", "").replace(",", " ").split()[2:]
    sides = [float(side) for side in box or (drawing.get(name, "").removesuffix("px") for name in ("width", "height"))]
    if len(sides) != 2 or not all(isfinite(side) and side > 0 for side in sides):
        raise ValueError
    return max(1, round(sides[0])), max(1, round(sides[1]))
