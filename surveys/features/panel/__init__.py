"""People who come from a panel and go back to it (docs/decisions/0061-panels.md).

in a document      "panel": null | {"by": "prolific", "name": "Prolific", "number": "PROLIFIC_PID",
                                    "sent": "C7K2QD9P", "out": "", "full": ""}      ends: a code or an address
in a definition    "panel": {"name": "Prolific", "number"?: "PROLIFIC_PID",     the parameter of the address that holds
                             "ends": {"sent": {"code"?: "C7K2QD9P", "address"?: "https://…"}, "out"?: …, "full"?: …}}

The number is the panel's own of a person. An end is that of an outcome: sent, out (screened out) and full (over), the
same for everybody of that outcome, but for the panel's number, which the device puts into the address.
"""

import re
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from privacy.errors import EntryError, InputError
from surveys.features.feature import PARAMETER, PARAMETER_RULE, Around, Feature, Named, Source

OUTCOMES = ("sent", "out", "full")  # of a visit
_CODE = re.compile(r"[A-Za-z0-9_-]{1,40}")
_ADDRESS = re.compile(r"https://[^\s/?#{}@]+([/?#]([^\s{}]|\{number\})*)?")
_FIELDS = {"name", "number", "ends"}
_NEEDED = {"name", "ends"}


def let_in_by(source: Source) -> str | None:
    """The parameter with a panel's number of a person, which lets each in once; None where nothing does so."""
    return next(iter(parameters(source)), None) if source["access"] == "invitation" else None


def parameters(source: Source) -> list[str]:
    """The parameters of the address that a panel fills."""
    number = (source.get("panel") or {}).get("number")
    return [number] if number else []


def check_panel(panel: Any) -> None:
    """Refuse a panel whose ends could differ from record to record, or lead away in the open."""
    if not isinstance(panel, dict) or not _NEEDED <= set(panel) <= _FIELDS:
        raise InputError("panel has a name, perhaps the parameter with its number of a person, and ends.")
    name, number, ends = panel["name"], panel.get("number", "id"), panel["ends"]
    if not isinstance(name, str) or not 0 < len(name) <= 60:
        raise EntryError("the provider's name has 1 to 60 letters.", at="name")
    if not isinstance(number, str) or not PARAMETER.fullmatch(number):
        raise EntryError(PARAMETER_RULE, at="number")
    if not isinstance(ends, dict) or not set(ends) <= set(OUTCOMES):
        raise InputError(f"ends are of: {', '.join(OUTCOMES)}.")
    for outcome, end in ends.items():
        if not isinstance(end, dict) or not end or not set(end) <= {"code", "address"}:
            raise InputError("an end has a code, an address, or both.")
        code, address = end.get("code", "-"), end.get("address", "https://-")
        if not isinstance(code, str) or not _CODE.fullmatch(code):
            raise EntryError("“{code}” is no code: 1 to 40 of a-z, A-Z, 0-9, - and _.", at=outcome, code=str(code)[:60])
        if not isinstance(address, str) or len(address) > 500 or not _ADDRESS.fullmatch(address):
            raise EntryError(
                "“{address}” is no address: https://, no spaces, and in braces only the provider's {{number}}.",
                at=outcome,
                address=str(address)[:60],
            )


def _says(source: Source, _named: Named) -> Iterator[str]:
    yield _("People come from %(name)s, which learns how each visit ends and no answer.") % source["panel"]
    if let_in_by(source):
        yield _("Its number of a person lets them in once, for a blind token, and is joined to no answer.")


def _check(around: Around) -> None:
    check_panel(around.source["panel"])


PANEL = Feature(
    "panel",
    {"panel": None},
    _check,
    _says,
    rehearsed=False,
    online=True,
    parts=("draft", "staff"),
)
