"""A lot: devices draw at random who is asked directly, so that nobody chooses.

in a document      "lot": null | 20            of 100 people
in a definition    "lot": 858993459            the chance, out of 2^32
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from privacy.design.rationals import ONE
from privacy.errors import EntryError, InputError, to_translate
from surveys.features.feature import Around, Feature, Named, Source

RULE = to_translate("You draw who is asked directly, but direct answers are not allowed: allow them, or draw nobody.")


def asked_directly(source: Source) -> float | None:
    """The share of people whom devices draw, and ask to answer undisguised; None where people choose."""
    return source["lot"] / ONE if "lot" in source else None


def _check(around: Around) -> None:
    lot = around.source["lot"]
    if not isinstance(lot, int) or isinstance(lot, bool) or not 0 < lot < ONE:
        raise InputError(f"lot is {lot!r}, must be a whole number from 1 to {ONE - 1}.")
    if not around.design.direct:
        raise EntryError(RULE)


def _says(source: Source, _named: Named) -> Iterator[str]:
    yield _(
        "Devices draw %(percent)s in 100 people at random, ask them to answer undisguised, and let them decline. "
        "Nobody else is asked."
    ) % {"percent": f"{100 * source['lot'] / ONE:.3g}"}


LOT = Feature("lot", {"lot": None}, _check, _says, codebook=asked_directly, parts=("draft", "report", "staff"))
