"""Two questions that show who answers without reading: what nobody, and what everybody who reads affirms.

in a document      "careless": null | ["moon", "water"]
in a definition    "careless": {"moon": [0.0, 0.01], "water": [0.99, 1.0]}      the literals, with the bounds of
                   their shares among people who read
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

from django.utils.translation import gettext as _

from privacy.design import Design
from privacy.design.patterns import Pattern
from privacy.errors import EntryError, InputError
from privacy.estimate.weights import require_possible
from privacy.reconstruct.careless import corrected, read_anchors
from surveys.features.feature import Around, Feature, Named, Source

NEARLY = 0.01  # how many people who read may answer otherwise than nearly nobody, or nearly everybody does


def anchors(source: Source) -> Mapping[str, Sequence[float]]:
    """The two answers that show who answers without reading, with the bounds of their shares among the others."""
    known: Mapping[str, Sequence[float]] = source.get("careless", {})
    return known


def by_person(design: Design, answers: Iterable[str]) -> bool:
    """Whether people draw the chance of all these answers themselves."""
    items = [item for answer in answers for item in items_of(answer)]
    return bool(items) and all(design.blocks[design.place(design.column(item))[0]].draw for item in items)


def items_of(text: str) -> list[str]:
    """The items of a pattern or a rule."""
    return [literal.strip().lstrip("!").partition("=")[0] for literal in text.replace("=>", ",").split(",")]


def _check(around: Around) -> None:
    anchors = around.source["careless"]
    if not isinstance(anchors, dict) or len(anchors) != 2:
        raise InputError("careless holds two answers, each with the bounds of its share.")
    known = read_anchors(around.design, anchors)
    for one in known:
        require_possible(around.design, Pattern(((one.column, frozenset({one.yes})),)), "stratified")
    if not corrected(around.design, known):
        raise EntryError("no other disguised question has the answers of those that show careless people.")


def _says(source: Source, named: Named) -> Iterator[str]:
    yield _("Two questions show how many people answer without reading: %(answers)s.") % {
        "answers": _("; ").join(map(named, source["careless"]))
    }


CARELESS = Feature(
    "careless",
    {"careless": None},
    _check,
    _says,
    codebook=itemgetter("careless"),
    parts=("draft", "changes", "report", "staff"),
)
