"""How figures are written in reports."""

import math

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from mining.engines.reasons import CHOICES
from surveys.admin.panel import figure

register = template.Library()
register.filter("upward", figure)


@register.filter
def whole(value: float) -> str:
    """A number of things, with the same separators in every language and sentence."""
    return f"{value:,.0f}"


@register.filter
def percent(value: float | None) -> str:
    """A share as a percentage with one digit."""
    return _written(value, lambda known: f"{100 * known:.1f} %")


@register.filter
def decimal(value: float | None) -> str:
    """Three significant digits."""
    return _written(value, lambda known: f"{known:.3g}")


@register.filter
def chance(value: float | None) -> str:
    """A p or q value; what is tiny is only said to be so."""
    return _written(value, lambda known: "< .001" if known < 0.001 else f"{known:.3f}".removeprefix("0"))


@register.filter
def reason(why: str) -> str:
    """Why an engine was taken, in the reader's language."""
    return _(CHOICES[why])


@register.simple_tag
def with_error(error: dict[str, float], kind: str = "percent") -> SafeString:
    """A value ± its standard error, and the 95 % interval below."""
    scale, digits = (100, 1) if kind == "percent" else (1, 3 if kind == "small" else 2)
    value, se, low, high = (_scaled(error[name], scale, digits) for name in ("value", "se", "low", "high"))
    unit = " %" if kind == "percent" else ""
    return format_html(
        '<span class="value">{} ± {}{}</span> <span class="interval">{} … {}</span>', value, se, unit, low, high
    )


@register.simple_tag
def feasible(value: float | None) -> SafeString | str:
    """The feasible value that stands beside an infeasible estimate."""
    if value is None or math.isnan(value):
        return ""
    return format_html('<span class="feasible">{} {}</span>', _("feasible"), percent(value))


def _scaled(value: float | None, scale: int, digits: int) -> str:
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{scale * value:.{digits}f}".replace("-", "−")


def _written(value: float | None, write: object) -> str:
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return str(write(value)).replace("-", "−")  # type: ignore[operator]
