"""Small pictures and sounds, made byte by byte."""

import struct
import zlib

from surveys.domain.questionnaire.media import store
from surveys.media import plain_file
from surveys.models import Survey


def keep(survey: Survey, body: bytes) -> str:
    """Store what a survey keeps of a file, and return its name."""
    return store(survey, *plain_file(body))


def name_of(body: bytes) -> str:
    """The name that a survey gives the file."""
    return plain_file(body)[0]


def png(width: int = 3, height: int = 2, shade: int = 120, more: bytes = b"") -> bytes:
    """A picture of one grey."""
    rows = (b"\0" + bytes([shade]) * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + more + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND")


def chunk(kind: bytes, data: bytes = b"") -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def jpeg(width: int = 640, height: int = 480, more: bytes = b"") -> bytes:
    """The skeleton of a photograph: perhaps something more, then tables, the frame with its size, and two scans."""
    tables = segment(0xC4, bytes(3)) + segment(0xDB, bytes(2))
    frame = segment(0xC2, struct.pack(">BHHB", 8, height, width, 1) + b"\1\x11\0")
    scan = segment(0xDA, b"\1\1\0\0\x3f\0") + b"\x12\xff\0\x34\xff\xd0\x56"
    return b"\xff\xd8" + more + tables + frame + scan + tables + scan + b"\xff\xd9"


def segment(marker: int, data: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data


def exif(turned: int, order: str = ">") -> bytes:
    """What a camera writes: how it was held, and where."""
    head = (b"MM" if order == ">" else b"II") + struct.pack(f"{order}HIH", 42, 8, 2)
    entries = struct.pack(f"{order}HHIHHHHII", 0x0112, 3, 1, turned, 0, 0x8825, 4, 1, 38)
    return segment(0xE1, b"Exif\0\0" + head + entries + bytes(4) + b"52 31 12 N")


def svg(inside: str = '<circle r="4"/>', head: str = 'viewBox="0 0 120 40.4"') -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {head}>{inside}</svg>'.encode()


MP3 = b"\xff\xfb\x90\x64" + bytes(413)
