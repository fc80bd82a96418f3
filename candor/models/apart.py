"""Models in which each item has randomness of its own, so that answers protect each other."""

from collections.abc import Sequence
from typing import Any

from candor.models.named import Items, design_of_model, parse_document, plain
from privacy.design import Design, arguments


def warner(items: Sequence[str], theta: float, *, ask: int | None = None, direct: bool = True) -> Design:
    """Ask the question itself with probability `theta`, and otherwise its opposite (Warner 1965).

    Parameters
    ----------
    items : sequence of str
        Names of yes/no items; each has a coin of its own.
    theta : float
        The chance of the question itself, on either side of one half.
    ask, direct
        As in every model: see `candor.models`.

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
    >>> candor.guarantee(candor.models.warner(["drugs"], theta=0.7)).gamma
    Fraction(3006477107, 1288490189)
    """
    return design_of_model("warner", items, ask, direct, theta=theta)


def crosswise(items: Sequence[str], prevalence: float, *, ask: int | None = None, direct: bool = True) -> Design:
    """Ask whether the sensitive answer and that to an innocent question are the same (Yu, Tian and Tang 2008).

    Parameters
    ----------
    items : sequence of str
        Names of yes/no items. A record is 1 where both answers are the same.
    prevalence : float
        How common the innocent fact is, on either side of one half.
    ask, direct
        As in every model: see `candor.models`.

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
    return design_of_model("crosswise", items, ask, direct, prevalence=prevalence)


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
    ask, direct
        As in every model: see `candor.models`.

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
    return design_of_model("unrelated-question", items, ask, direct, p=p, theta=theta)


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
    ask, direct
        As in every model: see `candor.models`.

    Returns
    -------
    Design

    Examples
    --------
    A die: the truth from 1 to 4, a yes at 5, a no at 6.

    >>> import candor
    >>> float(candor.guarantee(candor.models.forced_response(["cheating"], p=2 / 3, yes=1 / 6)).gamma)
    5.000000001396984
    """
    return design_of_model("forced-response", items, ask, direct, p=p, yes=yes)


def binary(items: Sequence[str], u: float, v: float, *, ask: int | None = None, direct: bool = True) -> Design:
    """Record a true yes as yes with probability `u`, and a true no as yes with probability `v`.

    Parameters
    ----------
    items : sequence of str
        Names of yes/no items; each has a coin of its own.
    u, v : float
        P(1 | 1) and P(1 | 0); `u` is not below `v`.
    ask, direct
        As in every model: see `candor.models`.

    Returns
    -------
    Design

    Examples
    --------
    >>> import candor
    >>> float(candor.guarantee(candor.models.binary(["a"], u=0.75, v=0.25)).gamma)
    3.0
    """
    return design_of_model("binary", items, ask, direct, u=u, v=v)


def k_ary(items: Items, p: float, *, ask: int | None = None, direct: bool = True) -> Design:
    """Keep the true option with probability `p`, else draw an option evenly: k-ary randomised response.

    Parameters
    ----------
    items : sequence of str, or mapping of str to sequence of str
        Names of items; a mapping gives their options. Each item has a coin of its own.
    p : float
        The chance that the true option stays.
    ask, direct
        As in every model: see `candor.models`.

    Returns
    -------
    Design

    Examples
    --------
    >>> import candor
    >>> candor.guarantee(candor.models.k_ary({"party": ["left", "centre", "right"]}, p=0.5)).gamma
    Fraction(5726623061, 1431655765)
    """
    return design_of_model("k-ary", items, ask, direct, p=p)


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

    Returns
    -------
    Design

    Examples
    --------
    >>> import candor
    >>> promise = candor.guarantee(candor.models.one_sided(["harassed"], g=0.2))
    >>> promise.gamma, round(float(promise.odds), 6)
    (inf, 5.0)
    """
    entries = [{"id": name, "harmless": harmless} for name in arguments.texts(items, "items")]
    block: dict[str, Any] = {"one-sided": plain(g), "items": entries}
    blocks = [block if ask is None else block | {"ask": plain(ask)}]
    return parse_document(
        {"direct": arguments.flag(direct, "direct"), "blocks": blocks}, "blocks[0]", **{"one-sided": "g"}
    )
