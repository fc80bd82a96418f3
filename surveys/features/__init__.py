"""The features of a survey, each in a folder that holds all that is known of it. A new one is a folder and a line."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from django.core.exceptions import ImproperlyConfigured

from privacy.design import Design
from privacy.design.gammas import Gamma
from privacy.errors import InputError
from surveys.features.careless import CARELESS, known_questions, left_answer as left_answer
from surveys.features.feature import PARTS, Around, Feature, Named, Source
from surveys.features.flags import BESIDE, COMPREHENSION, DRAWN, EARLY
from surveys.features.frames import FRAMES
from surveys.features.interviews import INTERVIEWS
from surveys.features.looks import LOOKS, files_of_looks as files_of_looks, pictures as pictures
from surveys.features.lot import LOT, asked_directly as asked_directly
from surveys.features.modes import MODE as MODE, WEB as WEB, modes_of as modes_of
from surveys.features.notice import NOTICE as NOTICE, PRIVACY_NOTICE
from surveys.features.own import OWN, is_drawn as is_drawn
from surveys.features.page_texts import PAGE_TEXTS
from surveys.features.panel import PANEL, let_in_by as let_in_by, parameters as parameters
from surveys.features.paper import PAPER
from surveys.features.shared import SHARED
from surveys.features.study import STUDY, for_another as for_another, invited_by as invited_by
from surveys.questions import PublishedQuestion

FEATURES: dict[str, Feature] = {
    each.name: each
    for each in (
        *(EARLY, BESIDE, LOT, PANEL, FRAMES, STUDY, PAPER, INTERVIEWS, SHARED, LOOKS, PRIVACY_NOTICE),
        *(PAGE_TEXTS, CARELESS, OWN, COMPREHENSION, DRAWN),
    )
}
"""In the order in which people read them: ethics boards compare what two surveys announce."""
ENTRIES = frozenset(entry for feature in FEATURES.values() for entry in feature.entries)
P = TypeVar("P")


def empty() -> dict[str, Any]:
    """The fields of a document that has no feature."""
    return {name: deepcopy(value) for feature in FEATURES.values() for name, value in feature.empty.items()}


def device_questions(design: Design, source: Source) -> tuple[PublishedQuestion, ...]:
    """What a device says beside undisguised answers, as if it had been asked."""
    return tuple(question for feature in FEATURES.values() for question in feature.asked(design, source))


def present(source: Source) -> list[Feature]:
    """The features that a definition has, in their order."""
    return [feature for feature in FEATURES.values() if any(entry in source for entry in feature.entries)]


def ends_with_survey(source: Source) -> bool:
    """Whether a version takes responses as long as its survey: somebody may hold some that are not sent yet."""
    return any(feature.lasting for feature in present(source))


def has_other_ways(source: Source) -> bool:
    """Whether answers may come otherwise than by an invitation to this survey: on paper, by tablet, to another arm."""
    return not {"mode", "interviews", "study"}.isdisjoint(source)


def provider_of(source: Source) -> str:
    """The name of the provider that people come from; "" where they come from none."""
    return str((source.get("panel") or {}).get("name", ""))


def secrets_of(design: Design, source: Source) -> Design:
    """The part of a design that tells of people, in a document or a definition: what is promised is promised of it.

    Answers that everybody knows tell of nobody where people draw each by itself.
    """
    known = known_questions(source)
    telling = tuple(block for block in design.blocks if not (block.draw and {item.id for item in block.items} <= known))
    return replace(design, blocks=telling) if telling else design


def odds_of_secrets(design: Design, source: Source) -> Gamma:
    """By how much the odds of what people hide can grow, which a site limits; in a document or a definition."""
    return secrets_of(design, source).odds


def check_entries(around: Around) -> None:
    """Refuse a definition with a wrong entry of a feature, or without one that follows from the rest."""
    if is_drawn(around.design) != ("own" in around.source):
        raise InputError("own must be in the definition if, and only if, its design calls for it.")
    for feature in present(around.source):
        feature.check(around)


def announce(source: Source, named: Named) -> Iterator[str]:
    """What staff read of the features of a definition."""
    for feature in present(source):
        yield from feature.says(source, named)


def parts_of(kind: type[P]) -> Mapping[str, P]:
    """The parts of this class, by the name of their feature. A part is imported when a room first asks for it."""
    return _import_parts(kind.__name__)


@cache
def _import_parts(kind: str) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    for name, feature in FEATURES.items():
        if PARTS[kind] in feature.parts:
            part = getattr(import_module(module := f"{__name__}.{name}.{PARTS[kind]}"), "PART", None)
            if type(part).__name__ != kind:
                raise ImproperlyConfigured(f"{module} has no PART of the class {kind}.")
            found[name] = part
    return found


def parts_in(kind: type[P], source: Source) -> dict[str, P]:
    """The parts of this class of the features that a definition has."""
    own = {feature.name for feature in present(source)}
    return {name: part for name, part in parts_of(kind).items() if name in own}


def load() -> None:
    """Refuse, when the site starts, a feature whose row and folder differ."""
    for name, feature in FEATURES.items():
        there = {path.stem for path in (Path(__file__).parent / name).glob("*.py")}
        if lacking := sorted({*feature.parts} - there):
            raise ImproperlyConfigured(f"{__name__}.{name} lacks what its row names: {', '.join(lacking)}.")
        if unasked := sorted(there.intersection(PARTS.values()) - {*feature.parts}):
            raise ImproperlyConfigured(f"{__name__}.{name} has what its row does not name: {', '.join(unasked)}.")
