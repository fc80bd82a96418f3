"""Sentences of a page, one after the other, and what follows a colon, as the reader's language sets them."""

from collections.abc import Iterable

from django.utils.translation import gettext as _, gettext_noop

# What Django sets after the label of a field, and after which signs it does not: Chinese has signs of its own.
LABELS = (gettext_noop(":"), gettext_noop(":?.!"))


def gap() -> str:
    """What is between two sentences: Chinese has no space there."""
    return _("%(sentence)s %(next)s") % {"sentence": "", "next": ""}


def colon() -> str:
    """A colon and what follows it before the next word."""
    return _(": ")


def join_sentences(sentences: Iterable[object]) -> str:
    """The sentences that are not empty, one after the other."""
    return gap().join(text for sentence in sentences if (text := str(sentence)))
