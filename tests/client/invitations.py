"""The secret of an invitation, and bytes as the page writes them in JSON."""

import base64

SECRET = "c2VjcmV0LW9mLW9uZS1pbnZpdGF0aW9u"


def to_text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def to_bytes(value: str) -> bytes:
    return base64.urlsafe_b64decode(value + "==")
