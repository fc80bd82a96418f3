"""How common sensitive answers are thought to be: one guess for all questions, and of some their own.

A guess is a share with the range it may lie in ("0.05:0.02..0.1"), a share alone, or one of five words. A draft says it
in `document["protection"]["guess"]`, and a question with one of its own in its settings. Older
drafts say none: then three in ten say yes, and all options of a choice are equally common. Published bytes do not hold
it; a version has the guess of the draft that it was published from.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from privacy.design import Design
from privacy.design.brief import MOST_RARE, with_rare_times
from privacy.design.items import SKIP, Item, is_yes_no, options_without_skip
from privacy.errors import EntryError, InputError
from privacy.plan.connections import YES
from privacy.plan.request import range_of
from surveys.domain.questionnaire.document import Document, Draft, Question, published_document
from surveys.domain.questionnaire.draft_part import guesses
from surveys.models import SurveyVersion
from surveys.questions import disguise_of

GUESS = "guess"
USUAL_GUESS = "0.05:0.02..0.1"
LEAST_SHARE = 0.001  # of an answer: an estimate may be negative
SKIPS = 0.05  # prefer not to say, where they may


@dataclass(frozen=True)
class Guess:
    """The guess of each item: its name, the share of a telling answer, and of a choice the harmless one, or None.

    `anchors`: the items that nobody, and everybody who reads affirms, each with its share of yes.
    `times`: how many times as common rare answers are as all this says.
    """

    items: tuple[tuple[str, float, str | None], ...] = ()
    anchors: tuple[tuple[str, float], ...] = ()
    times: float = 1.0

    def shares(self, item: Item) -> tuple[float, ...]:
        """The guessed shares of an item's options, in their order."""
        shares = self._shares_as_said(item)
        return shares if self.times == 1 else with_rare_times(shares, self.times, MOST_RARE)

    def _shares_as_said(self, item: Item) -> tuple[float, ...]:
        share, harmless = self._by_name.get(item.id, (None, None))
        said = options_without_skip(item)
        if (known := dict(self.anchors).get(item.id)) is not None:
            return tuple({"0": 1 - known, "1": known}.get(option, 0.0) for option in item.options)
        if is_yes_no(said):
            yes = YES if share is None else share
            own = {"0": 1 - yes, "1": yes}
        else:
            own = dict.fromkeys(said, 1 / len(said))
            if share is not None and share < 1 / len(said):
                own = dict.fromkeys(said, share)
                own[harmless if harmless in own else said[0]] = 1 - share * (len(said) - 1)
        left = 1 - SKIPS * (SKIP in item.options)
        return tuple(left * own[option] if option in own else SKIPS for option in item.options)

    def knows(self, item: Item) -> bool:
        """Whether the shares of an item are known, so that nobody guesses them."""
        return item.id in dict(self.anchors)

    def as_said(self, design: Design, share: float) -> float:
        """The share of an answer as people guess it: of those who do not prefer not to say, where an item lets them."""
        skipped = [item for item in design.items if SKIP in item.options and share in self.shares(item)]
        return share / (1 - SKIPS) if skipped else share

    def target_codes(self, item: Item) -> tuple[int, ...]:
        """The codes of the answers whose share a survey is made for: all but the commonest and “prefer not to say”."""
        if item.boolean:
            return (1,)
        shares, said = self.shares(item), [item.options.index(option) for option in options_without_skip(item)]
        most = max(shares[place] for place in said)
        return tuple(place for place in said if shares[place] < most - 1e-9) or tuple(said)

    def answer_to_link(self, item: Item) -> int:
        """The code of the option that is linked with one of another item: yes, or the first of the rarest."""
        said = options_without_skip(item)
        if is_yes_no(said):
            return item.options.index("1")
        shares = dict(zip(item.options, self.shares(item), strict=True))
        return item.options.index(min(said, key=lambda option: round(shares[option], 9)))

    @cached_property
    def _by_name(self) -> Mapping[str, tuple[float, str | None]]:
        return {name: (share, harmless) for name, share, harmless in self.items}


def guess_of(draft: Draft, end: int = 0) -> Guess:
    """The guess of every item of a sensitive question; at `end` 1 and 2 of the ranges, the least and the most."""
    return guess_for(draft.document, [question for question in draft.questions if question.block], end)


def guesses_of(draft: Draft) -> list[Guess]:
    """The guess, and those at both ends of its range where it has one."""
    made = [guess_of(draft, end) for end in range(3)]
    return made if made[1] != made[2] else made[:1]


def guess_for(document: Document, inside: Sequence[Question], end: int = 0) -> Guess:
    """The guess of every item of these questions, as far as they are finished."""
    items: list[tuple[str, float, str | None]] = []
    for question in inside:
        if (word := word_of(document, question.settings)) is not None:
            with suppress(InputError):
                disguise = disguise_of(question.type, at=f"{question.place}.type")
                share = range_of_guess(word)[end]
                harmless = question.settings.get("harmless") or None
                items += [(item.id, share, harmless) for item in disguise.entered(question)]
    names = {question.id for question in inside}
    own = tuple(one for one in guesses(document).items() if one[0] in names)
    return Guess(tuple(items), own)


def guess_of_version(version: SurveyVersion) -> Guess:
    """The guess of the draft that it was published from; older versions, whose draft was not kept, have none."""
    document = published_document(version=version)
    return Guess() if document is None else guess_of(Draft.from_document(version.survey, document))


def word_of(document: Document, settings: Mapping[str, Any]) -> str | None:
    """The guess that holds for a question with these settings, in a word: its own, or the draft's."""
    word: str | None = settings.get(GUESS) or document["protection"].get(GUESS)
    return word


@lru_cache(maxsize=256)
def range_of_guess(said: str | None) -> tuple[float, float, float]:
    """The best guess and both ends of its range; of a draft that says none, three in ten."""
    return range_of(said, GUESS) if said else (YES, YES, YES)


def write_range(about: float, low: float, high: float) -> str:
    """A guess with its range, as a draft holds it: to a thousandth, and never nothing."""
    low, about, high = sorted(min(max(round(one, 3), LEAST_SHARE), 1 - LEAST_SHARE) for one in (low, about, high))
    return f"{about:g}:{low:g}..{high:g}"


def check_guess(said: Any, at: str) -> None:
    """Refuse a guess that is neither one of the five words nor a share, perhaps with its range."""
    if said is None:
        return
    if not isinstance(said, str):
        raise EntryError("{value} is no guess, such as 0.05:0.02..0.1.", at=at, value=json.dumps(said))
    try:
        _about, least, most = range_of(said, "guess")
    except InputError:
        least, most = 0.0, 1.0
    if not 0 < least <= most < 1:
        raise EntryError("{value} is no guess, such as 0.05:0.02..0.1.", at=at, value=f"“{said}”")
