"""An answer whose share is known from elsewhere, with which responses are compared.

in a document      "anchor": null | "born", "anchor_share": null | 33          in percent
in a definition    "anchor": {"answer": "born", "share": 0.33}
"""

from collections.abc import Iterator
from operator import itemgetter

from django.utils.translation import gettext as _

from privacy.design.patterns import parse_pattern
from privacy.errors import EntryError, InputError
from privacy.estimate.weights import obstacle
from surveys.features.feature import Around, Feature, Named, Source


def known_answer(source: Source) -> tuple[str, float] | None:
    """The answer whose share is known from elsewhere, and that share."""
    return (source["anchor"]["answer"], source["anchor"]["share"]) if "anchor" in source else None


def _check(around: Around) -> None:
    anchor, design = around.source["anchor"], around.design
    if not isinstance(anchor, dict) or set(anchor) != {"answer", "share"} or not isinstance(anchor["answer"], str):
        raise InputError('anchor holds an "answer" and its "share".')
    answer, share = anchor["answer"], anchor["share"]
    if not isinstance(share, float) or not 0 < share < 1:
        raise EntryError("the share of the anchor is '{share}', which is not between 0 and 1.", share=share)
    try:
        pattern = parse_pattern(answer, design)
    except InputError:
        pattern = None
    if pattern is None or len(pattern.literals) != 1 or obstacle(design, pattern, "stratified"):
        raise EntryError("the anchor '{answer}' is not a disguised answer that can be reconstructed.", answer=answer)


def _says(source: Source, named: Named) -> Iterator[str]:
    yield _("The share of one answer is known, and responses are compared with it: %(answer)s, %(percent)s %%.") % {
        "answer": named(source["anchor"]["answer"]),
        "percent": f"{100 * source['anchor']['share']:.4g}",
    }


ANCHOR = Feature(
    "anchor",
    {"anchor": None, "anchor_share": None},
    _check,
    _says,
    codebook=itemgetter("anchor"),
    parts=("draft", "changes", "staff"),
)
