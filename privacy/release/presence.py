"""δ-presence: how sure somebody becomes that a person is in the table, or is not (Nergiz, Atzori and Clifton 2007).

An attacker with a table of everybody knows F people who fit a class, f of whom are in it: each with the chance f/F.
"""

from privacy.release.everybody import TABLE, SampleClasses, SampleFigure


def presence(seen: SampleClasses) -> SampleFigure:
    """Find how sure somebody is of a person's presence, at most: of a table of everybody, who fit one class each.

    >>> import numpy as np
    >>> from privacy.release.everybody import Everybody
    >>> classes = SampleClasses(Everybody(size=10), [np.array([0, 0, 1])], np.array([4, 4, 2]), 4)
    >>> presence(classes).value, absence(classes).value
    (0.5, 1.0)
    """
    return SampleFigure(float((seen.sizes / seen.people_who_fit).max()), TABLE)


def absence(seen: SampleClasses) -> SampleFigure:
    """Find how sure somebody is of a person's absence, at most: certain of people who fit no class."""
    return SampleFigure(1.0 if seen.others else float(1 - (seen.sizes / seen.people_who_fit).min()), TABLE)
