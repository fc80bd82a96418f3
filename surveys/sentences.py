"""Sentences of a page, one after the other, as the reader's language sets them."""

from collections.abc import Iterable

from django.utils.translation import get_language


def sentences_joined(sentences: Iterable[object]) -> str:
    """The sentences that are not empty, one after the other; Chinese has no space between them."""
    between = "" if (get_language() or "").startswith("zh") else " "
    return between.join(text for sentence in sentences if (text := str(sentence)))
