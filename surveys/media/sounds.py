"""MP3 and M4A files without titles, names, places and times of recording.

MP3: https://www.iso.org/standard/22412.html (11172-3, 2.4.1), frames of layer III. M4A: ISO/IEC 14496-12, 4.2 and 8.
"""

import struct
from collections.abc import Iterator

from privacy.errors import EntryError

_BITRATES = {  # kbit/s, of MPEG-1 and of MPEG-2 and 2.5
    True: (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    False: (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
_RATES = {3: (44100, 48000, 32000), 2: (22050, 24000, 16000), 0: (11025, 12000, 8000)}  # samples a second, by version
_BRANDS = (b"M4A ", b"M4B ", b"mp42", b"isom", b"iso5", b"3gp4")
_TIMES = {b"mvhd", b"tkhd", b"mdhd"}  # begin with when the sound was made, and changed
_BOXES = {
    b"": {b"ftyp", b"moov", b"mdat", b"moof"},
    b"moof": {b"mfhd", b"traf"},
    b"traf": {b"tfhd", b"tfdt", b"trun"},
    b"moov": {b"mvhd", b"mvex", b"trak"},
    b"trak": {b"tkhd", b"edts", b"mdia"},
    b"mdia": {b"mdhd", b"hdlr", b"minf"},
    b"minf": {b"smhd", b"dinf", b"stbl"},
    b"edts": {b"elst"},
    b"mvex": {b"mehd", b"trex"},
    b"dinf": {b"dref"},
    b"dref": {b"url ", b"urn "},
    b"stbl": {b"stsd", b"stts", b"ctts", b"stsc", b"stsz", b"stz2", b"stco", b"co64", b"stss", b"sgpd", b"sbgp"},
    b"stsd": {b"mp4a", b"Opus", b"alac"},
    b"mp4a": {b"esds", b"btrt"},
    b"Opus": {b"dOps", b"btrt"},
}
_HEADS = {b"dref": 8, b"stsd": 8, b"mp4a": 28, b"Opus": 28}  # bytes of the content before the boxes in it


def is_mp3(body: bytes) -> bool:
    return body.startswith(b"ID3") or (len(body) > 1 and body[0] == 0xFF and body[1] & 0xE6 == 0xE2)


def plain_mp3(body: bytes) -> bytes:
    """The MP3 with nothing but the frames that follow one another after the tags at the beginning."""
    at = 0
    while body.startswith(b"ID3", at):
        flags, *sizes = struct.unpack_from(">5xB4B", body, at)
        size = sum(part << shift for part, shift in zip(sizes, (21, 14, 7, 0), strict=True))
        at += 10 + size + (10 if flags & 0x10 else 0)
    while body.startswith(b"\0", at):
        at += 1
    begin = at
    while (length := _frame_length(body[at : at + 4])) and at + length <= len(body):
        at += length
    if at == begin:
        raise ValueError
    return body[begin:at]


def _frame_length(header: bytes) -> int:
    """The length in bytes of the frame with this header; 0 if it is none."""
    if len(header) < 4 or header[0] != 0xFF or header[1] & 0xE6 != 0xE2:
        return 0
    version, bitrate, rate = header[1] >> 3 & 3, header[2] >> 4, header[2] >> 2 & 3
    if version == 1 or not 0 < bitrate < 15 or rate == 3:
        return 0
    samples = 144 if version == 3 else 72
    return samples * 1000 * _BITRATES[version == 3][bitrate - 1] // _RATES[version][rate] + (header[2] >> 1 & 1)


def is_m4a(body: bytes) -> bool:
    return body[4:8] == b"ftyp" and body[8:12] in _BRANDS


def plain_m4a(body: bytes) -> bytes:
    """The M4A with the same boxes at the same places; those that say more than the sound are emptied."""
    plain = bytearray(body)
    _empty_boxes(plain, 0, len(plain), b"")
    return bytes(plain)


def _empty_boxes(plain: bytearray, begin: int, end: int, inside: bytes) -> None:
    """Empty the boxes between two places, in a box of the kind `inside`, that say more than the sound."""
    for kind, at, content, after in _boxes(plain, begin, end):
        if kind not in _BOXES[inside]:
            if inside == b"stsd":  # how the sound is coded: nothing plays without it
                raise ValueError
            plain[at + 4 : at + 8] = b"free"
            _erase_bytes(plain, content, after, after)
        elif kind in _BOXES:
            _empty_boxes(plain, content + _HEADS.get(kind, 0), after, kind)
        elif inside == b"dref":  # an address of the sound: it lies in this file, and nowhere else
            plain[at + 4 : at + 8] = b"url "
            _erase_bytes(plain, content, content + 4, after)
            _erase_bytes(plain, content + 4, after, after)
            plain[content + 3] = 1
        elif kind in _TIMES:
            long = plain[content]  # the version: 1 has times of 64 bits
            _erase_bytes(plain, content + 4, content + (20 if long else 12), after)
        elif kind == b"hdlr":
            if plain[content + 8 : content + 12] != b"soun":
                raise EntryError("the file holds more than one sound, such as a film or chapters.", at="file")
            _erase_bytes(plain, content + 24, after, after)  # the name that the program gave it


def _erase_bytes(plain: bytearray, begin: int, end: int, after: int) -> None:
    if not begin <= end <= after:
        raise ValueError
    plain[begin:end] = bytes(end - begin)


def _boxes(body: bytearray, at: int, end: int) -> Iterator[tuple[bytes, int, int, int]]:
    """Yield the boxes between two places: the kind, and where the box, its content and what comes after it begin."""
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
