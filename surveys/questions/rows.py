"""The rows of a type of question as a page asks for them, one a line; and scales that one choice fills in."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy

SKIP = "secret"  # the value of "prefer not to say"
Texts = dict[str, str]


@dataclass(frozen=True)
class RowGroup:
    """One group of a question's rows.

    are_items   whether each is an item with a name of its own in records
    numbered    whether values are numbers: 1, 2, 3
    optional    whether the type does without
    holds       whether a row of this value belongs to the group
    """

    name: str
    label: Any  # a lazy translation
    are_items: bool = False
    numbered: bool = False
    optional: bool = False
    holds: Callable[[str], bool] = lambda _value: True


OPTIONS = RowGroup("options", gettext_lazy("Options, one a line"))


@dataclass(frozen=True)
class ReadyScale:
    """A scale that is filled in by one choice: points with words, or numbers with words at both ends."""

    name: str
    label: Any  # a lazy translation
    points: tuple[Texts, ...] = ()
    min: str = ""
    max: str = ""
    low: Texts | None = None
    high: Texts | None = None


FOLDER = Path(__file__).parent / "options"  # a file for each language: locale/README.md
_FILES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}
READY: dict[str, Texts] = {name: {tag: own[name] for tag, own in _FILES.items()} for name in _FILES["en"]}


def ready_texts(tags: Iterable[str], *texts: Mapping[str, str]) -> list[Texts]:
    """Ready-made texts in these languages, as far as there are any; else in English, in place of the first of them."""
    wanted = list(tags)
    known = [tag for tag in wanted if tag in _FILES]
    return [{tag: text[tag] for tag in known} or {wanted[0]: text["en"]} for text in texts]


SPOKEN = tuple(_FILES)  # the languages of ready-made texts, and of the respondent's page


def translations(texts: Texts) -> Texts:
    """The ready-made text that equals these in every language that both have, in all its languages; {} if none does."""
    for ready in READY.values():
        shared = [tag for tag in texts if tag in ready]
        if shared and all(texts[tag] == ready[tag] for tag in shared):
            return ready
    return {}


def _points(*names: str) -> tuple[Texts, ...]:
    return tuple(READY[name] for name in names)


POINTS: Sequence[ReadyScale] = (
    ReadyScale(
        "agreement",
        gettext_lazy("agreement, 5 points"),
        _points("disagree-strongly", "disagree", "disagree-neither", "agree", "agree-strongly"),
    ),
    ReadyScale(
        "frequency",
        gettext_lazy("frequency, 5 points"),
        _points("never", "rarely", "sometimes", "often", "always"),
    ),
    ReadyScale(
        "often",
        gettext_lazy("how often, 4 points"),
        _points("never-once", "once", "few-times", "many-times"),
    ),
    ReadyScale(
        "satisfaction",
        gettext_lazy("satisfaction, 5 points"),
        _points("dissatisfied-very", "dissatisfied", "satisfied-neither", "satisfied", "satisfied-very"),
    ),
)
_AGREEMENT = _points("disagree-strongly", "agree-strongly")
NUMBERS: Sequence[ReadyScale] = (
    ReadyScale("agree5", gettext_lazy("agreement, 1 to 5"), (), "1", "5", *_AGREEMENT),
    ReadyScale("agree7", gettext_lazy("agreement, 1 to 7"), (), "1", "7", *_AGREEMENT),
    ReadyScale("ten", gettext_lazy("0 to 10"), (), "0", "10", *_points("not-at-all", "extremely")),
)

YES_AND_NO = (("1", READY["yes"]), ("0", READY["no"]))
PREFER_NOT = READY["prefer-not"]
