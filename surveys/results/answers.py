"""What people said, question by question: each type of question shows its own answers."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from privacy.output import format_count
from surveys.displays import Display
from surveys.domain.questionnaire.minimum import minimum_of_version
from surveys.questions import Asks, PublishedQuestion, type_of
from surveys.results.reading import ReportData
from surveys.sentences import join_sentences


@dataclass(frozen=True)
class Answered:
    """A question with what its answers show; `why_not` says why it shows nothing.

    `items` are those of the design that its answers are. `only` is the answer that says it all on one axis: the yes of
    a yes/no question.
    """

    name: str
    text: str
    sensitive: bool
    displays: Sequence[Display]
    why_not: str = ""
    items: tuple[str, ...] = ()
    only: str = ""


def answers(data: ReportData, language: str) -> list[Answered]:
    """What the answers to each question show, in the order of the questionnaire."""
    return [show_answers(data, question, language) for question in data.version.parsed.questions]


def show_answers(data: ReportData, question: PublishedQuestion, language: str) -> Answered:
    """What the answers to one question show: its displays, or why there are none."""
    text = data.version.parsed.entries[question.id]["text"][data.language(language)] or question.id
    if not question.sensitive and data.answers is None:
        why = _("Undisguised answers are reported after the version has closed.")
        if data.few:
            why = _("Not shown: with few people an undisguised answer could point at one of them.")
        return Answered(question.id, text, False, (), why)
    shown = type_of(question).displays(data.answers_to(question, language))
    disguise = type_of(question).disguise if question.sensitive else None
    items = tuple(name for name, _values in disguise.items(question)) if disguise else ()
    if not any(display.n for display in shown):
        own = join_sentences(display.sentence("") for display in shown)
        return Answered(question.id, text, question.sensitive, (), own or _too_few(data, question, items, language))
    return Answered(question.id, text, question.sensitive, shown, items=items, only=_yes(question, shown))


def _too_few(data: ReportData, question: PublishedQuestion, items: Sequence[str], language: str) -> str:
    """Why nothing is shown of an answered question; direct answers of too few people are in no figure."""
    direct = data.sealed.direct
    if question.sensitive:
        columns = [data.sealed.design.column(item) for item in items]
        asked = (data.sealed.codes[:, columns] != data.sealed.design.not_asked).all(axis=1)
        people, direct = int((asked & ~direct).sum()), direct & asked
    else:
        people = data.answers_to(question, language).given.people
        if data.version.is_coarse and not people:  # left out of the coarse table, whatever people answered
            return _(
                "Not shown: fewer than %(least)s people answered this, or their number would tell that fewer gave some "
                "answer, or none."
            ) % {"least": data.least}
    least = data.least_alone if question.sensitive else data.least
    if people < least <= people + direct.sum() and direct.any():
        return _(
            "Too few answers to this may be shown: those of people who answered directly count only where "
            "%(least)s people or more did."
        ) % {"least": data.least}
    needed = minimum_of_version(data.version).answers(least)
    if people < least < needed and question.sensitive:
        return _(
            "Fewer than %(least)s people were asked this, too few to report on: it takes about %(answers)s answers."
        ) % {"least": least, "answers": format_count(needed)}
    if people < least:
        return _("Fewer than %(least)s people answered this, too few to report on.") % {"least": least}
    return _("Nearly all answers are alike, or each part of them would be of fewer than %(least)s people.") % {
        "least": data.least
    }


def _yes(question: PublishedQuestion, shown: Sequence[Display]) -> str:
    """Return the label of yes for a yes/no question whose share is shown; otherwise ""."""
    if type_of(question).asks is not Asks.YES_OR_NO:
        return ""
    rows = shown[0].rows
    place = question.options.index("1") if len(rows) > 1 else 0
    return rows[place].label if rows[place].all else ""
