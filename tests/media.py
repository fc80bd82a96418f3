"""Small pictures and sounds, made byte by byte."""

import struct
import zlib


def png(width: int = 3, height: int = 2, shade: int = 120, more: bytes = b"") -> bytes:
    """A picture of one grey."""
    rows = (b"\0" + bytes([shade]) * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + more + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND")
    )


def _chunk(kind: bytes, data: bytes = b"") -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def jpeg(width: int = 640, height: int = 480, camera: bytes = b"") -> bytes:
    """The head of a photograph: what comes first, perhaps what a camera wrote, tables, and the frame with its size."""
    first = b"\xff\xe0" + struct.pack(">H", 16) + b"JFIF\0" + bytes(9)
    wrote = b"\xff\xe1" + struct.pack(">H", len(camera) + 2) + camera if camera else b""
    tables = b"\xff\xc4" + struct.pack(">H", 5) + b"\0\0\0" + b"\xff\xdb" + struct.pack(">H", 4) + b"\0\0"
    frame = b"\xff\xc2" + struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\1\x11\0"
    return b"\xff\xd8" + first + wrote + tables + frame + b"\xff\xd9"


def svg(inside: str = '<circle r="4"/>', head: str = 'viewBox="0 0 120 40.4"') -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {head}>{inside}</svg>'.encode()


MP3 = b"ID3\4\0\0\0\0\0\0" + b"\xff\xfb\x90\x64" + bytes(413)
M4A = struct.pack(">I", 20) + b"ftypM4A " + bytes(8)
