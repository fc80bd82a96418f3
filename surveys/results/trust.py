"""How far the figures of a report can be trusted: forged responses, the traces they leave, and what the crowd hides."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.guarantee import epsilon, rounded_up
from privacy.guarantee.crowd import shuffled
from privacy.guarantee.forged import Forged, forged
from privacy.guarantee.traces import ANSWERS, ASKED, TOGETHER, Trace, traces
from surveys.domain.results.columns import columns_of
from surveys.domain.results.sheet import is_apart
from surveys.results.displays import Table
from surveys.results.figures import whole
from surveys.results.reading import Data

MANY = 10  # forged responses that the table tells of
POINTS = 0.05


@dataclass(frozen=True)
class Topic:
    """Some sentences under one heading, and perhaps a table."""

    heading: str
    sentences: tuple[str, ...]
    table: Table | None = None


def topics(data: Data) -> list[Topic]:
    """What a reader of the report should know of forgeries and of the crowd."""
    return [_forged(data), _traces(data), _crowd(data)]


def _forged(data: Data) -> Topic:
    told = forged(data.version.design, data.n)
    if not told:
        said = _(
            "Who has a link can send responses that nobody meant. How far one moves a number or a place, read from all "
            "of them together, is not said here."
        )
        return Topic(_("Forged responses"), (said,))
    said = _(
        "Who has a link can send responses that nobody meant. A figure is a mean over %(n)s people, and one response "
        "moves it by no more than this table says."
    ) % {"n": whole(data.n)}
    head = (
        _("answers in a figure"),
        _("one forged response moves it by"),
        _("%(count)s forged responses") % {"count": MANY},
        _("forged for %(points)s points") % {"points": round(100 * POINTS)},
    )
    return Topic(_("Forged responses"), (said,), Table(head, tuple(_moved(one) for one in told)))


def _moved(one: Forged) -> tuple[str, ...]:
    if not 0 < one.shift < math.inf:
        return str(one.length), "–", "–", "–"
    return (
        str(one.length),
        _points(one.shift),
        _points(MANY * one.shift),
        whole(one.needed(POINTS)),
    )


def _points(shift: float) -> str:
    """Percentage points, rounded up."""
    return _("%(points)s points") % {"points": f"{rounded_up(100 * min(shift, 1.0), 2):f}"}


def _traces(data: Data) -> Topic:
    tests = traces(data.records)
    head = (_("block"), _("looked at"), _("farthest off"), "p", _("corrected p"))
    rows = tuple(
        (str(test.block), _looked_at(test), test.at, f"{test.p:.2g}", f"{test.corrected:.2g}") for test in tests.tests
    )
    if tests.found:
        verdict = _(
            "The responses do not follow the design, whatever people have answered: somebody may have forged "
            "responses, or devices did not disguise. Do not believe figures of these answers."
        )
    else:
        verdict = _(
            "Nothing speaks against the design. Responses that are forged with care, as the design draws them, leave "
            "no trace."
        )
    return Topic(_("Traces of forgeries"), (verdict,), Table(head, rows) if rows else None)


def _looked_at(test: Trace) -> str:
    return {
        ASKED: _("which questions were asked"),
        TOGETHER: _("answers by what else was asked"),
        ANSWERS: _("whether the disguise can give these answers"),
    }[test.of]


def _crowd(data: Data) -> Topic:
    design = data.version.design
    n, columns = smallest_crowd(data)
    alone = epsilon(design.gamma)
    sentences = []
    if columns:
        sentences.append(
            ngettext(
                "The smallest group with the same open answers (%(columns)s) has %(n)s person who answered disguised.",
                "The smallest group with the same open answers (%(columns)s) has %(n)s people who answered disguised.",
                n,
            )
            % {"n": whole(n), "columns": _(", ").join(columns)}
        )
    crowd = shuffled(design, n) if n else None
    if crowd is not None and crowd.epsilon < alone:
        sentences.append(
            _(
                "Who sees the disguised answers of %(n)s people together, and nothing that tells them apart, learns of "
                "one of them at most what ε = %(crowd)s allows, but for a chance of one in a million; a record that "
                "can be told apart allows %(alone)s."
            )
            % {"n": whole(n), "crowd": _rounded(crowd.epsilon), "alone": _rounded(alone)}
        )
    elif math.isinf(alone):
        sentences.append(
            _("Some of what is stored is sure to be true, and no crowd hides that: nothing is promised of the crowd.")
        )
    else:
        sentences.append(
            _("So few hide nobody: what can be promised is what one record promises, ε = %(alone)s.")
            % {"alone": _rounded(alone)}
        )
    sentences.append(
        _(
            "This is so for who looks once. Who also looked before the closing compares two looks, between which there "
            "may be very few disguised answers; against them the promise of one record stands, and no more."
        )
    )
    return Topic(_("What the crowd hides"), tuple(sentences))


def smallest_crowd(data: Data) -> tuple[int, tuple[str, ...]]:
    """How many disguised respondents share all open answers that stand beside them, at least; and these answers."""
    disguised = (~data.records.direct).tolist()
    definition = data.version.parsed
    columns = [column for column in columns_of(definition) if column.of and (definition.beside or not is_apart(column))]
    questions = tuple(dict.fromkeys(column.question for column in columns))
    if not questions or data.answers is None:
        return sum(disguised), ()
    groups: Counter[str] = Counter()
    for hidden, answers in zip(disguised, data.answers, strict=True):
        if hidden:
            groups[json.dumps([answers.get(question) for question in questions])] += 1
    return min(groups.values(), default=0), questions


def _rounded(value: float) -> str:
    return "∞" if value == math.inf else f"{rounded_up(value, 3):g}"


def context(data: Data) -> dict[str, Any]:
    return {"topics": topics(data), "figures": []}
