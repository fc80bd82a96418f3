"""The features of a survey, each in a folder that holds all that is known of it. A new one is a folder and a line."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from django.core.exceptions import ImproperlyConfigured

from privacy.design import Design
from privacy.errors import InputError
from surveys.features.anchor import ANCHOR
from surveys.features.arms import ARMS
from surveys.features.careless import CARELESS
from surveys.features.feature import PARTS, Around, Feature, Named, Source
from surveys.features.flags import BESIDE, COMPREHENSION, DRAWN, EARLY
from surveys.features.frames import FRAMES
from surveys.features.looks import LOOKS
from surveys.features.lot import LOT
from surveys.features.noisy_counts import NOISY_COUNTS
from surveys.features.page_texts import PAGE_TEXTS
from surveys.features.panel import PANEL
from surveys.features.second_wave import SECOND_WAVE
from surveys.questions import PublishedQuestion

FEATURES: dict[str, Feature] = {
    each.name: each
    for each in (
        *(EARLY, NOISY_COUNTS, BESIDE, LOT, ARMS, SECOND_WAVE, PANEL, FRAMES, LOOKS, PAGE_TEXTS, ANCHOR, CARELESS),
        *(COMPREHENSION, DRAWN),
    )
}
"""In the order in which people read them: ethics boards compare what two surveys announce."""
ENTRIES = frozenset(entry for feature in FEATURES.values() for entry in feature.entries)
P = TypeVar("P")


def empty() -> dict[str, Any]:
    """The fields of a document that has no feature."""
    return {name: deepcopy(value) for feature in FEATURES.values() for name, value in feature.empty.items()}


def asked(design: Design) -> tuple[PublishedQuestion, ...]:
    """What a device says beside undisguised answers, as if it had been asked."""
    return tuple(question for feature in FEATURES.values() for question in feature.asked(design))


def following(design: Design) -> dict[str, bool]:
    """The entries that follow from a design."""
    return {name: True for name, feature in FEATURES.items() if feature.follows and feature.follows(design)}


def check_entries(around: Around) -> None:
    """Refuse a definition with a wrong entry of a feature, or without one that follows from the rest."""
    for feature in FEATURES.values():
        if feature.follows and feature.follows(around.design) != feature.is_in(around.source):
            raise InputError(f"{feature.name} must be in the definition if, and only if, its design calls for it.")
        if feature.is_in(around.source):
            feature.check(around)


def files(source: Source) -> set[str]:
    return {name for feature in FEATURES.values() for name in feature.files(source)}


def announce(source: Source, named: Named) -> Iterator[str]:
    """What staff read of the features of a definition."""
    for feature in FEATURES.values():
        if feature.is_in(source):
            yield from feature.says(source, named)


def codebook(source: Source) -> dict[str, Any]:
    """What the codebook of files has of the features of a definition."""
    return {
        feature.entries[0]: feature.codebook(source)
        for feature in FEATURES.values()
        if feature.codebook and feature.is_in(source)
    }


@cache
def parts_of(kind: type[P]) -> Mapping[str, P]:
    """The parts of this class, by the name of their feature. A part is imported when a room first asks for it."""
    module = PARTS[kind.__name__]
    found: dict[str, P] = {}
    for name, feature in FEATURES.items():
        if module in feature.parts:
            part = getattr(import_module(f"{__name__}.{name}.{module}"), "PART", None)
            if not isinstance(part, kind):
                raise ImproperlyConfigured(f"{__name__}.{name}.{module} has no PART of the class {kind.__name__}.")
            found[name] = part
    return found


def load() -> None:
    """Refuse, when the site starts, a feature whose row and folder differ."""
    for name, feature in FEATURES.items():
        there = {path.stem for path in (Path(__file__).parent / name).glob("*.py")}
        if lacking := sorted({*feature.parts} - there):
            raise ImproperlyConfigured(f"{__name__}.{name} lacks what its row names: {', '.join(lacking)}.")
        if unasked := sorted(there.intersection(PARTS.values()) - {*feature.parts}):
            raise ImproperlyConfigured(f"{__name__}.{name} has what its row does not name: {', '.join(unasked)}.")
