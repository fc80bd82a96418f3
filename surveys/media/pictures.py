"""PNG and JPEG files without what cameras and programs write into them: only what draws the picture is kept.

PNG: https://www.w3.org/TR/png-3/, 5 and 11. JPEG: https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.1 and B.2; how a
photograph is turned stands in its Exif segment: https://www.cipa.jp/std/documents/e/DC-008-2012_E.pdf, 4.6.
"""

import re
import struct
from zlib import crc32

from privacy.errors import EntryError

Size = tuple[int, int]
MOST_PIXELS = 4000  # on a side
MOST_SCANS = 100  # of a JPEG, each of which draws all of it again; programs write ten or so

_PNG_BEGINS = b"\x89PNG\r\n\x1a\n"
_CHUNKS = (b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB")
_MARKER = re.compile(rb"\xff+([^\0\xff])", re.DOTALL)
_AFTER_SCAN = re.compile(rb"\xff[^\0\xff\xd0-\xd7]", re.DOTALL)
_FRAMES = {0xC0, 0xC1, 0xC2}  # what browsers show
_SCAN, _END, _EXIF = 0xDA, 0xD9, 0xE1
_SEGMENTS = _FRAMES | {0xC4, 0xDB, 0xDD, _SCAN}
# What says how colours are meant: the beginning of a segment, and of it so many bytes.
_COLORS = {0xE0: (b"JFIF\0", b"JFIF\0\1\1\0\0\1\0\1\0\0"), 0xEE: (b"Adobe", None)}
_ADOBE = 12
_TURNED = 0x0112  # the tag of the Exif segment


def is_png(body: bytes) -> bool:
    return body.startswith(_PNG_BEGINS)


def plain_png(body: bytes) -> tuple[bytes, Size]:
    """The PNG with nothing but its header, colours and pixels, and its size."""
    parts, kind, at = [_PNG_BEGINS], b"", len(_PNG_BEGINS)
    while kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", body, at)
        end = at + 12 + length * (kind != b"IEND")
        if crc32(body[at + 4 : end - 4]) != int.from_bytes(body[end - 4 : end]):
            raise ValueError
        if kind in _CHUNKS:
            parts.append(body[at:end])
        elif kind[:1].isupper():  # no picture without it
            raise ValueError
        at = end
    kind, width, height = struct.unpack_from(">4sII", parts[1], 4)
    if kind != b"IHDR" or not any(part[4:8] == b"IDAT" for part in parts):
        raise ValueError
    return b"".join(parts), (width, height)


def is_jpeg(body: bytes) -> bool:
    return body.startswith(b"\xff\xd8")


def plain_jpeg(body: bytes) -> tuple[bytes, Size]:
    """The JPEG with nothing but its tables, frames, scans and orientation, and the size that people see it in."""
    parts: list[bytes] = []
    turned, size, marker, at = 1, None, 0, 2
    while True:
        if not (found := _MARKER.match(body, at)):
            raise ValueError
        marker, at = found[1][0], found.end()
        if marker == _END:
            break
        end = at + int.from_bytes(body[at : at + 2])
        segment = body[at + 2 : end]
        if marker in _FRAMES:
            if size:
                raise ValueError
            size = struct.unpack_from(">HH", segment, 1)[::-1]
        if marker == _EXIF and segment.startswith(b"Exif\0\0"):
            turned = _orientation(segment[6:])
        if marker == _SCAN:
            if not (after := _AFTER_SCAN.search(body, end)):
                raise ValueError
            end = after.start()
        begins, plain = _COLORS.get(marker, (b"", None))
        if begins and segment.startswith(begins):
            parts.append(_segment(marker, plain or segment[:_ADOBE]))
        elif marker in _SEGMENTS:
            parts.append(bytes((0xFF, marker)) + body[at:end])
        at = end
    scans = sum(part[1] == _SCAN for part in parts)
    if scans > MOST_SCANS:
        raise EntryError(
            "the picture is drawn {scans} times over itself, more than {most}: save it again.",
            at="file",
            scans=scans,
            most=MOST_SCANS,
        )
    if size is None or not scans:
        raise ValueError
    width, height = size if turned < 5 else size[::-1]  # 5 to 8 lie on their side
    return b"".join((b"\xff\xd8", _exif(turned) if turned > 1 else b"", *parts, b"\xff\xd9")), (width, height)


def _orientation(tiff: bytes) -> int:
    """How an Exif segment says that the photograph is turned, 1 to 8; 1, not at all, where this cannot be read."""
    order = ">" if tiff.startswith(b"MM") else "<"
    try:
        (first,) = struct.unpack_from(f"{order}4xI", tiff)
        (count,) = struct.unpack_from(f"{order}H", tiff, first)
        for entry in range(count):
            tag, value = struct.unpack_from(f"{order}H6xH", tiff, first + 2 + 12 * entry)
            if tag == _TURNED and 1 <= value <= 8:
                return int(value)
    except struct.error:
        pass
    return 1


def _exif(turned: int) -> bytes:
    """An Exif segment that says nothing but how the photograph is turned."""
    tiff = struct.pack(">2sHIHHHIHHI", b"MM", 42, 8, 1, _TURNED, 3, 1, turned, 0, 0)
    return _segment(_EXIF, b"Exif\0\0" + tiff)


def _segment(marker: int, data: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, 2 + len(data)) + data
