"""Features that are true in a definition, or left out, and that every room may ask a `Definition` for."""

from collections.abc import Callable, Iterator
from math import isinf

from django.utils.translation import gettext as _

from privacy.errors import EntryError, InputError
from surveys.features.feature import Around, Feature, Named, Source


def check_flag(name: str, then: Callable[[Around], None] = lambda _around: None) -> Callable[[Around], None]:
    """The check of an entry that is true, or left out."""

    def check(around: Around) -> None:
        if around.source[name] is not True:
            raise InputError(f"{name} is true, or is left out.")
        then(around)

    return check


def says_nothing(_source: Source, _named: Named) -> Iterator[str]:
    yield from ()


def _says_early(_source: Source, _named: Named) -> Iterator[str]:
    yield _(
        "Responses, undisguised answers and figures of undisguised questions may be read before this version is "
        "closed. Direct answers wait."
    )


def _says_beside(_source: Source, _named: Named) -> Iterator[str]:
    yield _("In files, what people write in their own words stays beside their other answers.")


def _check_comprehension(around: Around) -> None:
    if not any(item.explains for item in around.design.items):
        raise EntryError(
            "the question about the disguise needs a question with options or a number as its example; a place "
            "cannot be one."
        )
    if isinf(around.design.odds):
        raise EntryError(
            "the question about the disguise says that nobody can be sure of a stored answer, but with this "
            "design somebody can (γ is infinite): disguise more, or leave the question out."
        )


def _check_drawn(around: Around) -> None:
    if not (around.source["access"] == "invitation" and around.design.sampled):
        raise InputError("drawn is only for surveys by invitation that ask some of their questions.")


EARLY = Feature("early", {}, check_flag("early"), _says_early)
BESIDE = Feature("beside", {}, check_flag("beside"), _says_beside)
COMPREHENSION = Feature("comprehension", {}, check_flag("comprehension", _check_comprehension), says_nothing)
DRAWN = Feature("drawn", {}, check_flag("drawn", _check_drawn), says_nothing)
