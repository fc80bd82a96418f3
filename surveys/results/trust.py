"""How far a report can be trusted: what forged responses could move, what the crowd hides."""

import math

from django.utils.translation import gettext as _

from privacy.guarantee import epsilon, round_up
from privacy.guarantee.forged import Forged, effects_of_forgery
from privacy.output import format_count
from surveys.definition import Definition
from surveys.displays import Table
from surveys.domain.exports.columns import columns_of
from surveys.domain.exports.sheet import is_apart
from surveys.domain.questionnaire.planned_tests import epsilon_of_crowd, round_epsilon
from surveys.domain.questionnaire.promise import figure as upward, promise_in_chances, promise_in_numbers
from surveys.features import secrets_of
from surveys.results.reading import ReportData
from surveys.results.sections import TrustTopic

MANY = 10  # forged responses that the table tells of
POINTS = 0.05


def forgeries_topic(data: ReportData) -> TrustTopic:
    people = data.people(len(data.for_patterns))
    sure = people.at_least if people.exact else max(people.at_least, data.least)  # no figure of all rests on fewer
    moves = effects_of_forgery(data.version.design, max(sure, 1))
    if not moves:
        said = _(
            "Anybody with a link can send forged responses. This report does not show how far one moves a number or a "
            "place."
        )
        return TrustTopic(_("Forged responses"), (said,), finding=_("it is not shown how far one moves a figure"))
    if all(math.isinf(move.shift) for move in moves):
        said = _(
            "Anybody with a link can send forged responses. How far one moves a figure is not bounded beforehand: what "
            "people above the cap of the list lose is given back by what all responses show."
        )
        return TrustTopic(
            _("Forged responses"), (said,), finding=_("how far one moves a figure has no bound beforehand")
        )
    said = _(
        "Anybody with a link can send forged responses. Of %(n)s responses one moves a figure by no more than this "
        "table shows."
    ) % {"n": people}
    head = (
        _("answers in a figure"),
        _("one forged response moves it by"),
        _("%(count)s forged responses") % {"count": MANY},
        _("forged for %(points)s points") % {"points": round(100 * POINTS)},
    )
    most = moves[0].shift
    finding = _("%(count)s of them move a share by at most %(moved)s") % {"count": MANY, "moved": _points(MANY * most)}
    table = Table(head, tuple(_forgery_cells(move) for move in moves))
    return TrustTopic(_("Forged responses"), (said,), table, finding=finding if 0 < most < math.inf else "")


def _forgery_cells(one: Forged) -> tuple[str, ...]:
    if not 0 < one.shift < math.inf:
        return str(one.length), "–", "–", "–"
    return (str(one.length), _points(one.shift), _points(MANY * one.shift), format_count(one.needed(POINTS)))


def _points(shift: float) -> str:
    """Percentage points, rounded up."""
    return _("%(points)s points") % {"points": f"{round_up(100 * min(shift, 1.0), 2):f}"}


def crowd_topic(data: ReportData) -> TrustTopic:
    """What hides among others; undisguised answers beside the disguised ones may single out a person, and whether they
    do would tell what people gave.
    """
    design = secrets_of(data.version.design, data.version.parsed.source)
    people, alone = data.people(int((~data.sealed.direct).sum())), epsilon(design.gamma)
    beside = _questions_beside(data.version.parsed)
    crowd = epsilon_of_crowd(design, people.at_least) if people.at_least and not beside else None
    finding = _("it adds nothing to the promise of one record")
    sentences = []
    if crowd is not None and crowd < alone:
        finding = _("ε = %(crowd)s in place of %(alone)s") % {
            "crowd": round_epsilon(crowd),
            "alone": round_epsilon(alone),
        }
        sentences.append(
            _(
                "Somebody who sees the disguised answers of %(n)s people, and nothing that distinguishes them, learns "
                "about one of them at most what ε = %(crowd)s allows, but for a chance of one in a million. A record "
                "that can be singled out allows %(alone)s."
            )
            % {"n": people, "crowd": round_epsilon(crowd), "alone": round_epsilon(alone)}
        )
    elif math.isinf(alone):
        sentences.append(
            _(
                "What the disguise of %(items)s does not protect, such as a place outside all zones, may be stored as "
                "it is. No crowd hides that, so the crowd adds no promise. The odds of what is protected grow at most "
                "by the factor %(odds)s."
            )
            % {
                "items": _(", ").join(
                    item.id for block in design.blocks if math.isinf(block.gamma) for item in block.items
                ),
                "odds": upward(design.odds),
            }
        )
    elif beside:
        sentences.append(
            _(
                "Undisguised answers (%(columns)s) are stored beside the disguised ones, and may distinguish a person "
                "from all others. So the promise is that of one record, ε = %(alone)s."
            )
            % {"columns": _(", ").join(beside), "alone": round_epsilon(alone)}
        )
    else:
        sentences.append(
            _("So few people hide nobody: the promise is that of one record, ε = %(alone)s.")
            % {"alone": round_epsilon(alone)}
        )
    sentences.append(
        _(
            "This holds for somebody who looks once. Somebody who also looked before the closing can compare both, "
            "and very few disguised answers may lie between. Then only the promise of one record holds."
        )
    )
    return TrustTopic(_("What the crowd hides (shuffle model)"), tuple(sentences), finding=finding)


def promise_topic(data: ReportData) -> TrustTopic:
    """What one record tells somebody who reads it."""
    design, source = data.version.design, data.version.parsed.source
    sentences = (promise_in_chances(design, source),)
    return TrustTopic(_("The promise to people"), sentences, finding=promise_in_numbers(design, source))


def _questions_beside(definition: Definition) -> tuple[str, ...]:
    """The undisguised questions whose answers stand beside the disguised ones in files."""
    columns = [
        each for each in columns_of(definition) if each.of and (definition.keeps_texts_in_records or not is_apart(each))
    ]
    return tuple(dict.fromkeys(column.question for column in columns))
