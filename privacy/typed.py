"""Numbers as people type them in a command. Nothing here is slow to import."""


def number(text: str) -> float:
    """The number that somebody wrote, as a decimal or as a fraction such as 1/7; ValueError where it is none.

    >>> number(".25"), number("1/4")
    (0.25, 0.25)
    """
    if "/" not in text:
        return float(text)
    from privacy.design.rationals import written_fraction

    if (read := written_fraction(text)) is None:
        raise ValueError
    try:
        return float(read)
    except OverflowError:
        raise ValueError from None
