"""Attacks on a table that can be judged from the table alone: each is tried on every record, and says how many it gets.

Who attacks is taken to know the quasi-identifiers of somebody, and that this person is in the table.
"""

from dataclasses import dataclass
from typing import Any

from privacy.release.classes import Classes

__all__ = ["Attack", "attacks"]


@dataclass(frozen=True)
class Attack:
    """On how many records an attack was tried, and on how many it succeeded."""

    name: str
    tried: int
    succeeded: int

    @property
    def share(self) -> float:
        return self.succeeded / self.tried

    def to_json(self) -> dict[str, Any]:
        """An entry of the member `attacks` of `candor measure --json`."""
        return {"name": self.name, "tried": self.tried, "succeeded": self.succeeded, "share": self.share}


def attacks(classes: Classes) -> tuple[Attack, ...]:
    """Try re-identification and the homogeneity attack.

    Re-identification succeeds where a record is alone in its class: whoever knows these values knows whose it is. The
    homogeneity attack succeeds where all records of a class have one sensitive value: it is then known of each of them,
    however large the class (Machanavajjhala and others 2007).

    Parameters
    ----------
    classes : Classes
        The table, divided into classes. Attacks are tried on suppressed records, too, and fail.

    Returns
    -------
    tuple of Attack

    Examples
    --------
    >>> from privacy.release.classes import classes_of
    >>> [attack.succeeded for attack in attacks(classes_of([[20, 30, 30]], ["flu", "flu", "flu"]))]
    [1, 3]
    """
    tried = classes.records + classes.suppressed
    return (
        Attack("re-identification", tried, int((classes.sizes == 1).sum())),
        Attack("homogeneity", tried, int(classes.sizes[classes.distinct == 1].sum())),
    )
