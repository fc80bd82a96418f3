"""Languages: those of a questionnaire, any, by their tags; and the reader's, in which what is refused is said."""

from __future__ import annotations

import re

from django.utils.translation import get_language_info, gettext

from privacy.errors import EntryError, InputError

TAG = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*")


def language_name(tag: str) -> str:
    """What the language calls itself, or its tag where Django does not know it."""
    try:
        return str(get_language_info(tag)["name_local"])
    except KeyError:
        return tag


def said(error: InputError) -> str:
    """The sentence in the reader's language, without its place."""
    return gettext(error.sentence).format(**error.values) if isinstance(error, EntryError) else str(error)
