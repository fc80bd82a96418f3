"""How many respondents are needed, before any is asked."""

from candor import arguments
from candor.designs import Design
from privacy.plan import power as core


def power(
    design: Design, pattern: str, *, respondents: int, support: float, null: float, alpha: float = 0.05, sides: int = 1
) -> float:
    """Say how likely a test of `support = null` rejects it, when the support is another.

    Parameters
    ----------
    design : Design
        What the answers are disguised by.
    pattern : str
        One literal, such as ``drugs`` or ``age=30-49``, or a pattern under one coin.
    respondents : int
        How many answer disguised.
    support : float
        The true share.
    null : float
        The share that is tested.
    alpha : float
        The level of the test.
    sides : int
        1 or 2.

    Returns
    -------
    float

    Examples
    --------
    >>> import candor
    >>> design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    >>> round(candor.power(design, "drugs", respondents=5_000, support=0.10, null=0.05), 3)
    0.689
    """
    return core.power(
        arguments.whole(respondents, "respondents"),
        arguments.number(support, "support"),
        arguments.number(null, "null"),
        _line(design, pattern),
        arguments.number(alpha, "alpha"),
        sides,
    )


def sample_size(
    design: Design, pattern: str, *, power: float, support: float, null: float, alpha: float = 0.05, sides: int = 1
) -> int:
    """Find the fewest disguised respondents with which a test of `support = null` has the power wanted.

    Parameters
    ----------
    design : Design
        What the answers are disguised by.
    pattern : str
        One literal, such as ``drugs`` or ``age=30-49``, or a pattern under one coin.
    power : float
        How likely the test is to reject the null.
    support : float
        The true share.
    null : float
        The share that is tested.
    alpha : float
        The level of the test.
    sides : int
        1 or 2.

    Returns
    -------
    int

    Examples
    --------
    >>> import candor
    >>> design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    >>> candor.sample_size(design, "drugs", power=0.8, support=0.10, null=0.05)
    6770
    """
    return core.sample_size(
        arguments.number(power, "power"),
        arguments.number(support, "support"),
        arguments.number(null, "null"),
        _line(design, pattern),
        arguments.number(alpha, "alpha"),
        sides,
    )


def _line(design: Design, pattern: str) -> core.MatchLine:
    return core.seen_through(arguments.design(design), arguments.text(pattern, "pattern"))
