"""The pair of questions that shows who follows the design: what nobody, and what everybody affirms.

in a document      "careless": null | ["moon", "water"]
in a definition    "careless": {"moon": [0.0, 0.01], "water": [0.99, 1.0]}      the literals, with the bounds of
                   their shares among people who follow the design
                   "anchor": {"answer": "born", "share": 0.33}      in versions of before: one answer of known share
"""

from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Any

from django.utils.translation import gettext as _

from privacy.choices import DEVICE, PERSON
from privacy.design import Design
from privacy.errors import EntryError, InputError
from privacy.estimate.weights import require_possible
from privacy.following.pair import corrected, read_anchors
from surveys.features.feature import Around, Feature, Named, Source

NEARLY = 0.01  # how many people who follow may answer otherwise than nearly nobody, or nearly everybody does


def anchors(source: Source) -> Mapping[str, Any]:
    """The pair with the bounds of its shares; of versions of before also one answer, which is tested alone."""
    never = (source.get("own") or {}).get("never")
    one = source.get("anchor")
    known = {never: (0.0, NEARLY)} if never else {one["answer"]: one["share"]} if one else {}
    return source.get("careless") or known


def left_answer(stored: Any) -> str | None:
    """The question whose share was known, in a document of before without the two ready-made ones; it is left out."""
    return stored.get("anchor") if isinstance(stored, dict) and not stored.get("careless") else None


def known_questions(source: Source) -> set[str]:
    """The questions of which everybody knows the answer, in a document or a definition: they tell of nobody."""
    never = (source.get("own") or {}).get("never")
    return {literal.partition("=")[0] for literal in (*(source.get("careless") or ()), *([never] if never else ()))}


def who_disguises(design: Design, answers: Iterable[str]) -> str:
    """Whether people draw the chance of all these answers themselves, or devices do."""
    items = [item for answer in answers for item in items_of(answer)]
    drawn = bool(items) and all(design.blocks[design.place(design.column(item))[0]].draw for item in items)
    return PERSON if drawn else DEVICE


def items_of(text: str) -> list[str]:
    """The items of a pattern or a rule."""
    return [literal.strip().lstrip("!").partition("=")[0] for literal in text.replace("=>", ",").split(",")]


def _check(around: Around) -> None:
    pair = around.source.get("careless")
    if pair is not None and (not isinstance(pair, dict) or len(pair) != 2):
        raise InputError("careless holds two answers, each with the bounds of its share.")
    known = read_anchors(around.design, anchors(around.source))
    for anchor in known:
        require_possible(around.design, anchor.pattern, "stratified")
    if pair and not corrected(around.design, known):
        raise EntryError("no other disguised question has the answers of those that show who follows the design.")


def _says(source: Source, named: Named) -> Iterator[str]:
    if "careless" in source:
        yield _("Two questions show how many people do not follow the design: %(answers)s.") % {
            "answers": _("; ").join(map(named, source["careless"]))
        }


CARELESS = Feature(
    "careless",
    {"careless": None},
    _check,
    _says,
    entries=("careless", "anchor"),
    codebook=itemgetter("careless"),
    parts=("draft", "staff"),
)
