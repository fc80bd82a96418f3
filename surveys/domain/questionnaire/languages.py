"""Languages: a questionnaire may have any, named by tags; refusals are written in the language of the reader."""

from collections.abc import Sequence
from operator import itemgetter

from django.conf.locale import LANG_INFO
from django.utils.translation import gettext

from privacy.errors import EntryError, InputError
from surveys.questions.rows import SPOKEN, spoken_tag
from surveys.sentences import language_name, own_name


def language_choices(used: Sequence[str]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Pairs of tag and name for a menu, with the tags in use: first languages that the page speaks, then others."""
    named = {tag for tag, info in LANG_INFO.items() if "name" in info}
    choices = sorted(((tag, _both_names(tag)) for tag in {*named, *SPOKEN, *used}), key=itemgetter(1))
    return [each for each in choices if spoken_tag(each[0])], [each for each in choices if not spoken_tag(each[0])]


def _both_names(tag: str) -> str:
    """The name of a language in the reader's words, and its own name for itself."""
    own, ours = own_name(tag), language_name(tag)
    return ours if ours == own else f"{ours} – {own}"


def sentence_of(error: InputError) -> str:
    """The sentence of a refusal in the reader's language, without the name of the field."""
    if not isinstance(error, EntryError):
        return str(error)
    listed = {
        name: gettext(str(value)) for name, value in error.values.items() if name == "about"
    }  # has words of its own
    return gettext(error.sentence).format(**error.values | listed)


def capital(sentence: str) -> str:
    """The sentence with a capital letter at its beginning; γ and θ stay small."""
    return sentence[:1].upper() + sentence[1:] if sentence[:1].isascii() else sentence
