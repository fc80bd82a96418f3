"""A square wave: of numbers, which stay numbers."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import EntryError, to_translate
from privacy.release.methods.channels import WaveChannel
from surveys.questions.columns import ColumnKind
from surveys.releases.channels.channel import FormChannel, figure, plain
from surveys.releases.table import SeenColumn

EPSILON = 2  # that is proposed
SKIPPED = to_translate("A square wave has no place for people who gave no number: take ranges for this question.")
NO_ENDS = to_translate("A square wave needs the least and the greatest number.")


def _fields(one: SeenColumn) -> dict[str, forms.Field]:
    low, high = one.ends
    return {
        "epsilon": figure(
            _("How strongly it is disguised (ε)"),
            _("ε is the natural logarithm of γ; those of disguised questions add up."),
            most=None,
            initial=EPSILON,
            min_value=None,
        ),
        "min": figure(_("Minimum"), most=None, min_value=None, initial=low),
        "max": figure(
            _("Maximum"),
            _(
                "The design shows both ends, so choose them without looking at the answers. A number beyond an end "
                "counts as this end."
            ),
            most=None,
            min_value=None,
            initial=high,
        ),
        "step": figure(
            _("Step"),
            _("Numbers are rounded to whole steps from the minimum. Empty: 1."),
            most=None,
            min_value=None,
        ),
    }


def _entry(one: SeenColumn, given: Mapping[str, Any]) -> dict[str, Any]:
    if one.missing:
        raise EntryError(SKIPPED, at="channel")
    known = {"epsilon": EPSILON} | {part: plain(Decimal(str(own))) for part, own in given.items() if own is not None}
    if missing := next((part for part in ("min", "max") if part not in known), ""):
        raise EntryError(NO_ENDS, at=missing)
    return {"channel": CHANNEL.name} | known


CHANNEL = FormChannel(
    WaveChannel.name,
    gettext_lazy("the number itself, by a square wave"),
    lambda one: one.ranges_of is ColumnKind.NUMBER,
    _fields,
    _entry,
)
