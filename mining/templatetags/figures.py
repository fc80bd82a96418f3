"""How figures are written in reports."""

import math
from collections.abc import Callable

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from mining.domain.report import ReportCell
from mining.engines.reasons import CHOICES
from privacy.output import format_count
from privacy.reconstruct.metrics import COUNT, PERCENT, PROBABILITY, THREE_DECIMALS, THREE_DIGITS, TWO_DECIMALS
from surveys import percent as shares
from surveys.domain.questionnaire.promise import gamma_in_words

register = template.Library()
register.filter("gamma_in_words", gamma_in_words)


@register.filter
def percent(value: float | None) -> str:
    return _number_as_text(value, shares.percent_alone)


@register.filter
def decimal(value: float | None) -> str:
    return _number_as_text(value, lambda known: f"{known:.3g}")


@register.filter
def chance(value: float | None) -> str:
    """Write a p or q value; a tiny one as less than a bound."""
    return _number_as_text(value, lambda known: "< .001" if known < 0.001 else f"{known:.3f}".removeprefix("0"))


@register.filter
def reason(why: str) -> str:
    return _(CHOICES[why])


@register.simple_tag
def figure(cell: ReportCell) -> SafeString | str:
    """A figure in the format of its metric, with standard error and 95 % interval where there are any."""
    if cell.error is None:
        return _WRITTEN[cell.metric.written](cell.value)
    scale, digits, unit = _WITH_ERROR[cell.metric.written]
    numbers = (cell.value, *cell.error.values())
    if not any(math.isfinite(cell.error[end]) for end in ("low", "high")):
        return _("cannot be estimated")
    value, se, low, high = (_number_as_text(number, lambda known: f"{scale * known:.{digits}f}") for number in numbers)
    if math.isnan(cell.value):  # luck cannot be allowed for, and only how far it may reach is known
        return format_html('<span class="interval">{} … {}{}</span>', low, high, unit)
    return format_html(
        '<span class="value">{} ± {}{}</span> <span class="interval">{} … {}</span>', value, se, unit, low, high
    )


_WRITTEN = {PERCENT: percent, THREE_DIGITS: decimal, PROBABILITY: chance, COUNT: format_count}
_WITH_ERROR = {PERCENT: (100, 1, " %"), TWO_DECIMALS: (1, 2, ""), THREE_DECIMALS: (1, 3, "")}


def _number_as_text(value: float | None, write: Callable[[float], str]) -> str:
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return write(value).replace("-", "−")
