"""The rows of a type of question as a page asks for them, one a line; and scales that one choice fills in."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy

from privacy.design.items import SKIP as SKIP

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


SPOKEN = tuple(_FILES)  # the languages of ready-made texts, and of the respondent's page
READ = ("en", "zh-hans")  # those whose texts a native speaker has read: locale/README.md has a sheet for the others
_TRADITIONAL = {"hant", "tw", "hk", "mo"}


def spoken_tag(tag: str) -> str | None:
    """The language of `SPOKEN` that a tag stands for, such as that of a region; None if it stands for none.

    >>> spoken_tag("pt-br"), spoken_tag("zh-TW"), spoken_tag("zh"), spoken_tag("it")
    ('pt', 'zh-hant', 'zh-hans', None)
    """
    language, *rest = tag.lower().split("-")
    if language == "zh":
        return "zh-hant" if _TRADITIONAL & {*rest} else "zh-hans"
    return language if language in SPOKEN else None


def ready_texts(tags: Iterable[str], *texts: Mapping[str, str]) -> list[Texts]:
    """Ready-made texts in these languages, as far as there are any; else in English, in place of the first of them."""
    wanted = list(tags)
    known = [(tag, own) for tag in wanted if (own := spoken_tag(tag))]
    return [{tag: text[own] for tag, own in known} or {wanted[0]: text["en"]} for text in texts]


def is_english(text: str) -> bool:
    """Whether this is a ready-made text in English, but for “No”, which is that of Italian and Catalan, too."""
    return any(text == ready["en"] for name, ready in READY.items() if name != "no")


def translations(texts: Texts) -> Texts:
    """The ready-made text that equals these in every language that both have, in all its languages; {} if none does."""
    for ready in READY.values():
        shared = [(text, ready[own]) for tag, text in texts.items() if (own := spoken_tag(tag))]
        if shared and all(text == own for text, own in shared):
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
        "frequency", gettext_lazy("frequency, 5 points"), _points("never", "rarely", "sometimes", "often", "always")
    ),
    ReadyScale("often", gettext_lazy("how often, 4 points"), _points("never-once", "once", "few-times", "many-times")),
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
