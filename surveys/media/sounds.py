"""MP3 and M4A files without titles, names, places and times of recording.

ID3: https://id3.org/id3v2.4.0-structure, 3. The boxes of M4A: ISO/IEC 14496-12, 4.2 and 8.2.
"""

import struct
from collections.abc import Iterator

_TIMES = {b"mvhd", b"tkhd", b"mdhd"}  # begin with when the sound was made, and changed
_BOXES = {
    b"": {b"ftyp", b"moov", b"mdat", b"moof"},
    b"moof": {b"mfhd", b"traf"},
    b"moov": {b"mvhd", b"mvex", b"trak"},
    b"trak": {b"tkhd", b"edts", b"mdia"},
    b"mdia": {b"mdhd", b"hdlr", b"minf"},
}


def is_mp3(body: bytes) -> bool:
    return body.startswith(b"ID3") or _is_frame(body)


def _is_frame(body: bytes) -> bool:
    """Whether it begins as a frame of layer III does: eleven bits that are set, a version, a layer."""
    return len(body) > 1 and body[0] == 0xFF and body[1] & 0xE6 == 0xE2


def plain_mp3(body: bytes) -> bytes:
    """The frames between the tags."""
    while body.startswith(b"ID3"):
        flags, *sizes = struct.unpack_from(">5xB4B", body)
        size = sum(part << shift for part, shift in zip(sizes, (21, 14, 7, 0), strict=True))
        body = body[10 + size + (10 if flags & 0x10 else 0) :].lstrip(b"\0")
    body = body.partition(b"APETAGEX")[0]
    if body[-128:].startswith(b"TAG"):
        body = body[:-128]
    if not _is_frame(body):
        raise ValueError
    return body


def is_m4a(body: bytes) -> bool:
    return body[4:11] in (b"ftypM4A", b"ftypM4B")


def plain_m4a(body: bytes) -> bytes:
    """The same boxes at the same places: what says more than the sound is empty."""
    plain = bytearray(body)
    _empty(plain, 0, len(plain), b"")
    return bytes(plain)


def _empty(plain: bytearray, begin: int, end: int, inside: bytes) -> None:
    for kind, at, content, after in _boxes(plain, begin, end):
        if kind not in _BOXES[inside]:
            plain[at + 4 : at + 8] = b"free"
            plain[content:after] = bytes(after - content)
        elif kind in _BOXES:
            _empty(plain, content, after, kind)
        elif kind in _TIMES:
            long = plain[content]  # the version: 1 has times of 64 bits
            times = slice(content + 4, content + (20 if long else 12))
            plain[times] = bytes(times.stop - times.start)


def _boxes(body: bytearray, at: int, end: int) -> Iterator[tuple[bytes, int, int, int]]:
    """The boxes between two places: each with its kind, and where it, its content and what comes after begin."""
    while at < end:
        size, kind = struct.unpack_from(">I4s", body, at)
        content = at + 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", body, content)
            content += 8
        after = end if size == 0 else at + size
        if not content <= after <= end:
            raise ValueError
        yield kind, at, content, after
        at = after
