"""A coin: of options as they are, of numbers and days in ranges."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import EntryError
from privacy.release.methods.channels import CoinChannel, read_starts
from surveys.questions.columns import ColumnKind
from surveys.releases.channels.channel import FormChannel, figure, number_of, parts_of, plain
from surveys.releases.table import SeenColumn

GAMMA = 9  # that is proposed


def _fields(one: SeenColumn) -> dict[str, forms.Field]:
    gamma = figure(
        _("How strongly it is disguised (γ)"),
        _("A row changes the odds of anything about a person by no more than γ. Smaller hides more and tells less."),
        most=None,
        initial=GAMMA,
        min_value=None,
    )
    starts = forms.CharField(
        label=_("Where its ranges begin"),
        required=False,
        help_text=_(
            "Numbers or days, such as 20, 40, 60 or 2024-01, 2024-07: the first range has no lower end, the last no "
            "upper one. The design shows them, so choose them without looking at the answers."
        ),
    )
    invariant = forms.BooleanField(
        label=_("Keep expected counts (invariant)"),
        required=False,
        help_text=_(
            "Released answers then count right on average. It costs much where an answer is rare, and the design tells "
            "how often each answer was given."
        ),
    )
    return {"gamma": gamma, **({"starts": starts} if one.ranges_of else {}), "invariant": invariant}


def _entry(one: SeenColumn, given: Mapping[str, Any]) -> dict[str, Any]:
    """All that the column may have is named, whatever people answered.

    An invariant channel tells all the same what people answered: of it nothing is named that nobody gave.
    """
    gamma, invariant = given["gamma"], given["invariant"]
    entry: dict[str, Any] = {"gamma": GAMMA if gamma is None else plain(Decimal(str(gamma)))}
    if invariant:
        entry["invariant"] = True
    if one.ranges_of:
        starts = _read_starts(given["starts"], days=one.ranges_of is ColumnKind.DAY)
        entry |= {"starts": starts, "values": list(one.missing if not invariant or "" in one.values else ())}
    elif not invariant:
        entry["values"] = list(one.options)
    return entry


def _read_starts(text: str, *, days: bool) -> list[int | float | str]:
    parts = parts_of(text)
    if not parts:
        raise EntryError("Enter where ranges of a disguised question begin, such as 20, 40, 60.", at="starts")
    starts = [part if days else plain(number_of(part, "starts")) for part in parts]
    read_starts(starts, "starts")
    return starts


CHANNEL = FormChannel(
    CoinChannel.name,
    gettext_lazy("its ranges, by a coin"),
    lambda one: bool(one.options or one.ranges_of),
    _fields,
    _entry,
)
