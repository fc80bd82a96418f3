"""SVG files that draw, and do nothing else: no scripts, no other files, no words of the program that made them."""

import re
from math import isfinite
from xml.etree import ElementTree

from privacy.errors import EntryError
from surveys.media.pictures import MOST_PIXELS

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}"
_XML = "{http://www.w3.org/XML/1998/namespace}"
_OWN = (f"{_XML}space", f"{_XML}lang", f"{_LINK}href")  # other attributes with a prefix are a program's own
_SAY = {f"{_SVG}{name}" for name in ("text", "tspan", "textPath", "style")}
_DRAW = _SAY | {
    f"{_SVG}{name}"
    for name in (
        *("svg", "g", "a", "defs", "symbol", "use", "switch", "path", "rect", "circle", "ellipse", "line", "polyline"),
        *("polygon", "linearGradient", "radialGradient", "stop", "pattern", "clipPath", "mask", "marker", "filter"),
    )
}
_DO_MORE = {f"{_SVG}{name}" for name in ("script", "foreignObject", "image", "set", "animate")}
_OUTSIDE = re.compile(r"\\|//|image-set\(|image\(|src\(|url\(\s*+(?![\"']?#)", re.IGNORECASE)
_NOTES = re.compile(r"/\*.*?\*/", re.DOTALL)
_LENGTH = re.compile(r"\s*([0-9.]+(?:e[0-9]+)?)\s*(px|mm|cm|in|pt|pc)?\s*", re.IGNORECASE)
_UNITS = {"px": 1.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "pt": 96 / 72, "pc": 16.0}
_MOST_USES = 20  # of a part of a drawing: each may hold others
_MOST_DEEP = 100  # parts within parts


def is_drawing(body: bytes) -> bool:
    return b"<svg" in body or b":svg" in body


def plain_drawing(body: bytes) -> tuple[bytes, tuple[int, int]]:
    """The SVG with nothing in it but what draws, and its size in pixels; EntryError if it does more."""
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        drawing = fromstring(body)
    except DefusedXmlException:
        raise _does_more() from None
    if drawing.tag != f"{_SVG}svg":
        raise _does_more()
    _clean(drawing)
    if sum(part.tag == f"{_SVG}use" for part in drawing.iter()) > _MOST_USES:
        raise EntryError("the drawing uses its parts more than {most} times: simplify it.", at="file", most=_MOST_USES)
    ElementTree.register_namespace("", _SVG[1:-1])  # other libraries have prefixes of their own
    ElementTree.register_namespace("xlink", _LINK[1:-1])
    return ElementTree.tostring(drawing, encoding="utf-8"), _size(drawing)


def _does_more() -> EntryError:
    return EntryError("the drawing has a script, an entity or another file in it: export it as a plain SVG.", at="file")


def _clean(part: ElementTree.Element, deep: int = 0) -> None:
    """Remove from the part, and from all in it, what does not draw; EntryError if something does more."""
    if deep > _MOST_DEEP:
        raise _does_more()
    for name, value in [*part.attrib.items()]:
        if (name.startswith("{") and name not in _OWN) or name.startswith("data-") or name == "content":
            del part.attrib[name]
        elif (
            name.lower().startswith("on")
            or (name.endswith("href") and not value.startswith("#"))
            or _OUTSIDE.search(value)
        ):
            raise _does_more()
    if part.tag == f"{_SVG}style":
        part.text = _NOTES.sub("", part.text or "")
        if len(part) or "@" in part.text or _OUTSIDE.search(part.text):
            raise _does_more()
    if any(inner.tag in _DO_MORE for inner in part):
        raise _does_more()
    part[:] = [inner for inner in part if inner.tag in _DRAW or inner.tag.startswith(f"{_SVG}fe")]
    for inner in part:
        _clean(inner, deep + 1)
    if part.tag not in _SAY:
        part.text = None
        for inner in part:
            inner.tail = None


def _size(drawing: ElementTree.Element) -> tuple[int, int]:
    """The width and height that the drawing asks for in pixels, or else of its viewBox; at most what pages can use."""
    sides = [_length(drawing.get(name, "")) for name in ("width", "height")]
    if not all(sides):
        sides = [float(side) for side in drawing.get("viewBox", "").replace(",", " ").split()[2:]]
    if len(sides) != 2 or not all(isfinite(side) and side > 0 for side in sides):
        raise ValueError
    scale = min(1.0, MOST_PIXELS / max(sides))
    width, height = (max(1, round(scale * side)) for side in sides)
    return width, height


def _length(text: str) -> float:
    """A length in pixels; 0 where the text has none in known units, such as a share of the page."""
    found = _LENGTH.fullmatch(text)
    return float(found[1]) * _UNITS[(found[2] or "px").lower()] if found else 0.0
