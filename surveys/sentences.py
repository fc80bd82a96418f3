"""Sentences of a page, one after the other, and what follows a colon, as the reader's language sets them."""

from collections.abc import Iterable

from django.utils.translation import get_language, gettext_noop

# What Django sets after the label of a field, and after which signs it does not: Chinese has signs of its own.
LABELS = (gettext_noop(":"), gettext_noop(":?.!"))


def _is_chinese() -> bool:
    return (get_language() or "").startswith("zh")


def gap() -> str:
    """What stands between two sentences: Chinese has no space there."""
    return "" if _is_chinese() else " "


def colon() -> str:
    """A colon and what follows it before the next word."""
    return "：" if _is_chinese() else ": "


def join_sentences(sentences: Iterable[object]) -> str:
    """The sentences that are not empty, one after the other."""
    return gap().join(text for sentence in sentences if (text := str(sentence)))
