"""Languages: a questionnaire may have any, named by tags; refusals are written in the language of the reader."""

import re

from django.utils.translation import get_language_info, gettext

from privacy.errors import EntryError, InputError

TAG = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*")


def language_name(tag: str) -> str:
    """The language's own name for itself, or its tag if Django does not know it."""
    try:
        return str(get_language_info(tag)["name_local"])
    except KeyError:
        return tag


def sentence_of(error: InputError) -> str:
    """The sentence of a refusal in the reader's language, without the name of the field."""
    return gettext(error.sentence).format(**error.values) if isinstance(error, EntryError) else str(error)


def capital(sentence: str) -> str:
    """The sentence with a capital letter at its beginning; γ and θ stay small."""
    return sentence[:1].upper() + sentence[1:] if sentence[:1].isascii() else sentence
