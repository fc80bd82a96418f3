"""Models in which one draw decides for all items, so that answers tell more of each other and protect less."""

from collections.abc import Mapping, Sequence

from candor.models.named import Items, design_of_model, entries_of, parse_document, plain
from privacy.design import Design, arguments
from privacy.design.reading import quote
from privacy.errors import InputError


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
    ask, direct
        As in every model: see `candor.models`.

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
    return design_of_model("improved-grouped", items, ask, direct, p=p, theta=theta)


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
    >>> candor.guarantee(candor.models.grouped(["drugs", "cheating"], p=0.3, theta=0.6)).gamma
    inf
    """
    return design_of_model("grouped", items, None, direct, p=p, theta=theta)


def gamma_diagonal(items: Items, gamma: float, *, ask: int | None = None, direct: bool = True) -> Design:
    """Toss one coin for all items with even noise, so that γ is just `gamma` (Agrawal and Haritsa 2005).

    Parameters
    ----------
    items : sequence of str, or mapping of str to sequence of str
        Names of items; a mapping gives their options.
    gamma : float
        The largest γ of a record, above 1.
    ask, direct
        As in every model: see `candor.models`.

    Returns
    -------
    Design

    Examples
    --------
    >>> import candor
    >>> design = candor.models.gamma_diagonal({"age": ["18-29", "30-49", "50+"]}, gamma=19)
    >>> candor.guarantee(design).gamma <= 19
    True
    """
    return design_of_model("gamma-diagonal", items, ask, direct, gamma=gamma)


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
    ask, direct
        As in every model: see `candor.models`.

    Returns
    -------
    Design

    Examples
    --------
    >>> import candor
    >>> names = [f"q{place}" for place in range(10)]
    >>> float(candor.guarantee(candor.models.flip(names, gamma=19, radius=2)).gamma)
    18.999999975968922
    """
    return design_of_model("flip", items, ask, direct, gamma=gamma, radius=radius)


def one_of(
    items: Items,
    gamma: float,
    cap: float,
    *,
    longest: int = 1,
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
        How many telling answers a person can have before they are sent less often.
    longest : int
        How many answers a word may hold.
    harmless : mapping of str to str, optional
        The answer of an item that is in no word: no of a yes/no item, else the first option, where it is not named.
    alone : mapping of str to str, optional
        The answer of an item, such as "prefer not to say", that is a word by itself and in no word with others.
    groups : int, optional
        For a long list: a prime up to 127. A record then names one of `groups` · (`groups` + 1) groups of words.
    direct : bool
        Whether respondents may choose to answer undisguised.

    Returns
    -------
    Design

    Examples
    --------
    >>> import candor
    >>> design = candor.models.one_of(["drugs", "cheating", "theft"], gamma=19, cap=2)
    >>> candor.guarantee(design).gamma <= 19
    True
    """
    given, apart = dict(harmless or {}), dict(alone or {})
    entries = []
    for entry in entries_of(items):
        named = {"id": entry} if isinstance(entry, str) else dict(entry)
        name, first = named["id"], next(iter(named.get("options", ())), "0")
        lone = {"alone": apart.pop(name)} if name in apart else {}
        entries.append(named | {"harmless": given.pop(name, first)} | lone)
    for what, left in (("harmless", given), ("alone", apart)):
        if left:
            raise InputError(f"{what}: {quote(next(iter(left)))} is no item of this model.")
    document = {"model": "one-of", "gamma": plain(gamma), "cap": plain(cap), "longest": plain(longest)}
    document |= {} if groups is None else {"groups": plain(groups)}
    return parse_document(document | {"items": entries, "direct": arguments.flag(direct, "direct")}, "design")
