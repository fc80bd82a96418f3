"""How common answers are thought to be, before a survey: numbers, five words, or the report of an earlier version."""

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from privacy.design import arguments, reading
from privacy.design.brief import ExpectedItem
from privacy.errors import InputError

WORDS: dict[str, float] = {
    "very rare": 0.02,
    "rare": 0.1,
    "some": 0.25,
    "half": 0.5,
    "most": 0.75,
}
_LEAST = 0.001  # of an estimate: a share that came out below 0 is not known to be 0

Prevalence = float | str | Sequence[float | str] | Mapping[str, float | str]
"""The share of yes of all items, of each in their order, or of each by its name."""


def share_of(value: Any, name: str) -> float:
    """A share, as a number or one of the five words.

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


def shares_of(prevalence: Prevalence, names: Sequence[str]) -> list[float]:
    """The share of yes of each item.

    >>> shares_of(0.1, ["drugs", "theft"]), shares_of({"theft": "some", "drugs": "very rare"}, ["drugs", "theft"])
    ([0.1, 0.1], [0.02, 0.25])
    """
    if isinstance(prevalence, Mapping):
        if unknown := next((name for name in prevalence if name not in names), None):
            raise InputError(f"prevalence: {reading.quote(unknown)} is no item.")
        if missing := next((name for name in names if name not in prevalence), None):
            raise InputError(f"prevalence: {missing!r} has no guess, but other items have one; give all or none.")
        return [share_of(prevalence[name], f"prevalence[{name!r}]") for name in names]
    if isinstance(prevalence, str | Real):
        return [share_of(prevalence, "prevalence")] * len(names)
    listed = reading.entries(prevalence)
    if listed is None:
        raise InputError(f"prevalence: {reading.quote(prevalence)} is no share, nor one for each item.")
    if len(listed) != len(names):
        raise InputError(f"prevalence: {len(listed)} shares do not fit {len(names)} items.")
    return [share_of(value, "prevalence") for value in listed]


def with_earlier(questions: Sequence[ExpectedItem], report: str | bytes) -> tuple[ExpectedItem, ...]:
    """The items with the shares that an earlier report estimated: the JSON of `candor reconstruct` or `candor mine`.

    Of an item with options all but one of them must be in the report.

    >>> (drugs,) = with_earlier([ExpectedItem("drugs")], '{"patterns": [{"pattern": "drugs", "support": 0.04}]}')
    >>> drugs.expected
    (0.96, 0.04)
    """
    supports = supports_in(reading.mapping(reading.document(report, "the report"), "report"))
    estimates = {name: support for name, (support, _) in supports.items()}
    return tuple(ExpectedItem(one.id, one.options, _shares_in(one, estimates), one.marks) for one in questions)


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
                found[literals[0]] = float(reading.number(entry, "support", where)), error
    return found


def _shares_in(question: ExpectedItem, estimates: Mapping[str, float]) -> tuple[float, ...]:
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
