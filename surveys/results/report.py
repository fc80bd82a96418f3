"""The report of a version: its parts, in their order, as far as somebody may see them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from privacy.errors import EntryError
from surveys.models import SurveyVersion
from surveys.results import regression, tables, trust, versions
from surveys.results.answers import answers
from surveys.results.figures import of_answers
from surveys.results.reading import Data, read
from surveys.results.sections import SECTIONS, Part, Section
from surveys.results.words import words_of

May = Callable[[str], bool]
"""Whether the reader has a permission."""


def language() -> str:
    """The reader's language."""
    return get_language() or "en"


def data_of(version: SurveyVersion) -> Data:
    """The data of the version's newest snapshot; EntryError where nothing may be told."""
    snapshot = version.snapshots.select_related("version__survey").last()
    least = version.survey.least
    if snapshot is None:
        raise EntryError("No responses are sealed yet; there is nothing to show.")
    data = read(snapshot)
    if data.n < least:
        raise EntryError(
            "Fewer than {least} people have answered so that their answers may be counted; nothing is told of so few.",
            least=least,
        )
    return data


def parts(data: Data, may: May) -> list[Part]:
    """The parts that the report shows by itself."""
    return [part for section in _sections(may) for part in section.offered(data)]


def first(parts: Iterable[tuple[Part, dict[str, Any]]]) -> list[str]:
    """What stands before these parts: what cannot be told."""
    return [sentence for _part, context in parts for sentence in context.get("first", ())]


def part(data: Data, key: str, may: May) -> Part | None:
    """The part with this key, or None."""
    return next((part for section in _sections(may) if (part := section.find(data, key))), None)


def _sections(may: May) -> Sequence[Section]:
    return [
        each
        for each in (ANSWERS, TABLES, REGRESSIONS, VERSIONS, *SECTIONS, TRUST)
        if not each.permission or may(each.permission)
    ]


def _answers(data: Data) -> Part:
    def context() -> dict[str, object]:
        asked = answers(data, language())
        phrases = words_of(data.version, language()).phrases
        shown = [(question, of_answers(data.version.design, question, phrases)) for question in asked]
        return {"questions": shown, "figures": [figure for _question, figures in shown for figure in figures]}

    return Part("answers", _("What people said"), "surveys/results/answers.html", context)


def table_key(names: Sequence[str]) -> str:
    """The key of the part that is a table of these variables."""
    return ".".join(("table", *names))


def _table(data: Data, key: str) -> Part | None:
    kind, *names = key.split(".")
    known = {each.axis.name: each for each in tables.variables(data, language())}
    if kind != "table" or not names or not set(names) <= known.keys():
        return None

    def context() -> dict[str, object]:
        table = tables.cross_table(data, [known[name] for name in names])
        drawn = tables.figure(table, "table")
        return {"figures": [drawn], "loose": [drawn]}

    return Part(key, _("Table: %(names)s") % {"names": ", ".join(names)}, "", context)


def regression_key(answer: str, on: Sequence[str], together: bool = False) -> str:
    """The key of the part that explains an answer, "name.place", by these variables, or by two of them together."""
    return ".".join(("together" if together else "regression", answer, *on))


def _regression(data: Data, key: str) -> Part | None:
    kind, *names = key.split(".")
    if kind not in ("regression", "together") or len(names) < 2 or not (names[1].isdecimal() and len(names[1]) <= 3):
        return None
    known = {each.axis.name: each for each in tables.variables(data, language())}
    outcome, place, *on = names
    if not {outcome, *on} <= known.keys():
        return None

    def context() -> dict[str, object]:
        explained = regression.explain(
            data, known[outcome], int(place), [known[name] for name in on], kind == "together"
        )
        drawn = regression.figure(explained, "coefficients")
        return {"figures": [drawn], "loose": [drawn], "sentences": regression.sentences(explained)}

    title = _("What goes with: %(answer)s") % {"answer": f"{outcome} ({', '.join(on)})"}
    return Part(key, title, "surveys/results/regression.html", context)


def _versions(data: Data, key: str) -> Part | None:
    if key != "versions":
        return None

    def context() -> dict[str, object]:
        told = []
        for version in data.version.survey.versions.order_by("number"):
            with suppress(EntryError):  # one of which nothing may be told
                told.append(data if version == data.version else data_of(version))
        drawn = versions.figures(told, language())
        return {"figures": drawn, "loose": drawn}

    return Part(key, _("From version to version"), "surveys/results/versions.html", context)


def _trust(data: Data) -> Part:
    title = _("How far these figures can be trusted")
    return Part("trust", title, "surveys/results/trust.html", lambda: trust.context(data))


ANSWERS = Section(
    offered=lambda data: [_answers(data)],
    find=lambda data, key: _answers(data) if key == "answers" else None,
)
TABLES = Section(offered=lambda _data: [], find=_table)
REGRESSIONS = Section(offered=lambda _data: [], find=_regression)
VERSIONS = Section(offered=lambda _data: [], find=_versions)
TRUST = Section(
    offered=lambda data: [_trust(data)],
    find=lambda data, key: _trust(data) if key == "trust" else None,
)
