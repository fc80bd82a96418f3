"""Pictures and sounds of a survey: which files it takes, and how their bytes name them.

A name is the SHA-256 of the bytes, of a picture its size in pixels, too, and an ending that says the type, such as
`3b1f…-640x480.png`. Who knows the name can refuse any other bytes, and keep the picture's place free until it is here.
"""

import json
import re
import struct
from collections.abc import Sequence
from hashlib import sha256
from math import isfinite
from typing import Any
from xml.etree import ElementTree

from privacy.errors import EntryError, InputError

CONTENT_TYPES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "svg": "image/svg+xml",
    "mp3": "audio/mpeg",
    "m4a": "audio/mp4",
}
LARGEST_PICTURE, LARGEST_SOUND = 500_000, 1_000_000  # bytes
MOST_PIXELS = 4000  # on a side
_NAME = re.compile(r"[0-9a-f]{64}(-[1-9]\d{0,3}x[1-9]\d{0,3}\.(png|jpg|svg)|\.(mp3|m4a))", re.ASCII)
# What cameras and programs write into their files.
_CAMERA = (
    *(b"Exif\0\0", b"eXIf", b"http://ns.adobe.com/xap/", b"XML:com.adobe.xmp", b"Raw profile type"),
    *(b"Photoshop 3.0", b"\xa9xyz"),
)
_SVG = "{http://www.w3.org/2000/svg}"
_OUTSIDE = re.compile(r"<!(DOCTYPE|ENTITY)|<\?(?!xml\s)|@import|url\(\s*[\"']?(?!#)", re.IGNORECASE)
_ENCODING = re.compile(r"<\?xml[^>]*encoding=[\"'](?!utf-8[\"'])", re.IGNORECASE)
_MOST_USES = 20  # of a part of a drawing: each may hold others


def is_name(name: Any) -> bool:
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


def is_picture(name: str) -> bool:
    return "x" in name


def content_type(name: str) -> str:
    return CONTENT_TYPES[name.rpartition(".")[2]]


def names_in(document: Any) -> set[str]:
    """The files that a draft's document or a definition names."""
    return {found.group() for found in _NAME.finditer(json.dumps(document))}


def name_of(body: bytes) -> str:
    """The name of a file; EntryError says why no survey takes it."""
    digest = sha256(body).hexdigest()
    if any(mark in body for mark in _CAMERA):
        raise EntryError(
            "the file has what a camera or a program wrote into it, perhaps where it was made: export it without.",
            at="file",
        )
    if sound := _sound(body):
        _check_size(body, LARGEST_SOUND)
        return f"{digest}.{sound}"
    _check_size(body, LARGEST_PICTURE)
    ending, (width, height) = _picture(body)
    if not (0 < width <= MOST_PIXELS and 0 < height <= MOST_PIXELS):
        raise EntryError(
            "the picture has {width} × {height} pixels; each side has 1 to {most}.",
            at="file",
            width=width,
            height=height,
            most=MOST_PIXELS,
        )
    return f"{digest}-{width}x{height}.{ending}"


def _check_size(body: bytes, most: int) -> None:
    if len(body) > most:
        raise EntryError(
            "the file has {size} kB, more than {most}: everybody loads it, also on a slow line.",
            at="file",
            size=-(-len(body) // 1000),
            most=most // 1000,
        )


def _sound(body: bytes) -> str:
    """The ending of a sound; empty of anything else."""
    if body.startswith(b"ID3") or (body[:1] == b"\xff" and body[1:2] and body[1] & 0xE6 == 0xE2):
        return "mp3"
    return "m4a" if body[4:11] in (b"ftypM4A", b"ftypM4B") else ""


def _picture(body: bytes) -> tuple[str, tuple[int, int]]:
    """The ending and the size of a picture."""
    try:
        if body.startswith(b"\x89PNG\r\n\x1a\n"):
            return "png", struct.unpack(">II", body[16:24])
        if body.startswith(b"\xff\xd8"):
            return "jpg", _size_of_jpeg(body)
        if b"<svg" in body:
            return "svg", _size_of_drawing(body)
    except EntryError:
        raise
    except (struct.error, ElementTree.ParseError, ValueError):
        raise EntryError("the file is damaged, or not what it begins as.", at="file") from None
    raise EntryError("this is no PNG, JPEG, SVG, MP3 or M4A file.", at="file")


def _size_of_jpeg(body: bytes) -> tuple[int, int]:
    """The size stands in the frame's header: https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.2."""
    at = 2
    while True:
        marker, length = struct.unpack(">HH", body[at : at + 4])
        if 0xFFC0 <= marker <= 0xFFCF and marker not in (0xFFC4, 0xFFC8, 0xFFCC):
            height, width = struct.unpack(">HH", body[at + 5 : at + 9])
            return width, height
        if marker < 0xFF00 or length < 2:
            raise ValueError
        at += 2 + length


def _size_of_drawing(body: bytes) -> tuple[int, int]:
    """A drawing that draws, and does nothing else: no scripts, no other files, no entities that grow."""
    text = body.decode()
    drawing = None if _OUTSIDE.search(text) or _ENCODING.search(text) else ElementTree.fromstring(text)
    parts = [] if drawing is None else list(drawing.iter())
    does_more = (
        not part.tag.startswith(_SVG)
        or part.tag in (f"{_SVG}script", f"{_SVG}foreignObject")
        or any(
            name.lower().startswith("on")
            or (name.endswith("href") and not value.startswith("#"))
            or (name == "attributeName" and value.endswith("href"))
            for name, value in part.attrib.items()
        )
        for part in parts
    )
    if sum(part.tag == f"{_SVG}use" for part in parts) > _MOST_USES:
        raise EntryError("the drawing uses its parts more than {most} times: simplify it.", at="file", most=_MOST_USES)
    if drawing is None or drawing.tag != f"{_SVG}svg" or any(does_more):
        raise EntryError(
            "the drawing has a script, an entity or another file in it: export it as a plain SVG.", at="file"
        )
    box = drawing.get("viewBox", "").replace(",", " ").split()[2:]
    sides = [float(side) for side in box or (drawing.get(name, "").removesuffix("px") for name in ("width", "height"))]
    if len(sides) != 2 or not all(map(isfinite, sides)):
        raise ValueError
    return max(1, round(sides[0])), max(1, round(sides[1]))


def check_media(media: Any, languages: Sequence[str], at: str) -> None:
    """Refuse what is no picture and no sound of a published question with its words, in every language."""
    if not isinstance(media, dict) or set(media) != {"file", "words"} or not isinstance(media["file"], dict):
        raise InputError(f'{at} holds a "file" for languages, and its "words".')
    if not set(media["file"]) <= set(languages) or not all(map(is_name, media["file"].values())):
        raise InputError(f"{at} names files, for languages of the survey alone.")
    if languages and languages[0] not in media["file"]:
        raise EntryError("the main language needs a file: the others may do with it.", at=at)
    check_words(media["words"], languages, at)


def check_words(words: Any, languages: Sequence[str], at: str) -> None:
    if not isinstance(words, dict) or not all(isinstance(text, str) for text in words.values()):
        raise InputError(f"{at}: give words for each language.")
    if not all(words.get(tag) for tag in languages):
        raise EntryError(
            "say in words, in every language, what the picture shows or the sound says: not everybody can see or hear.",
            at=at,
        )
