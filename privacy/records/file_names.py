"""What columns are called in files: `drugs_disguised`, so that nobody takes a disguised answer for the truth.

Files of records may have the names of the items instead, as those of earlier versions do.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from privacy.errors import InputError

LONGEST = 32  # characters of a name in Stata; SPSS allows 64
DISGUISED = "_disguised"


def unique_name(name: str, taken: set[str], end: str = "") -> str:
    """A name of letters, digits and _ that none of `taken` is, with this end, and short enough for Stata; taken then.

    >>> taken = {"direct"}
    >>> unique_name("drunk-driving", taken, DISGUISED), unique_name("drunk_driving", taken, DISGUISED)
    ('drunk_driving_disguised', 'drunk_driving_2_disguised')
    """
    plain = name.replace("-", "_")
    made, count = plain[: LONGEST - len(end)] + end, 1
    while made in taken:
        count += 1
        made = plain[: LONGEST - len(end) - len(str(count)) - 1] + f"_{count}{end}"
    taken.add(made)
    return made


@lru_cache(maxsize=16)
def file_names(items: tuple[str, ...]) -> dict[str, str]:
    """The column of each item of a design, in its order."""
    taken = {"direct"}
    return {item: unique_name(item, taken, DISGUISED) for item in items}


def own_names(names: Iterable[str], items: Sequence[str], where: object) -> list[str]:
    """The names of a file's columns, in which `drugs_disguised` becomes the item's own name `drugs`."""
    names = list(names)
    if not any(str(name).endswith(DISGUISED) for name in names):
        return names
    known, there = file_names(tuple(items)), set(names)
    # Where all have their own names, a column may be called as an item that ends so itself.
    found = {} if there.issuperset(known) else {column: item for item, column in known.items() if column in there}
    for item, column in known.items():
        if item in there and column in there and item not in found and (found or column not in known):
            raise InputError(f"{where}: the columns {item!r} and {column!r} are both there; keep one of them.")
    return [found.get(name, name) for name in names]
