"""Those who read, in reports: a part of their own, and figures beside those of all who answered."""

from collections.abc import Sequence

from django.utils.translation import get_language, gettext as _

from privacy.errors import InputError
from surveys.features.careless import anchors, by_person, figures as attentive
from surveys.models import Snapshot
from surveys.results.figures import Figure
from surveys.results.reading import ReportData, read_records
from surveys.results.sections import Beside, ReportingPart, ReportPart


def _parts(data: ReportData) -> list[ReportPart]:
    """The part with figures of those who read the questions; who draws themselves has one of their own."""
    if by_person(data.version.design, anchors(data.version.parsed.source)):
        return []

    def context() -> dict[str, object]:
        try:
            found = attentive.correct(data)
        except InputError:
            sentence = _(
                "Of too few people, of too contradictory answers, or of words of a list, nobody can tell who read the "
                "questions."
            )
            return {"figures": [], "loose": [], "sentences": [sentence]}
        drawn = attentive.figure(data, found, get_language() or "en")
        said = attentive.sentences(found, one_order=attentive.in_one_order(data.version.parsed))
        return {"figures": [drawn], "loose": [drawn], "sentences": [*said]}

    return [ReportPart("attentive", _("Who answered without reading"), "surveys/results/regression.html", context)]


class _Beside(Beside):
    shares = staticmethod(attentive.of_shares)
    table = staticmethod(attentive.of_table)
    alone = staticmethod(attentive.of_all_alone)

    def rules(self, snapshot: Snapshot, rules: Sequence[str], language: str) -> tuple[list[Figure], list[str]]:
        return attentive.of_rules(read_records(snapshot), rules, language)


PART = ReportingPart(
    parts=_parts,
    beside=_Beside(),
    share=("attentive", attentive.of_pattern),
    own=lambda definition: anchors(definition.source),
)
