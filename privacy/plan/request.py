"""What analysts ask of the advisor: items by their number, by names or with options, and the design that errs least."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal, overload

from privacy.choices import Disguiser
from privacy.design import arguments
from privacy.design.brief import Brief, ExpectedItem, yes_no
from privacy.errors import InputError
from privacy.plan.advice import Advice, best_designs
from privacy.plan.own_draw import OwnAdvice, own_draws
from privacy.plan.prevalences import Prevalence, with_guesses
from privacy.plan.questionnaire import GridItem, Questionnaire, plan_questionnaire
from privacy.plan.questions import mark_promise, question

if TYPE_CHECKING:
    from fractions import Fraction


@overload
def advise(
    items: "int | Sequence[str] | Mapping[str, Sequence[str]]",
    respondents: int,
    gamma: "float | Fraction",
    *,
    length: int | None = None,
    prevalence: Prevalence | None = None,
    alone: str | None = None,
    direct_share: float = 0.0,
    most_asked: int | None = None,
    one_sided: bool = False,
    by: Literal["device"] = "device",
) -> Advice: ...


@overload
def advise(
    items: "int | Sequence[str] | Mapping[str, Sequence[str]]",
    respondents: int,
    gamma: "float | Fraction",
    *,
    length: int | None = None,
    prevalence: Prevalence | None = None,
    direct_share: float = 0.0,
    most_asked: int | None = None,
    one_sided: bool = False,
    by: Literal["person"],
) -> OwnAdvice: ...


@overload
def advise(
    items: "Mapping[str, Sequence[str] | Mapping[str, Any]]",
    respondents: int,
    gamma: "float | Fraction",
    *,
    length: int | None = None,
    direct_share: float = 0.0,
) -> Advice | Questionnaire: ...


def advise(
    items: "int | Sequence[str] | Mapping[str, Sequence[str]] | Mapping[str, Sequence[str] | Mapping[str, Any]]",
    respondents: int,
    gamma: "float | Fraction",
    *,
    length: int | None = None,
    prevalence: Prevalence | None = None,
    alone: str | None = None,
    direct_share: float = 0.0,
    most_asked: int | None = None,
    one_sided: bool = False,
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
    gamma : float or Fraction
        The largest γ of a whole record; 19 lets a belief go from 5 % to 50 % at most.
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
    one_sided : bool
        Whether to protect only the yes of yes/no items: a no is harmless and is not hidden, and `gamma` is then the
        most that the odds of the yes can grow.
    by : {'device', 'person'}
        Who draws: devices, or people themselves, among chances that people can draw, with a die, cards or a birthday.

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
    0         sampled, one coin       1      4   19.0  0.0149  0.0181
    1  flips by radius, sampled       1      4   19.0  0.0149  0.0181
    >>> candor.guarantee(advice.design).gamma <= 19
    True
    >>> advice.reach(0.02).respondents
    8234
    >>> candor.guarantee(candor.advise(items=2, respondents=10_000, gamma=19, one_sided=True).design).odds <= 19
    True
    >>> guesses = dict.fromkeys("abcde", 0.05) | {"f": 0.02}
    >>> rare = candor.advise(list("abcdef"), 10_000, 19, length=1, prevalence=guesses)
    >>> rare.recommended.family
    'one of yours'
    >>> own = candor.advise(items=3, respondents=1_000, gamma=19, by="person")
    >>> own.choice.names
    ('coins', 'die', 'truth: 3 of 6')
    >>> candor.advise({"drugs": ["no", "yes"], "age": {"min": 0, "max": 99}}, 10_000, 19).to_frame()
       items  asked                              disguise
    0  drugs      1                     keep 0.4939709315
    1    age      1  number square-wave, epsilon 1.861839
    """
    one_sided = arguments.flag(one_sided, "one_sided")
    arguments.choice(by, "by", ("device", "person"))
    beside = {"prevalence": prevalence, "alone": alone, "most_asked": most_asked, "one_sided": one_sided}
    topics = _read_grids(items, beside)
    promise = "one_sided" if one_sided else ""
    questions = () if topics else mark_promise(questions_of(items, prevalence), promise)
    if alone is not None and not topics:
        questions = _with_option_alone(questions, arguments.text(alone, "alone"))
    people, limit = arguments.whole_number(respondents, "respondents"), arguments.exact_number(gamma, "gamma")
    longest = min(2, len(topics or questions)) if length is None else arguments.whole_number(length, "length")
    direct = arguments.number(direct_share, "direct_share")
    if topics:
        return plan_questionnaire(topics, people, limit, longest, direct)
    asked = None if most_asked is None else arguments.whole_number(most_asked, "most_asked")
    brief = Brief(questions, people, limit, longest, direct, asked, promise)
    return own_draws(brief) if by == "person" else best_designs(brief)


def _with_option_alone(questions: tuple[ExpectedItem, ...], alone: str) -> tuple[ExpectedItem, ...]:
    if not any(alone in one.options for one in questions):
        raise InputError(f"alone: {alone!r} is no answer of any item.")
    return tuple(replace(one, alone=alone) if alone in one.options else one for one in questions)


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
    return [
        question({"id": arguments.text(name, "items"), **_as_entry(name, entry)}, f"items[{name!r}]")
        for name, entry in items.items()
    ]


def _as_entry(name: str, entry: Any) -> Mapping[str, Any]:
    return entry if isinstance(entry, Mapping) else {"options": list(arguments.texts(entry, f"items[{name!r}]"))}
