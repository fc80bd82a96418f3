"""SVG files that draw, and do nothing else: no scripts, no other files, no words of the program that made them."""

import re
from collections.abc import Iterator
from itertools import count
from math import isfinite
from xml.etree import ElementTree

from privacy.errors import EntryError
from surveys.media.recordings import MOST_PIXELS

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
_REFERENCE = re.compile(r"(url\(\s*[\"']?#)([^\"'\s)]+)", re.IGNORECASE)
_RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
_SIMPLE = re.compile(r"[\w\s.#,>+~*-]*")  # a selector of names alone
_NUMBER = re.compile(r"[0-9]+")
_USED = {f"{_SVG}{name}" for name in ("defs", "symbol", "pattern", "clipPath", "mask", "marker", "filter")}
_ON_POINTS = ("marker", "--")  # a name of a style sheet's own may stand for a marker
_PASSED_ON = ("fill", "stroke", *_ON_POINTS)  # to all parts inside
_MOST_DEEP = 100  # parts within parts
_MOST_DRAWN = 20_000  # parts, each as often as it is drawn; drawings for a page have some thousands
_MOST_LINKS = 10  # parts that are drawn by parts that are drawn by …
_FILTER = 100  # a step of a filter works on every pixel
_POINTS = 50  # numbers of a line, or letters, that count as one part more


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
    _check_drawn(drawing)
    _rename(drawing)
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
        if (name.startswith("{") and name not in _OWN) or name.startswith(("data-", "aria-")) or name == "content":
            del part.attrib[name]
        elif (
            name.lower().startswith("on")
            or (name.endswith("href") and not value.startswith("#"))
            or _OUTSIDE.search(value)
        ):
            raise _does_more()
    if "style" in part.attrib:
        part.set("style", _NOTES.sub("", part.get("style", "")))
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


def _check_drawn(drawing: ElementTree.Element) -> None:
    """EntryError where few parts are drawn so often that a browser would stand still: markers on each point, uses."""
    named = {part.get("id"): part for part in drawing.iter() if part.get("id")}
    rules = [
        ({*re.findall(r"[#.]?[\w-]+|\*", selectors)} if _SIMPLE.fullmatch(selectors) else {"*"}, body)
        for part in drawing.iter(f"{_SVG}style")
        for selectors, body in _RULE.findall(part.text or "")
    ]
    visits = count()

    def cost(part: ElementTree.Element, passed_on: frozenset[tuple[str, str]], inside: frozenset[str]) -> int:
        if next(visits) > _MOST_DRAWN or len(inside) > _MOST_LINKS:
            raise _draws_too_much()
        drawn = _FILTER if part.tag.startswith(f"{_SVG}fe") else 1
        drawn += (_points(part) + len(part.text or "")) // _POINTS
        declared = passed_on.union(_references(part, rules))  # all of them: which one counts is the browser's to say
        for name, target in declared:
            if target in named and target not in inside:
                times = _points(part) if name.startswith(_ON_POINTS) else 1
                drawn += times * cost(named[target], frozenset(), inside | {target})
        to_all = frozenset((name, target) for name, target in declared if name.startswith(_PASSED_ON))
        drawn += sum(cost(inner, to_all, inside) for inner in part if inner.tag not in _USED)
        if drawn > _MOST_DRAWN:
            raise _draws_too_much()
        return drawn

    cost(drawing, frozenset(), frozenset())


def _references(part: ElementTree.Element, rules: list[tuple[set[str], str]]) -> Iterator[tuple[str, str]]:
    """What is drawn for a part, by each attribute and by each rule of a style sheet that may be about it."""
    for name, value in part.items():
        if name.endswith("href"):
            yield "href", value[1:]
        yield from ((name, found[2]) for found in _REFERENCE.finditer(value) if name != "style")
    named = {part.tag.removeprefix(_SVG), f"#{part.get('id')}", *(f".{name}" for name in part.get("class", "").split())}
    for body in [*(body for about, body in rules if about & (named | {"*"})), part.get("style", "")]:
        for declaration in body.split(";"):
            name, _, value = declaration.partition(":")
            yield from ((name.strip().lower(), found[2]) for found in _REFERENCE.finditer(value))


def _points(part: ElementTree.Element) -> int:
    """How many points of a line have a marker, at most."""
    return sum(len(_NUMBER.findall(part.get(name, ""))) for name in ("d", "points")) + 2


def _draws_too_much() -> EntryError:
    return EntryError(
        "the drawing draws more than {most} parts, each counted as often as it is drawn: simplify it.",
        at="file",
        most=_MOST_DRAWN,
    )


def _rename(drawing: ElementTree.Element) -> None:
    """Give parts and classes names without a meaning: those that a program or a person gave may say who they are."""
    names = [name for part in drawing.iter() for name in (part.get("id"), *part.get("class", "").split()) if name]
    new = {name: f"n{number}" for number, name in enumerate(dict.fromkeys(names))}

    def refer(text: str) -> str:
        return _REFERENCE.sub(lambda found: found[1] + new.get(found[2], "n"), text)

    def select(found: re.Match[str]) -> str:
        if "[" in found[1]:  # by an attribute, which may be a name
            return ""
        selectors = re.sub(r"([#.])([^\s#.,:>+~*\[]+)", lambda name: name[1] + new.get(name[2], "n"), found[1])
        return f"{selectors}{{{refer(found[2])}}}"

    for part in drawing.iter():
        for name, value in [*part.items()]:
            if name in ("id", "class"):
                part.set(name, " ".join(new[each] for each in value.split()))
            elif name.endswith("href"):
                part.set(name, "#" + new.get(value[1:], "n"))
            else:
                part.set(name, refer(value))
        if part.tag == f"{_SVG}style":
            part.text = "".join(map(select, _RULE.finditer(part.text or "")))


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
