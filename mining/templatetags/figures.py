"""How figures are written in reports."""

import math

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from mining.engines.reasons import (
    COMBINED,
    FEW,
    FLIPS,
    SAMPLED,
    SEVERAL,
    WAS_ASKED,
    WAS_EMPTY,
    WAS_LARGE,
    WAS_MANY,
    WAS_SMALL,
)

register = template.Library()


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
def estimator_name(name: str) -> str:
    """An estimator in the reader's language."""
    return {"stratified": _("stratified"), "combined": _("combined"), "pooled": _("pooled")}[name]


@register.filter
def reason(why: str) -> str:
    """Why an engine was taken, in the reader's language; the engines, which know no Django, say it in English."""
    known = {
        WAS_ASKED: _("It was asked for."),
        WAS_SMALL: _("The reference engine takes up to 100,000 answers (records × items)."),
        WAS_LARGE: _("There are more than 100,000 answers (records × items), too many for the reference engine."),
        WAS_MANY: _("So many itemsets may pass the threshold that the reference engine would take long."),
        WAS_EMPTY: _("There are no records."),
        SAMPLED: _("mlxtend knows no answers that were not asked, as a sampled block has them."),
        FLIPS: _(
            "Flips can count records for an itemset that show none of it, so that no threshold on the supports mlxtend "
            "sees is sure to keep every itemset."
        ),
        COMBINED: _(
            "The combined estimator weighs the groups anew for every rule, while mlxtend takes one support per itemset."
        ),
        SEVERAL: _(
            "With several coins and a direct group no threshold on the supports mlxtend sees is sure to keep every "
            "itemset of the stratified estimator."
        ),
        FEW: _(
            "With so few records of this design no threshold on the supports mlxtend sees is sure to keep every "
            "itemset."
        ),
    }
    return known.get(why, why)


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
