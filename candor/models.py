"""The models of randomised response by name, each as a design.

Every function takes `items`: names of yes/no items, or where the model has categories a mapping from names to their
options. With `ask` each respondent is asked only so many of the items, drawn at random. Unless `direct` is False a
respondent may choose to answer undisguised. Designs are joined by `+`, each keeping its own coins.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from candor import arguments
from candor.designs import Design

__all__ = [
    "binary",
    "crosswise",
    "flip",
    "forced_response",
    "gamma_diagonal",
    "grouped",
    "improved_grouped",
    "k_ary",
    "one_sided",
    "patterned",
    "unrelated_question",
    "warner",
]

Items = Sequence[str] | Mapping[str, Sequence[str]]


def warner(items: Sequence[str], theta: float, *, ask: int | None = None, direct: bool = True) -> Design:
    """Ask the question itself with probability `theta`, and otherwise its opposite (Warner 1965).

    Parameters
    ----------
    items : sequence of str
        Names of yes/no items; each has a coin of its own.
    theta : float
        The chance of the question itself, on either side of one half.
    ask : int, optional
        How many of the items each respondent is asked.
    direct : bool
        Whether respondents may choose to answer undisguised.

    Returns
    -------
    Design

    Raises
    ------
    InputError
        Where `theta` is one half, which leaves nothing of any answer.

    Examples
    --------
    >>> import candor
    >>> candor.models.warner(["drugs"], theta=0.7).guarantee().gamma
    Fraction(3006477107, 1288490189)
    """
    return _design("warner", items, ask, direct, theta=theta)


def crosswise(items: Sequence[str], prevalence: float, *, ask: int | None = None, direct: bool = True) -> Design:
    """Ask whether the sensitive answer and that to an innocent question are the same (Yu, Tian and Tang 2008).

    Parameters
    ----------
    items : sequence of str
        Names of yes/no items. A record is 1 where both answers are the same.
    prevalence : float
        How common the innocent fact is, on either side of one half.
    ask : int, optional
        How many of the items each respondent is asked.
    direct : bool
        Whether respondents may choose to answer undisguised.

    Returns
    -------
    Design

    Examples
    --------
    >>> import candor
    >>> design = candor.models.crosswise(["plagiarism"], prevalence=0.25)
    >>> design == candor.models.warner(["plagiarism"], theta=0.25)
    True
    """
    return _design("crosswise", items, ask, direct, prevalence=prevalence)


def unrelated_question(
    items: Sequence[str], p: float, theta: float | Sequence[float], *, ask: int | None = None, direct: bool = True
) -> Design:
    """Ask the question with probability `p`, and otherwise an innocent one (Greenberg and others 1969).

    Parameters
    ----------
    items : sequence of str
        Names of yes/no items; each has a coin of its own.
    p : float
        The chance of the sensitive question.
    theta : float or sequence of float
        How likely the innocent question is answered yes: one share for all items, or one for each.
    ask : int, optional
        How many of the items each respondent is asked.
    direct : bool
        Whether respondents may choose to answer undisguised.

    Returns
    -------
    Design

    Examples
    --------
    >>> import candor
    >>> candor.models.unrelated_question(["a", "b"], p=0.7, theta=[0.5, 0.2])
    2 items; gamma 71.7778; respondents may answer directly
    block  draws     items
    1      keep 0.7  a (theta 0.5)
    2      keep 0.7  b (theta 0.2)
    """
    return _design("unrelated-question", items, ask, direct, p=p, theta=theta)


def forced_response(
    items: Sequence[str], p: float, yes: float, *, ask: int | None = None, direct: bool = True
) -> Design:
    """Take the truth with probability `p`, a forced yes with `yes`, a forced no otherwise (Boruch 1971).

    Parameters
    ----------
    items : sequence of str
        Names of yes/no items; each has a coin of its own.
    p : float
        The chance of the truth.
    yes : float
        The chance of a forced yes, among all answers.
    ask : int, optional
        How many of the items each respondent is asked.
    direct : bool
        Whether respondents may choose to answer undisguised.

    Returns
    -------
    Design

    Examples
    --------
    A die: the truth from 1 to 4, a yes at 5, a no at 6.

    >>> import candor
    >>> float(candor.models.forced_response(["cheating"], p=2 / 3, yes=1 / 6).guarantee().gamma)
    5.000000001396984
    """
    return _design("forced-response", items, ask, direct, p=p, yes=yes)


def binary(items: Sequence[str], u: float, v: float, *, ask: int | None = None, direct: bool = True) -> Design:
    """Record a true yes as yes with probability `u`, and a true no as yes with probability `v`.

    Parameters
    ----------
    items : sequence of str
        Names of yes/no items; each has a coin of its own.
    u, v : float
        P(1 | 1) and P(1 | 0); `u` is not below `v`.
    ask : int, optional
        How many of the items each respondent is asked.
    direct : bool
        Whether respondents may choose to answer undisguised.

    Returns
    -------
    Design

    Examples
    --------
    >>> import candor
    >>> float(candor.models.binary(["a"], u=0.75, v=0.25).guarantee().gamma)
    3.0
    """
    return _design("binary", items, ask, direct, u=u, v=v)


def improved_grouped(
    items: Sequence[str], p: float, theta: float | Sequence[float], *, ask: int | None = None, direct: bool = True
) -> Design:
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
    ask : int, optional
        How many of the items each respondent is asked.
    direct : bool
        Whether respondents may choose to answer undisguised.

    Returns
    -------
    Design

    Examples
    --------
    >>> import candor
    >>> candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    2 items; gamma 3.67858; respondents may answer directly
    block  draws     items
    1      keep 0.3  drugs (theta 0.6), cheating (theta 0.6)
    """
    return _design("improved-grouped", items, ask, direct, p=p, theta=theta)


def grouped(items: Sequence[str], p: float, theta: float, *, direct: bool = True) -> Design:
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

    Returns
    -------
    Design

    Examples
    --------
    >>> import candor
    >>> candor.models.grouped(["drugs", "cheating"], p=0.3, theta=0.6).guarantee().gamma
    inf
    """
    return _design("grouped", items, None, direct, p=p, theta=theta)


def k_ary(items: Items, p: float, *, ask: int | None = None, direct: bool = True) -> Design:
    """Keep the true option with probability `p`, else draw an option evenly: k-ary randomised response.

    Parameters
    ----------
    items : sequence of str, or mapping of str to sequence of str
        Names of items; a mapping gives their options. Each item has a coin of its own.
    p : float
        The chance that the true option stays.
    ask : int, optional
        How many of the items each respondent is asked.
    direct : bool
        Whether respondents may choose to answer undisguised.

    Returns
    -------
    Design

    Examples
    --------
    >>> import candor
    >>> candor.models.k_ary({"party": ["left", "centre", "right"]}, p=0.5).guarantee().gamma
    Fraction(5726623061, 1431655765)
    """
    return _design("k-ary", items, ask, direct, p=p)


def gamma_diagonal(items: Items, gamma: float, *, ask: int | None = None, direct: bool = True) -> Design:
    """Toss one coin for all items with even noise, so that γ is just `gamma` (Agrawal and Haritsa 2005).

    Parameters
    ----------
    items : sequence of str, or mapping of str to sequence of str
        Names of items; a mapping gives their options.
    gamma : float
        The largest γ of a record, above 1.
    ask : int, optional
        How many of the items each respondent is asked.
    direct : bool
        Whether respondents may choose to answer undisguised.

    Returns
    -------
    Design

    Examples
    --------
    >>> import candor
    >>> design = candor.models.gamma_diagonal({"age": ["18-29", "30-49", "50+"]}, gamma=19)
    >>> design.guarantee().gamma <= 19
    True
    """
    return _design("gamma-diagonal", items, ask, direct, gamma=gamma)


def flip(items: Sequence[str], gamma: float, radius: int, *, ask: int | None = None, direct: bool = True) -> Design:
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
    ask : int, optional
        How many of the items each respondent is asked.
    direct : bool
        Whether respondents may choose to answer undisguised.

    Returns
    -------
    Design

    Examples
    --------
    >>> import candor
    >>> names = [f"q{place}" for place in range(10)]
    >>> float(candor.models.flip(names, gamma=19, radius=2).guarantee().gamma)
    18.999999975968922
    """
    return _design("flip", items, ask, direct, gamma=gamma, radius=radius)


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
    ask : int, optional
        How many of the items each respondent is asked.
    direct : bool
        Whether respondents may choose to answer undisguised.

    Returns
    -------
    Design

    Examples
    --------
    >>> import candor
    >>> promise = candor.models.one_sided(["harassed"], g=0.2).guarantee()
    >>> promise.gamma, round(float(promise.odds), 6)
    (inf, 5.0)
    """
    entries = [{"id": name, "harmless": harmless} for name in arguments.texts(items, "items")]
    block: dict[str, Any] = {"one-sided": _plain(g), "items": entries}
    return Design.parse({"direct": direct, "blocks": [block if ask is None else block | {"ask": _plain(ask)}]})


def patterned(
    items: Sequence[str], gamma: float, *, ask: int | None = None, length: int | None = None, direct: bool = True
) -> Design:
    """Turn over sets of places in a public order of the answers, some of them γ times as likely as the others.

    For γ near e, or many items: which sets these are is found for patterns up to a length, and beats flips there.

    Parameters
    ----------
    items : sequence of str
        Names of yes/no items.
    gamma : float
        The largest γ of a record, above 1.
    ask : int, optional
        How many of the items each respondent is asked, from 2 to 5.
    length : int, optional
        The longest patterns that matter; three, if it is not said.
    direct : bool
        Whether respondents may choose to answer undisguised.

    Returns
    -------
    Design

    Examples
    --------
    >>> import candor
    >>> names = [f"q{place}" for place in range(20)]
    >>> candor.models.patterned(names, gamma=2.5, ask=4).guarantee().gamma <= 2.5
    True
    """
    own = {} if length is None else {"length": length}
    return _design("patterned", items, ask, direct, gamma=gamma, **own)


def _design(model: str, items: Items, ask: int | None, direct: bool, **fields: Any) -> Design:
    entry: dict[str, Any] = {"candor": 1, "direct": direct, "model": model, "items": _entries(items)}
    entry |= {name: _plain(value) for name, value in fields.items()}
    return Design.parse(entry if ask is None else entry | {"ask": _plain(ask)})


def _entries(items: Items) -> Any:
    if isinstance(items, Mapping):
        return [{"id": name, "options": list(arguments.texts(options, name))} for name, options in items.items()]
    return (
        items if isinstance(items, str) else list(arguments.texts(items, "items"))
    )  # a lone text is refused as no list


def _plain(value: Any) -> Any:
    """Python's own number of one of numpy's, and a list of any sequence of them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return list(map(_plain, value)) if isinstance(value, list | tuple) else value
