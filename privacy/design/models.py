"""The models of randomised response: each row has its name, its parameters, what is said of them, and its blocks.

A design names a model in JSON, with the parameters as keys (docs/design.md, "One channel covers the models"). Analysts
call the row as a function, from `candor.models`.
"""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from typing import Any, ParamSpec

from privacy.design import arguments, model_blocks
from privacy.design.design import Design
from privacy.design.reading import quote
from privacy.errors import InputError

Items = Sequence[str] | Mapping[str, Sequence[str]]
_Given = ParamSpec("_Given")

_IN_EVERY = ("items", "ask", "direct")
_SAMPLED = "ask, direct\n    As in every model: see `candor.models`.\n"


def _model(build: model_blocks.Build) -> Callable[[Callable[_Given, None]], Callable[_Given, Design]]:
    """Make a row of a function that only says what a model is; what is called in its place makes a design."""

    def face_of(row: Callable[_Given, None]) -> Callable[_Given, Design]:
        name, signature = row.__name__.replace("_", "-"), inspect.signature(row)
        model_blocks.MODELS[name] = tuple(key for key in signature.parameters if key not in _IN_EVERY), build

        @wraps(row)
        def face(*args: _Given.args, **kwargs: _Given.kwargs) -> Design:
            row(*args, **kwargs)  # Python says what is wrong with a call
            given = signature.bind(*args, **kwargs)
            given.apply_defaults()
            return _design_of(name, **given.arguments)

        vars(face)["__signature__"] = signature.replace(return_annotation=Design)
        face.__annotations__ = row.__annotations__ | {"return": Design}
        about, title, rest = re.split(r"^(Raises|Examples)$", inspect.getdoc(row) or "", maxsplit=1, flags=re.MULTILINE)
        sampled = _SAMPLED if "ask" in signature.parameters else ""
        face.__doc__ = f"{about.rstrip()}\n{sampled}\n{title}{rest}"
        return face

    return face_of


@_model(partial(model_blocks.opposites, "theta"))
def warner(items: Sequence[str], theta: float, *, ask: int | None = None, direct: bool = True) -> None:
    """Ask the question itself with probability `theta`, and otherwise its opposite (Warner 1965).

    Parameters
    ----------
    items : sequence of str
        Names of yes/no items; each has a coin of its own.
    theta : float
        The chance of the question itself, on either side of one half.

    Raises
    ------
    InputError
        Where `theta` is one half, which leaves nothing of any answer.

    Examples
    --------
    >>> import candor
    >>> candor.guarantee(candor.models.warner(["drugs"], theta=0.7)).gamma
    Fraction(3006477107, 1288490189)
    """


@_model(model_blocks.unrelated_question)
def unrelated_question(
    items: Sequence[str], p: float, theta: float | Sequence[float], *, ask: int | None = None, direct: bool = True
) -> None:
    """Ask the question with probability `p`, and otherwise an innocent one (Greenberg and others 1969).

    Parameters
    ----------
    items : sequence of str
        Names of yes/no items; each has a coin of its own.
    p : float
        The chance of the sensitive question.
    theta : float or sequence of float
        How likely the innocent question is answered yes: one share for all items, or one for each.

    Examples
    --------
    >>> import candor
    >>> candor.models.unrelated_question(["a", "b"], p=0.7, theta=[0.5, 0.2])
    2 items; gamma 71.7778; respondents may answer directly
    block  draws     items
    1      keep 0.7  a (theta 0.5)
    2      keep 0.7  b (theta 0.2)
    """


@_model(model_blocks.forced_response)
def forced_response(items: Sequence[str], p: float, yes: float, *, ask: int | None = None, direct: bool = True) -> None:
    """Take the truth with probability `p`, a forced yes with `yes`, a forced no otherwise (Boruch 1971).

    Parameters
    ----------
    items : sequence of str
        Names of yes/no items; each has a coin of its own.
    p : float
        The chance of the truth.
    yes : float
        The chance of a forced yes, among all answers.

    Examples
    --------
    A die: the truth from 1 to 4, a yes at 5, a no at 6.

    >>> import candor
    >>> float(candor.guarantee(candor.models.forced_response(["cheating"], p=2 / 3, yes=1 / 6)).gamma)
    5.000000001396984
    """


@_model(partial(model_blocks.opposites, "prevalence"))
def crosswise(items: Sequence[str], prevalence: float, *, ask: int | None = None, direct: bool = True) -> None:
    """Ask whether the sensitive answer and that to an innocent question are the same (Yu, Tian and Tang 2008).

    Parameters
    ----------
    items : sequence of str
        Names of yes/no items. A record is 1 where both answers are the same.
    prevalence : float
        How common the innocent fact is, on either side of one half.

    Examples
    --------
    >>> import candor
    >>> design = candor.models.crosswise(["plagiarism"], prevalence=0.25)
    >>> design == candor.models.warner(["plagiarism"], theta=0.25)
    True
    """


@_model(model_blocks.grouped)
def grouped(items: Sequence[str], p: float, theta: float, *, direct: bool = True) -> None:
    """Keep all true answers with probability `p`, else say yes to all (`theta`) or no to all: for study, it leaks.

    The predecessor of the improved model, of 2010. A record that mixes yes and no can only be the truth; `candor.leak`
    lists such records.

    Parameters
    ----------
    items : sequence of str
        Names of yes/no items.
    p : float
        The chance that the true answers stay.
    theta : float
        The chance that what replaces them is yes.
    direct : bool
        Whether respondents may choose to answer undisguised.

    Examples
    --------
    >>> import candor
    >>> candor.guarantee(candor.models.grouped(["drugs", "cheating"], p=0.3, theta=0.6)).gamma
    inf
    """


@_model(model_blocks.improved_grouped)
def improved_grouped(
    items: Sequence[str], p: float, theta: float | Sequence[float], *, ask: int | None = None, direct: bool = True
) -> None:
    """Toss one coin for all items: all true answers stay with probability `p`, else each is drawn from its noise.

    The improved grouped unrelated-question model. It tells most about items together, and protects less the more
    items share the coin: with `ask` the coin covers only those that are asked.

    Parameters
    ----------
    items : sequence of str
        Names of yes/no items.
    p : float
        The chance that the true answers stay.
    theta : float or sequence of float
        How likely the noise says yes: one share for all items, or one for each.

    Examples
    --------
    >>> import candor
    >>> candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    2 items; gamma 3.67858; respondents may answer directly
    block  draws     items
    1      keep 0.3  drugs (theta 0.6), cheating (theta 0.6)
    """


@_model(model_blocks.k_ary)
def k_ary(items: Items, p: float, *, ask: int | None = None, direct: bool = True) -> None:
    """Keep the true option with probability `p`, else draw an option evenly: k-ary randomised response.

    Parameters
    ----------
    items : sequence of str, or mapping of str to sequence of str
        Names of items; a mapping gives their options. Each item has a coin of its own.
    p : float
        The chance that the true option stays.

    Examples
    --------
    >>> import candor
    >>> candor.guarantee(candor.models.k_ary({"party": ["left", "centre", "right"]}, p=0.5)).gamma
    Fraction(5726623061, 1431655765)
    """


@_model(model_blocks.gamma_diagonal)
def gamma_diagonal(items: Items, gamma: float, *, ask: int | None = None, direct: bool = True) -> None:
    """Toss one coin for all items with even noise, so that γ is just `gamma` (Agrawal and Haritsa 2005).

    Parameters
    ----------
    items : sequence of str, or mapping of str to sequence of str
        Names of items; a mapping gives their options.
    gamma : float
        The largest γ of a record, above 1.

    Examples
    --------
    >>> import candor
    >>> design = candor.models.gamma_diagonal({"age": ["18-29", "30-49", "50+"]}, gamma=19)
    >>> candor.guarantee(design).gamma <= 19
    True
    """


@_model(model_blocks.flip)
def flip(items: Sequence[str], gamma: float, radius: int, *, ask: int | None = None, direct: bool = True) -> None:
    """Turn over some of the yes/no answers: more than `radius` of them γ times less likely than fewer.

    Flips stay both safe and useful on long questionnaires (after Duchi, Jordan and Wainwright 2018).

    Parameters
    ----------
    items : sequence of str
        Names of yes/no items.
    gamma : float
        The largest γ of a record, above 1.
    radius : int
        The most answers that are turned over with the larger chance, from 0 to one less than the items.

    Examples
    --------
    >>> import candor
    >>> names = [f"q{place}" for place in range(10)]
    >>> float(candor.guarantee(candor.models.flip(names, gamma=19, radius=2)).gamma)
    18.999999975968922
    """


@_model(model_blocks.binary)
def binary(items: Sequence[str], u: float, v: float, *, ask: int | None = None, direct: bool = True) -> None:
    """Record a true yes as yes with probability `u`, and a true no as yes with probability `v`.

    Parameters
    ----------
    items : sequence of str
        Names of yes/no items; each has a coin of its own.
    u, v : float
        P(1 | 1) and P(1 | 0); `u` is not below `v`.

    Examples
    --------
    >>> import candor
    >>> float(candor.guarantee(candor.models.binary(["a"], u=0.75, v=0.25)).gamma)
    3.0
    """


model_blocks.MODELS["one-of"] = ("gamma", "cap", "longest", "weights", "groups", "least"), model_blocks.one_of


def one_of(
    items: Items,
    gamma: float,
    cap: float | None = None,
    *,
    longest: int = 1,
    weights: Sequence[float] | None = None,
    least: int | None = None,
    harmless: Mapping[str, str] | None = None,
    alone: Mapping[str, str] | None = None,
    groups: int | None = None,
    direct: bool = True,
) -> Design:
    """Send one word of a public list, or nothing: far fewer people where what is asked is rare.

    Everybody answers all items. A word is a telling answer, or a set of up to `longest` of them; each word that is true
    of a person has `gamma` times the chance that it has from others, until these add up to what a person with `cap`
    telling answers has. A person with more sends each of them less often; a loss word measures how much.

    Parameters
    ----------
    items : sequence of str, or mapping of str to sequence of str
        Names of items; a mapping gives their options.
    gamma : float
        What the chances of the list are made for: no record changes any odds by more.
    cap : float
        How many telling answers a person can have before they are sent less often; `least` where that is given.
    longest : int
        How many answers a word may hold.
    weights : sequence of float, optional
        How much the words of each length weigh, above 0 and at most 1; all the same where nothing is said.
    least : int, optional
        Of so many answers a word with `longest` of them is true: 2 of 4, for at least six yes/no items.
    harmless : mapping of str to str, optional
        The answer of an item that is in no word: no of a yes/no item, else the first option, where it is not named.
    alone : mapping of str to str, optional
        The answer of an item, such as "prefer not to say", that is a word by itself and in no word with others.
    groups : int, optional
        For a long list: a prime up to 127. A record then names one of `groups` · (`groups` + 1) groups of words.
    direct : bool
        Whether respondents may choose to answer undisguised.

    Examples
    --------
    >>> import candor
    >>> design = candor.models.one_of(["drugs", "cheating", "theft"], gamma=19, cap=2)
    >>> candor.guarantee(design).gamma <= 19
    True
    """
    given, apart = dict(harmless or {}), dict(alone or {})
    entries = []
    for entry in _entries_of(items):
        named = {"id": entry} if isinstance(entry, str) else dict(entry)
        name, first = named["id"], next(iter(named.get("options", ())), "0")
        lone = {"alone": apart.pop(name)} if name in apart else {}
        entries.append(named | {"harmless": given.pop(name, first)} | lone)
    for what, left in (("harmless", given), ("alone", apart)):
        if left:
            raise InputError(f"{what}: {quote(next(iter(left)))} is no item of this model.")
    document = {"model": "one-of", "gamma": to_builtin(gamma), "longest": to_builtin(longest)}
    numbers = {"cap": least if cap is None else cap, "groups": groups, "least": least}
    document |= {name: to_builtin(value) for name, value in numbers.items() if value is not None}
    document |= {} if weights is None else {"weights": [to_builtin(weight) for weight in weights]}
    return _parse(document | {"items": entries, "direct": arguments.flag(direct, "direct")}, "design")


def one_sided(
    items: Sequence[str], g: float, *, harmless: str = "0", ask: int | None = None, direct: bool = True
) -> Design:
    """Turn a harmless answer into the other one with chance `g`, and leave the other one ("hard garbling").

    The promise is one-sided. The odds that somebody gave the other answer grow at most by 1/g; a harmless answer in a
    record is true, so that γ is infinite.

    Parameters
    ----------
    items : sequence of str
        Names of yes/no items; each is turned apart.
    g : float
        The chance that a harmless answer is turned.
    harmless : {'0', '1'}
        The answer that harms nobody who is known to have given it.
    ask, direct
        As in every model: see `candor.models`.

    Examples
    --------
    >>> import candor
    >>> promise = candor.guarantee(candor.models.one_sided(["harassed"], g=0.2))
    >>> promise.gamma, round(float(promise.odds), 6)
    (inf, 5.0)
    """
    entries = [{"id": name, "harmless": harmless} for name in arguments.texts(items, "items")]
    block: dict[str, Any] = {"one-sided": to_builtin(g), "items": entries}
    blocks = [block if ask is None else block | {"ask": to_builtin(ask)}]
    return _parse({"direct": arguments.flag(direct, "direct"), "blocks": blocks}, "blocks[0]", **{"one-sided": "g"})


def _design_of(model: str, items: Items, direct: bool, ask: int | None = None, **fields: Any) -> Design:
    entry = {"model": model, "items": _entries_of(items)} | {name: to_builtin(value) for name, value in fields.items()}
    entry |= {"candor": 1, "direct": arguments.flag(direct, "direct")}
    return _parse(entry if ask is None else entry | {"ask": to_builtin(ask)}, "design")


def _parse(document: Mapping[str, Any], within: str, **names: str) -> Design:
    """Parse a design. A refusal of a field `within` it names the argument: by `names`, or like the field."""
    try:
        return Design.parse(document)
    except InputError as error:
        place, colon, rule = str(error).removeprefix(f"{within}.").partition(":")
        raise InputError(f"{names.get(place, place)}{colon}{rule}") from None


def _entries_of(items: Items) -> Any:
    """The items as a design names them: with their options, where they have some."""
    if isinstance(items, Mapping):
        return [{"id": name, "options": list(arguments.texts(options, name))} for name, options in items.items()]
    if isinstance(items, str):
        return items  # a lone text is refused as no list
    return list(arguments.texts(items, "items"))


def to_builtin(value: Any) -> Any:
    """Python's own number of one of numpy's, and a list of any sequence of them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return list(map(to_builtin, value)) if isinstance(value, list | tuple) else value
