"""How common answers are thought to be, before a survey: numbers, five words, or the report of an earlier version."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

from privacy.design import arguments, reading
from privacy.design.brief import ExpectedItem
from privacy.errors import InputError

WORDS: dict[str, float] = {"very rare": 0.02, "rare": 0.1, "some": 0.25, "half": 0.5, "most": 0.75}
_LEAST = 0.001  # of an estimate: a share that came out below 0 is not known to be 0
_FAR_OUT = (-1.0, 2.0)  # an estimate of few people may lie outside 0 to 1

Share = float | str
"""A share from 0 to 1, one of `WORDS`, or a share with the range it may lie in: "0.05:0.02..0.1"."""
Guess = Share | Mapping[str, Share]
"""The share of yes, which is that of each option but the first; or the share of each option by its name."""
Prevalence = Share | Sequence[Guess] | Mapping[str, Guess]
"""One share for all items, a guess for each in their order, or for each by its name."""


def share_of(value: Any, name: str) -> float:
    """A share from 0 to 1: of a number, of digits, or of one of `WORDS`, such as "rare"; InputError names `name`.

    >>> share_of("rare", "prevalence"), share_of(0.2, "prevalence"), share_of("0.2", "prevalence")
    (0.1, 0.2, 0.2)
    """
    if isinstance(value, str) and not any(letter.isdigit() for letter in value):
        if value.strip() not in WORDS:
            raise InputError(f"{name}: {reading.quote(value)} is neither a number nor one of {', '.join(WORDS)}.")
        return WORDS[value.strip()]
    share = float(arguments.read_number(value, name)) if isinstance(value, str) else arguments.number(value, name)
    if not 0 <= share <= 1:
        raise InputError(f"{name}: {share:g} is outside 0 to 1.")
    return share


def range_of(value: Any, name: str) -> tuple[float, float, float]:
    """A guess, and the ends of the range that it may lie in; all the same where no range is given.

    >>> range_of("0.05:0.02..0.1", "prevalence"), range_of("rare", "prevalence")
    ((0.05, 0.02, 0.1), (0.1, 0.1, 0.1))
    """
    if not isinstance(value, str) or ":" not in value:
        share = share_of(value, name)
        return share, share, share
    about, _, ends = value.partition(":")
    low, between, high = ends.partition("..")
    if not between:
        raise InputError(f"{name}: {reading.quote(value)} is no range; write it as 0.05:0.02..0.1.")
    made = share_of(about, name), share_of(low, name), share_of(high, name)
    if not made[1] <= made[0] <= made[2]:
        raise InputError(f"{name}: {made[0]:g} is not between {made[1]:g} and {made[2]:g}.")
    return made


def with_guesses(questions: Sequence[ExpectedItem], prevalence: Prevalence) -> tuple[ExpectedItem, ...]:
    """The items with the shares that somebody guesses."""
    names = [one.id for one in questions]
    if isinstance(prevalence, Mapping):
        if unknown := next((name for name in prevalence if name not in names), None):
            raise InputError(f"prevalence: {reading.quote(unknown)} is no item.")
        if missing := next((name for name in names if name not in prevalence), None):
            raise InputError(f"prevalence: {missing!r} has no guess, but other items have one; give all or none.")
        guesses = [(prevalence[name], f"prevalence[{name!r}]") for name in names]
    else:
        guesses = [(guess, "prevalence") for guess in _guesses_in_order(prevalence, len(names))]
    made = []
    for one, (guess, where) in zip(questions, guesses, strict=True):
        about, low, high = (_shares_guessed(one.options, guess, where, end) for end in range(3))
        made.append(replace(one, expected=about, between=None if low == high else (low, high)))
    return tuple(made)


def _guesses_in_order(prevalence: Share | Sequence[Guess], count: int) -> Sequence[Guess]:
    if isinstance(prevalence, str | Real):
        return [prevalence] * count
    listed = reading.entries(prevalence)
    if listed is None:
        raise InputError(f"prevalence: {reading.quote(prevalence)} is no share, nor one for each item.")
    if len(listed) != count:
        raise InputError(f"prevalence: {len(listed)} shares do not fit {count} items.")
    return listed


def _shares_guessed(options: Sequence[str], guess: Guess, where: str, end: int = 0) -> tuple[float, ...]:
    """The share of each option; the one that has no guess takes the rest.

    `end`: 0 for what is guessed, 1 and 2 for the lower and the upper end of its range.
    """
    if not isinstance(guess, Mapping):
        share = range_of(guess, where)[end]
        if share * (len(options) - 1) > 1 + 1e-9:
            raise InputError(
                f"{where}: {share:g} for each of {len(options) - 1} options, all but {options[0]!r}, is above 1 in all."
            )
        guess = dict.fromkeys(options[1:], share)
    if unknown := next((option for option in guess if option not in options), None):
        raise InputError(f"{where}: {reading.quote(unknown)} is no option.")
    left = [option for option in options if option not in guess]
    if len(left) > 1:
        raise InputError(
            f"{where}: {left[0]!r} and {left[1]!r} have no share; one option may be left to take the rest."
        )
    shares = {option: range_of(share, f"{where}[{option!r}]")[end] for option, share in guess.items()}
    total = math.fsum(shares.values())
    if total > 1 + 1e-9 or (not left and total < 1 - 1e-9):
        raise InputError(f"{where}: the shares add up to {total:g}, not to 1.")
    return tuple(shares.get(option, max(0.0, 1 - total)) for option in options)


def with_earlier(questions: Sequence[ExpectedItem], report: str | bytes) -> tuple[ExpectedItem, ...]:
    """The items with the shares that an earlier report estimated: the JSON of `candor reconstruct` or `candor mine`.

    Of an item with options all but one of them must be in the report.

    >>> (drugs,) = with_earlier([ExpectedItem("drugs")], '{"patterns": [{"pattern": "drugs", "support": 0.04}]}')
    >>> drugs.expected
    (0.96, 0.04)
    """
    supports = supports_in(reading.mapping(reading.document(report, "the report"), "report"))
    estimates = {name: support for name, (support, _) in supports.items()}
    return tuple(replace(one, expected=_shares_in(one, estimates)) for one in questions)


def supports_in(report: Mapping[str, Any]) -> dict[str, tuple[float, float | None]]:
    """The supports of single answers in a report, each with its error if it has one, by how a pattern names them.

    >>> supports_in({"patterns": [{"pattern": "drugs", "support": 0.04, "se": 0.01}]})
    {'drugs': (0.04, 0.01)}
    """
    found: dict[str, tuple[float, float | None]] = {}
    for key, names in (("patterns", "pattern"), ("itemsets", "items")):
        for place, entry in enumerate(reading.items(report.get(key, []), f"report.{key}")):
            where = f"report.{key}[{place}]"
            entry = reading.mapping(entry, where)
            named = entry.get(names)
            literals = [named] if isinstance(named, str) else list(named) if isinstance(named, list) else []
            if len(literals) == 1 and isinstance(literals[0], str) and "," not in literals[0]:
                error = None if entry.get("se") is None else float(reading.number(entry, "se", where))
                support = float(reading.number(entry, "support", where))
                if error is not None and error < 0:
                    raise InputError(f"{where}.se: {error:g} is below 0, which no standard error is.")
                if not _FAR_OUT[0] <= support <= _FAR_OUT[1]:
                    raise InputError(f"{where}.support: {support:g} is far outside 0 to 1, where shares are.")
                found[literals[0]] = support, error
    return found


def _shares_in(question: ExpectedItem, estimates: Mapping[str, float]) -> tuple[float, ...]:
    """The share of each option of an item; one option may lack an estimate and takes the rest."""
    if question.boolean:
        yes = estimates.get(question.id, 1 - estimates[f"!{question.id}"] if f"!{question.id}" in estimates else None)
        if yes is None:
            raise InputError(f"after: the report has no support of {question.id!r}.")
        yes = min(max(yes, _LEAST), 1 - _LEAST)
        return 1 - yes, yes
    known = [estimates.get(f"{question.id}={option}") for option in question.options]
    if known.count(None) > 1:
        option = question.options[known.index(None)]
        raise InputError(f"after: the report has no support of {f'{question.id}={option}'!r}.")
    rest = 1 - sum(share for share in known if share is not None)
    shares = [max(rest if share is None else share, _LEAST) for share in known]
    return tuple(share / sum(shares) for share in shares)
