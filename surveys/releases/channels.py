"""What the form of a release asks for the channel of a disguised column: `CHANNELS` has a row for each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _, gettext_lazy

from privacy.design.rationals import parse_number
from privacy.errors import EntryError, to_translate
from privacy.release.methods.channels import CoinChannel, WaveChannel, read_starts
from surveys.questions.number import LARGEST
from surveys.questions.question import ColumnKind
from surveys.releases.table import SeenColumn


@dataclass(frozen=True)
class FormChannel:
    """`name` is that in a spec, and `fits` says whether a column can go through it.

    `fields` are those of a column, by the members of a spec that come of them; `entry` makes these members, and
    refuses at a field.
    """

    name: str
    label: Any
    fits: Callable[[SeenColumn], bool]
    fields: Callable[[SeenColumn], dict[str, forms.Field]]
    entry: Callable[[SeenColumn, Mapping[str, Any]], dict[str, Any]]


def figure(label: Any, help_text: Any = "", most: float | None = 1, **more: Any) -> forms.FloatField:
    """A number from 0 that may be left out, written with a point in every language."""
    limits: dict[str, Any] = {"min_value": 0, "max_value": most} | more
    return forms.FloatField(label=label, required=False, localize=False, help_text=help_text, **limits)


def unbounded(label: Any, help_text: Any = "", **more: Any) -> forms.FloatField:
    return figure(label, help_text, most=None, min_value=None, **more)


def plain(number: Decimal) -> int | float:
    return int(number) if number == int(number) else float(number)


def parts_of(line: str) -> Sequence[str]:
    return line.replace(",", " ").replace(";", " ").split()


def number_of(text: str, at: str = "") -> Decimal:
    number = parse_number(text)
    if number is None:
        raise EntryError("{value} is not a number.", at=at, value=f"“{text}”")
    if abs(number) > LARGEST:
        raise EntryError("{value} is too large a number.", at=at, value=f"“{text}”")
    return number


GAMMA = 9  # that is proposed


def _fields_of_coin(one: SeenColumn) -> dict[str, forms.Field]:
    gamma = unbounded(
        _("How strongly it is disguised (γ)"),
        _("A row changes the odds of anything about a person by no more than γ (ε = ln γ). Less hides more."),
        initial=GAMMA,
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


def _entry_of_coin(one: SeenColumn, given: Mapping[str, Any]) -> dict[str, Any]:
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


COIN = FormChannel(
    CoinChannel.name,
    gettext_lazy("its ranges, by a coin (PRAM)"),
    lambda one: bool(one.options or one.ranges_of),
    _fields_of_coin,
    _entry_of_coin,
)


EPSILON = 2  # that is proposed
SKIPPED = to_translate("A square wave has no place for people who gave no number: take ranges for this question.")
NO_ENDS = to_translate("A square wave needs the least and the greatest number.")


def _fields_of_wave(one: SeenColumn) -> dict[str, forms.Field]:
    low, high = one.ends
    return {
        "epsilon": unbounded(
            _("How strongly it is disguised (ε)"),
            _("ε is the natural logarithm of γ; those of disguised questions add up."),
            initial=EPSILON,
        ),
        "min": unbounded(_("Minimum"), initial=low),
        "max": unbounded(
            _("Maximum"),
            _(
                "The design shows both ends, so choose them without looking at the answers. A number beyond an end "
                "counts as this end."
            ),
            initial=high,
        ),
        "step": unbounded(
            _("Step"),
            _("Numbers are rounded to whole steps from the minimum. Empty: 1."),
        ),
    }


def _entry_of_wave(one: SeenColumn, given: Mapping[str, Any]) -> dict[str, Any]:
    if one.missing:
        raise EntryError(SKIPPED, at="channel")
    known = {"epsilon": EPSILON} | {part: plain(Decimal(str(own))) for part, own in given.items() if own is not None}
    if missing := next((part for part in ("min", "max") if part not in known), ""):
        raise EntryError(NO_ENDS, at=missing)
    return {"channel": WAVE.name} | known


WAVE = FormChannel(
    WaveChannel.name,
    gettext_lazy("the number itself, by a square wave"),
    lambda one: one.ranges_of is ColumnKind.NUMBER,
    _fields_of_wave,
    _entry_of_wave,
)

CHANNELS = (COIN, WAVE)
"""The first that fits a column is taken where nobody chooses."""
