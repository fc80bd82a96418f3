"""What people ask of the advisor: items by their number, by names, with options or as JSON, and how common answers are.

How common they are thought to be is said in numbers, in five words, or by the report of an earlier version.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, Literal, overload

from privacy.choices import Disguiser
from privacy.design import YES_NO, arguments, blocks, reading
from privacy.design.brief import Brief, ExpectedItem, yes_no
from privacy.design.notation import DECIMAL
from privacy.errors import InputError
from privacy.guarantee import gamma_of_epsilon
from privacy.plan.advice import Advice, best_designs
from privacy.plan.own_draw import OwnAdvice, own_draws
from privacy.plan.proposal import GridItem, Questionnaire, plan_questionnaire
from privacy.reconstruct.words_sent import supports_in

WORDS: dict[str, float] = {"very rare": 0.02, "rare": 0.1, "some": 0.25, "half": 0.5, "most": 0.75}
_LEAST = 0.001  # of an estimate: a share that came out below 0 is not known to be 0

Share = float | str
"""A share from 0 to 1, one of `WORDS`, or a share with the range it may lie in: "0.05:0.02..0.1"."""
Guess = Share | Mapping[str, Share]
"""The share of yes, which is that of each option but the first; or the share of each option by its name."""
Prevalence = Share | Sequence[Guess] | Mapping[str, Guess]
"""One share for all items, a guess for each in their order, or for each by its name."""


@overload
def advise(
    items: int | Sequence[str] | Mapping[str, Sequence[str]],
    respondents: int,
    gamma: float | Fraction | None = None,
    *,
    epsilon: float | Fraction | None = None,
    length: int | None = None,
    prevalence: Prevalence | None = None,
    alone: str | None = None,
    direct_share: float = 0.0,
    most_asked: int | None = None,
    by: Literal["device"] = "device",
) -> Advice: ...


@overload
def advise(
    items: int | Sequence[str] | Mapping[str, Sequence[str]],
    respondents: int,
    gamma: float | Fraction | None = None,
    *,
    epsilon: float | Fraction | None = None,
    length: int | None = None,
    prevalence: Prevalence | None = None,
    direct_share: float = 0.0,
    most_asked: int | None = None,
    by: Literal["person"],
) -> OwnAdvice: ...


@overload
def advise(
    items: Mapping[str, Sequence[str] | Mapping[str, Any]],
    respondents: int,
    gamma: float | Fraction | None = None,
    *,
    epsilon: float | Fraction | None = None,
    length: int | None = None,
    direct_share: float = 0.0,
) -> Advice | Questionnaire: ...


def advise(
    items: int | Sequence[str] | Mapping[str, Sequence[str]] | Mapping[str, Sequence[str] | Mapping[str, Any]],
    respondents: int,
    gamma: float | Fraction | None = None,
    *,
    epsilon: float | Fraction | None = None,
    length: int | None = None,
    prevalence: Prevalence | None = None,
    alone: str | None = None,
    direct_share: float = 0.0,
    most_asked: int | None = None,
    by: Disguiser = "device",
) -> Advice | OwnAdvice | Questionnaire:
    """Find the design with the smallest standard error under a γ, before anyone is asked.

    Parameters
    ----------
    items : int, sequence of str, or mapping of str to sequence of str or to mapping
        How many yes/no items, their names, or names with the options of each. A number has `{"min": 0, "max": 99}`
        in place of options, and perhaps `step`; a place `width`, `height`, `cell` and perhaps `zones`.
    respondents : int
        How many are expected to answer.
    gamma : float or Fraction, optional
        The largest γ of a whole record; 19 lets a belief go from 5 % to 50 % at most.
    epsilon : float or Fraction, optional
        In place of `gamma`: its natural logarithm, as local differential privacy states it.
    length : int, optional
        The longest pattern wanted; 2, or 1 where there is one item.
    prevalence : float, str, sequence or mapping, optional
        A guess of the share of yes: of all items, or of each in their order or by its name. A share is a number or a
        word: very rare (2 %), rare (10 %), some (25 %), half, most (75 %). Of an item with options it is the share of
        each option but the first; `{"phone": {"once": "rare", "often": 0.03}}` gives each its own, and the one left
        out takes the rest. Without a guess designs are judged by their worst error. With it one word of a list is
        advised, too, where answers are rare.
    alone : str, optional
        An answer such as "prefer not to say" that no pattern pairs with others, of each item that has it. It is a word
        by itself in a list, and makes links cost hardly more people.
    direct_share : float
        The share that will answer directly.
    most_asked : int, optional
        The most questions that one person may be asked.
    by : {'device', 'person'}
        Who draws: devices, or people themselves, among chances that people can draw, with a die, a digit or a birthday.

    Returns
    -------
    Advice, OwnAdvice or Questionnaire
        Own draws where people draw; a questionnaire where there are numbers or places: the proposal of the studio.

    Raises
    ------
    InputError
        Where no design fits the promise, or the promise is none.

    Examples
    --------
    >>> import candor
    >>> advice = candor.advise(items=10, respondents=10_000, gamma=19)
    >>> advice.to_frame().head(2).round(4)
                       family  blocks  asked  gamma    se_1    se_2
    0       sampled, one coin       1      4   19.0  0.0149  0.0181
    1  flips by a tuned table       1      7   19.0  0.0159  0.0195
    >>> candor.guarantee(advice.design).gamma <= 19
    True
    >>> advice.reach(0.02).respondents
    8234
    >>> round(float(candor.advise(items=10, respondents=10_000, epsilon=2).design.gamma), 2)
    7.39
    >>> guesses = dict.fromkeys("abcde", 0.05) | {"f": 0.02}
    >>> rare = candor.advise(list("abcdef"), 10_000, 19, length=1, prevalence=guesses)
    >>> rare.recommended.family
    'one of yours'
    >>> own = candor.advise(items=3, respondents=1_000, gamma=19, by="person")
    >>> own.choice.names
    ('unrelated', 'die', 'truth: 4 of 6')
    >>> candor.advise({"drugs": ["no", "yes"], "age": {"min": 0, "max": 99}}, 10_000, 19).to_frame()
       items  asked                              disguise
    0  drugs      1                     keep 0.4939709315
    1    age      1  number square-wave, epsilon 1.861839
    """
    arguments.choice(by, "by", ("device", "person"))
    beside = {"prevalence": prevalence, "alone": alone, "most_asked": most_asked}
    topics = _read_grids(items, beside)
    questions = () if topics else questions_of(items, prevalence)
    if alone is not None and not topics:
        if all(arguments.text(alone, "alone") not in question.options for question in questions):
            raise InputError(f"alone: {alone!r} is no answer of any item.")
        questions = tuple(replace(one, alone=alone) if alone in one.options else one for one in questions)
    people, limit = arguments.whole_number(respondents, "respondents"), _limit(gamma, epsilon)
    longest = min(2, len(topics or questions)) if length is None else arguments.whole_number(length, "length")
    direct = arguments.number(direct_share, "direct_share")
    if topics:
        return plan_questionnaire(topics, people, limit, longest, direct)
    asked = None if most_asked is None else arguments.whole_number(most_asked, "most_asked")
    brief = Brief(questions, people, limit, longest, direct, asked)
    return own_draws(brief) if by == "person" else best_designs(brief)


def _limit(gamma: float | Fraction | None, epsilon: float | Fraction | None) -> Fraction:
    if epsilon is None and gamma is not None:
        return arguments.exact_number(gamma, "gamma")
    if gamma is not None or epsilon is None:
        raise InputError("Give the promise as gamma or as epsilon, one of them.")
    return gamma_of_epsilon(arguments.exact_number(epsilon, "epsilon"))


def questions_of(
    items: int | Sequence[str] | Mapping[str, Any], prevalence: Prevalence | None
) -> tuple[ExpectedItem, ...]:
    """The questions of a request: a number of yes/no items, their names, or names with options.

    >>> [item.id for item in questions_of(2, None)], [item.expected for item in questions_of(["drugs"], 0.25)]
    (['item1', 'item2'], [(0.75, 0.25)])
    """
    if isinstance(items, Mapping):
        questions = tuple(
            ExpectedItem(arguments.text(name, "items"), tuple(arguments.texts(options, f"items[{name!r}]")))
            for name, options in items.items()
        )
    elif isinstance(items, Integral):
        questions = yes_no(arguments.whole_number(items, "items"))
    else:
        questions = tuple(ExpectedItem(name) for name in arguments.texts(items, "items"))
        yes_no(len(questions))  # refuses too many
    return questions if prevalence is None else with_guesses(questions, prevalence)


def _read_grids(items: Any, beside: Mapping[str, Any]) -> list[ExpectedItem | GridItem]:
    """Items among which are numbers or places; arguments given `beside` are refused there. Empty: there are none."""
    if not isinstance(items, Mapping) or not any(isinstance(entry, Mapping) for entry in items.values()):
        return []
    if given := next((name for name, value in beside.items() if value), None):
        raise InputError(f"{given} cannot be computed if questions have numbers or places.")
    topics = []
    for name, entry in items.items():
        where = f"items[{name!r}]"
        own = entry if isinstance(entry, Mapping) else {"options": list(arguments.texts(entry, where))}
        topics.append(question({"id": arguments.text(name, "items"), **own}, where))
    return topics


def parse_questions(source: str | bytes) -> tuple[ExpectedItem | GridItem, ...]:
    """{"items": [{"id": "drugs", "expected": 0.05}, {"id": "age", "options": [...], "expected": [...]}]}.

    `expected` may be left out of all items; for a yes/no item it is the share of yes, or a word such as "rare"
    (`privacy.plan.request`). `alone` names an option that no pattern pairs with others, such as "prefer not to
    say". A number has `min`, `max` and perhaps `step` in place of options, a place `width`, `height`, `cell` and
    perhaps `zones`.

    >>> (drugs,) = parse_questions('{"items": [{"id": "drugs", "expected": 0.05}]}')
    >>> drugs.id, drugs.expected
    ('drugs', (0.95, 0.05))
    """
    document = reading.document(source, "the list of questions")
    reading.only_keys(document, ("items",), "questions")
    entries = reading.read_filled_list(document, "items", "questions")
    return tuple(
        question(reading.mapping(entry, f"items[{index}]"), f"items[{index}]") for index, entry in enumerate(entries)
    )


def question(entry: Mapping[str, Any], where: str) -> ExpectedItem | GridItem:
    """One item of such a list; `where` names it in a refusal.

    >>> question({"id": "age", "options": ["18-29", "30+"]}, "items[0]").options
    ('18-29', '30+')
    """
    for recipe, advised in blocks.ADVISED.items():
        if advised.takes(entry):
            reading.only_keys(entry, ("id", *advised.keys), where)
            item = {key: entry[key] for key in advised.keys if key in entry}
            _check_grid_item(recipe, item, where)
            return GridItem(reading.text(entry, "id", where), recipe, json.dumps(item))
    reading.only_keys(entry, ("id", "options", "expected", "alone"), where)
    name = reading.text(entry, "id", where)
    options = reading.labels(entry["options"], f"{where}.options") if "options" in entry else YES_NO
    alone = reading.text(entry, "alone", where) if "alone" in entry else None
    return ExpectedItem(name, options, _read_expected(entry, where), alone)


def _read_expected(entry: Mapping[str, Any], where: str) -> tuple[float, ...] | None:
    if "expected" not in entry:
        return None
    if "options" not in entry:
        said = entry["expected"]
        yes = (
            share_of(said, f"{where}.expected")
            if isinstance(said, str)
            else float(reading.share(entry, "expected", where))
        )
        return 1 - yes, yes
    shares = reading.items(entry["expected"], f"{where}.expected")
    return tuple(float(reading.share({"": share}, "", f"{where}.expected")) for share in shares)


def _check_grid_item(recipe: str, item: Mapping[str, Any], where: str) -> None:
    """Refuse an item on a grid that its recipe cannot disguise; the refusal names the item's own place."""
    try:
        (block,) = blocks.RECIPES[recipe].write(blocks.ADVISED[recipe].settings(1.0), [{"id": "x", **item}])
        blocks.read(block, where, DECIMAL)
    except InputError as refusal:
        raise InputError(str(refusal).replace(f"{where}.items[0]", where)) from None


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
    names = [question.id for question in questions]
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
    return tuple(replace(question, expected=_shares_in(question, estimates)) for question in questions)


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
