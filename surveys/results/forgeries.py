"""What forged responses could move in a report, and what the traces of forgeries say."""

import math

from django.utils.translation import get_language, gettext as _

from privacy.guarantee import round_up
from privacy.guarantee.forged import Forged, effects_of_forgery
from privacy.guarantee.forgery_tests import ANCHOR, ANSWERS, ASKED, TOGETHER, SeenAnswer, Trace, traces
from privacy.output import format_count
from surveys.displays import Table
from surveys.features.anchor.draft import power as anchor_power
from surveys.features.anchor.figures import answer_of_known_share
from surveys.results.reading import ReportData
from surveys.results.sections import TrustTopic
from surveys.results.words import VersionWords, words_of
from surveys.sentences import colon

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
    if all(math.isinf(one.shift) for one in moves):
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
    table = Table(head, tuple(_forgery_cells(one) for one in moves))
    return TrustTopic(_("Forged responses"), (said,), table, finding=finding if 0 < most < math.inf else "")


def _forgery_cells(one: Forged) -> tuple[str, ...]:
    if not 0 < one.shift < math.inf:
        return str(one.length), "–", "–", "–"
    return (str(one.length), _points(one.shift), _points(MANY * one.shift), format_count(one.needed(POINTS)))


def _points(shift: float) -> str:
    """Percentage points, rounded up."""
    return _("%(points)s points") % {"points": f"{round_up(100 * min(shift, 1.0), 2):f}"}


def traces_topic(data: ReportData) -> TrustTopic:
    anchor, words = answer_of_known_share(data), words_of(data.version, get_language() or "en")
    tests = traces(data.sealed, anchors=dict([anchor]) if anchor else None)
    head = (_("block"), _("looked at"), _("farthest off"), "p", _("corrected p"))
    rows = tuple(
        (str(test.block), _subject(test), _farthest(test, words), f"{test.p:.2g}", f"{test.corrected:.2g}")
        for test in tests.tests
    )
    if tests.departing:
        found = _("the responses do not follow the design")
        verdict = _(
            "The responses do not follow the design, whatever people answered: responses may be forged, or devices "
            "did not disguise. Do not trust figures of these answers."
        )
    elif not rows:
        found = _("nothing could be tested")
        verdict = _("Nothing was tested: there is no test for such responses.")
    else:
        found = _("no sign of many")
        verdict = _("The responses fit the design. Carefully forged responses leave no trace.")
    said = [verdict]
    for test in tests.tests:
        if test.of == ANCHOR and anchor:
            said.append(anchor_power(words.short_entry(anchor[0]), test.bypass, test.random))
    table = Table(head, rows, words=3) if rows else None
    return TrustTopic(_("Traces of forgeries"), tuple(said), table, bool(tests.departing), found)


def _farthest(test: Trace, words: VersionWords) -> str:
    """What a test found farthest off, in the words of the questions."""
    off = test.off
    said = off.said.as_text(_) if off.said else "; ".join(_answer(one, words) for one in off.answers)
    if off.odd:
        said = _("an odd number of: %(answers)s") % {"answers": said}
    if off.shares:
        share, known = off.shares
        said += colon() + _("%(share)s where %(known)s is known") % {"share": f"{share:.3g}", "known": f"{known:g}"}
    return " / ".join(filter(None, (said, off.item and words.question(off.item))))


def _answer(answer: SeenAnswer, words: VersionWords) -> str:
    """An answer, or that it was not given, where it is one of several options."""
    if answer.given or answer.boolean:
        return words.short_entry(str(answer))
    return _("not: %(answer)s") % {"answer": words.short_entry(answer.literal)}


def _subject(test: Trace) -> str:
    return {
        ASKED: _("which questions were asked"),
        TOGETHER: _("answers by what else was asked"),
        ANSWERS: _("whether the disguise can give these answers"),
        ANCHOR: _("the answer of known share"),
    }[test.of]
