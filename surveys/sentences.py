"""Sentences of a page and of refusals, what follows a colon, and names of languages, as the reader's sets them."""

from collections.abc import Iterable

from django.conf import settings
from django.utils.translation import get_language_info, gettext as _, gettext_noop

from privacy.errors import EntryError, InputError

# What Django sets after the label of a field, and after which signs it does not: Chinese has signs of its own.
LABELS = (gettext_noop(":"), gettext_noop(":?.!"))
# Django calls this language otherwise than its own catalogues do.
NAMES = (gettext_noop("Norwegian Bokmal"),)


def gap() -> str:
    """What is between two sentences: Chinese has no space there."""
    return _("%(sentence)s %(next)s") % {"sentence": "", "next": ""}


def colon() -> str:
    """A colon and what follows it before the next word."""
    return _(": ")


def join_sentences(sentences: Iterable[object]) -> str:
    """The sentences that are not empty, one after the other."""
    return gap().join(text for sentence in sentences if (text := str(sentence)))


def sentence_of(error: InputError) -> str:
    """The sentence of a refusal in the reader's language, without the name of the field."""
    if not isinstance(error, EntryError):
        return str(error)
    about = {name: _(str(value)) for name, value in error.values.items() if name == "about"}  # has words of its own
    return _(error.sentence).format(**error.values | about)


def capital(sentence: str) -> str:
    """The sentence with a capital letter at its beginning; γ and θ stay small."""
    return sentence[:1].upper() + sentence[1:] if sentence[:1].isascii() else sentence


def language_name(tag: str) -> str:
    """The name of a language in the reader's words, or its tag if Django does not know it."""
    return _name(tag, "name_translated")


def own_name(tag: str) -> str:
    """The language's own name for itself, or its tag if Django does not know it."""
    return _name(tag, "name_local")


def of_staff(tag: str) -> str:
    """The language if pages of staff speak it, else English: of German there is only what the protocol says."""
    return tag if tag in dict(settings.LANGUAGES) else "en"


def _name(tag: str, kind: str) -> str:
    try:
        return str(get_language_info(tag)[kind])
    except KeyError:
        return tag
