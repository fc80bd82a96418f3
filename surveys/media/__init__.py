"""Pictures and sounds of a survey: which files it takes, what is kept of them, and how their bytes name them.

A name is the SHA-256 of the bytes, of a picture its size in pixels, too, and an ending that says the type, such as
`3b1f…-640x480.png`. Who knows the name can refuse any other bytes, and keep the picture's place free until it is here.
What a camera or a program wrote into a file, perhaps where it was made, is not kept.
"""

import json
import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from xml.etree.ElementTree import ParseError

from privacy.errors import EntryError, InputError
from surveys.media.drawings import is_drawing, plain_drawing
from surveys.media.recordings import MOST_PIXELS, Size, is_jpeg, is_mp3, is_png, plain_jpeg, plain_mp3, plain_png


@dataclass(frozen=True)
class Picture:
    """A format of pictures."""

    ending: str
    content_type: str
    fits: Callable[[bytes], bool]
    plain: Callable[[bytes], tuple[bytes, Size]]
    most = 500_000  # bytes
    size = r"-[1-9]\d{0,3}x[1-9]\d{0,3}"

    def keep(self, body: bytes) -> tuple[str, bytes]:
        """The end of the picture's name, with size and ending, and the bytes that are kept of it."""
        plain, (width, height) = self.plain(body)
        if not (0 < width <= MOST_PIXELS and 0 < height <= MOST_PIXELS):
            raise EntryError(
                "the picture has {width} × {height} pixels; each side has 1 to {most}.",
                at="file",
                width=width,
                height=height,
                most=MOST_PIXELS,
            )
        return f"-{width}x{height}.{self.ending}", plain


@dataclass(frozen=True)
class Sound:
    """A format of sounds."""

    ending: str
    content_type: str
    fits: Callable[[bytes], bool]
    plain: Callable[[bytes], bytes]
    most = 1_000_000  # bytes
    size = ""

    def keep(self, body: bytes) -> tuple[str, bytes]:
        return f".{self.ending}", self.plain(body)


FORMATS = (
    Picture("png", "image/png", is_png, plain_png),
    Picture("jpg", "image/jpeg", is_jpeg, plain_jpeg),
    Sound("mp3", "audio/mpeg", is_mp3, plain_mp3),
    Picture("svg", "image/svg+xml", is_drawing, plain_drawing),
)
CONTENT_TYPES = {each.ending: each.content_type for each in FORMATS} | {"m4a": "audio/mp4"}  # of surveys from before
_ENDS = "|".join([*(rf"{each.size}\.{each.ending}" for each in FORMATS), r"\.m4a"])
_NAME = re.compile(f"[0-9a-f]{{64}}({_ENDS})", re.ASCII)


def is_name(name: Any) -> bool:
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


def is_picture(name: str) -> bool:
    return "x" in name


def content_type(name: str) -> str:
    return CONTENT_TYPES[name.rpartition(".")[2]]


def names_in(document: Any) -> set[str]:
    """The names of the files that a draft's document or a definition uses."""
    return {found.group() for found in _NAME.finditer(json.dumps(document))}


def plain_file(body: bytes) -> tuple[str, bytes]:
    """The name of a file's kept bytes, and these bytes; EntryError says why no survey takes the file."""
    found = next((each for each in FORMATS if each.fits(body)), None)
    if found is None:
        raise EntryError("this is no PNG, JPEG, SVG or MP3 file.", at="file")
    try:
        name, plain = found.keep(body)
    except EntryError:
        raise
    except (struct.error, ParseError, ValueError, LookupError):
        raise EntryError("the file is damaged, or not what it begins as.", at="file") from None
    if len(plain) > found.most:
        raise EntryError(
            "the file has {size} kB, more than {most}: everybody loads it, also on a slow line.",
            at="file",
            size=-(-len(plain) // 1000),
            most=found.most // 1000,
        )
    return sha256(plain).hexdigest() + name, plain


def check_words(words: Any, languages: Sequence[str], at: str) -> None:
    if not isinstance(words, dict) or not all(isinstance(text, str) for text in words.values()):
        raise InputError(f"{at}: give words for each language.")
    if not all(words.get(tag) for tag in languages):
        raise EntryError(
            "say in words, in every language, what the picture shows or the sound says: not everybody can see or hear.",
            at=at,
        )
