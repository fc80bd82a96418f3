"""The questions that decide the protection, and what follows from them in words."""

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _, ngettext

from privacy.design import Design
from privacy.design.block import RowWords
from privacy.design.items import YES_NO, Item
from privacy.draw.axis import Axis
from privacy.draw.chart import Line, Points, chart
from privacy.errors import InputError
from privacy.output import format_count
from privacy.plan.request import WORDS
from privacy.plan.verdict import GROUPS, PAIRS, SHARES, say_change
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import (
    ONE_WORD,
    PROPOSAL,
    SURE,
    can_send_one_word,
    figures_of_way,
    front_of_draft,
    is_left_to_site,
    is_proposed,
    judge_document,
    judge_or_none,
    odds_of,
    promise_of,
    read_wishes,
)
from surveys.domain.questionnaire.check import say_small_groups
from surveys.domain.questionnaire.compose import check_block, compose_design, design_or_none, gamma_limit
from surveys.domain.questionnaire.document import Document, Draft, Question, sensitive
from surveys.domain.questionnaire.expected import percent_of_guess, share_of_draft
from surveys.domain.questionnaire.forecast import (
    Forecast,
    forecast,
    forecast_draft,
    forecasts_in_range,
    questions_by_lot,
    widths_of_items,
)
from surveys.domain.questionnaire.guess import guess_of, range_of_guess, word_of
from surveys.domain.questionnaire.minimum import minimum_of_draft
from surveys.models import Survey
from surveys.results import earlier
from surveys.sentences import join_sentences
from surveys.studio.verdict import direct_sentences, is_known, of_ten, people_asked, points, points_as_range

MORE = 4  # times as many people, beside which a forecast is shown


def promise_in_short(survey: Survey, document: Document) -> str:
    """What the design promises as it is now; empty while there is none."""
    sure = promise_of(survey, document)
    return _("from 5 % to at most {sure} %").format(sure=sure) if sure else ""


def name_of_analysis(what: str) -> str:
    return {
        SHARES: _("how common each thing is"),
        PAIRS: _("what goes together: pairs and rules"),
        GROUPS: _("how groups differ"),
    }[what]


def questions_context(draft: Draft) -> dict[str, Any]:
    """The three questions with their answers."""
    own = read_wishes(draft.document)
    sure = sorted({*(one for one in SURE if odds_of(one) <= gamma_limit() * (1 + 1e-9)), int(own.sure)})
    return {
        "expected": draft.document["expected"],
        "within": f"{100 * own.within:g}",
        "sure": [(one, one == own.sure) for one in sure] if is_proposed(draft.document) else [],
        "promised": promise_of(draft.survey, draft.document),
        "tell": [(what, name_of_analysis(what), what in own.tell) for what in (SHARES, PAIRS, GROUPS)],
    }


def forecast_context(draft: Draft) -> dict[str, Any]:
    """What so many people and four times as many will tell; nothing while there is no design."""
    if (design := design_or_none(draft)) is None:
        return {"rows": [], "nothing": not sensitive(draft.document)}
    count = draft.document["expected"]
    guess = guess_of(draft)
    shown = minimum_of_draft(draft)
    share = share_of_draft(draft)
    forecasts = [forecast(design, n, shown, share, guess) for n in (count, MORE * count)]
    drawn, rows = questions_by_lot(design), rows_of(design)
    judged = judge_document(draft.survey, draft.document)
    return {
        "chosen": choice_of_site(draft),
        "rows": list(_rows(forecasts)),
        "heads": [format_count(forecast.respondents) for forecast in forecasts],
        "on_grid": [(name, join_sentences(one.as_text(_) for one in said)) for name, said in forecasts[0].on_grid],
        "asked": drawn and drawn[0],
        "all": drawn and drawn[1],
        "whom": people_asked(forecasts[0]),
        "shown": shown.sentence,
        "cannot": [
            *(said for _asked, said in say_small_groups(draft, shown) if count >= shown.everything),
            *(_(row.limit) for row in rows),
            *filter(None, [join_sentences(direct_sentences(forecasts[0]))]),
        ],
        "link": join_sentences(mean.as_text(_) for aim in judged.aims for mean in aim.means),
        "wide": _("In 19 of 20 surveys the true share lies within these points."),
        "file": list(_example_of_file(draft, rows)),
    }


def rows_of(design: Design) -> list[RowWords]:
    """What to say of a file whose rows are not one answer in each column, by kind of block; empty for others."""
    return list(dict.fromkeys(row for block in design.blocks if (row := block.whole.kind.words.row)))


def sends_one_word(draft: Draft) -> bool:
    """Whether devices send one word, or the number of a group; InputError while the draft has no design."""
    return bool(rows_of(compose_design(draft)))


def choice_of_site(draft: Draft) -> str:
    """Which way the site takes, why, and what the other one would tell; empty where somebody has chosen."""
    survey, document = draft.survey, draft.document
    if not is_left_to_site(document) or not can_send_one_word(survey, document, sensitive(document)):
        return ""
    try:
        one_word = sends_one_word(draft)
        other = apply(survey, document, {"do": "protect", "field": "way", "value": "" if one_word else ONE_WORD})
        mine, others = (forecasts_in_range(one) for one in (draft, Draft.from_document(survey, other)))
        change = say_change(*(judge_document(survey, one) for one in (document, other)))
    except InputError:
        return ""
    if one_word:
        said = _(
            "We chose one word each: over all that you guess, it tells more of what you want. With disguised answers, "
            "if it is as you guess: %(prices)s."
        )
    else:
        said = _(
            "We chose disguised answers: over all that you guess, they tell more of what you want. With one word each, "
            "if it is as you guess: %(prices)s."
        )
    chosen = [said % {"prices": change.as_text(_)}]
    if PAIRS in read_wishes(document).tell:
        chosen.append(_errors_of_pairs(mine, others))
    return join_sentences([*chosen, _crossing(*((mine, others) if one_word else (others, mine)))])


def _errors_of_pairs(mine: list[Forecast], others: list[Forecast]) -> str:
    """The errors by which two ways were compared: widths and links may all speak for the one that was left."""
    figures = [100 * figure for way in (mine, others) for figure in figures_of_way(way, 2)]
    if len(figures) < 4:  # a way of which a report says nothing
        return ""
    answer, pair, other_answer, other_pair = (f"{figure:.1f}" for figure in figures)
    return _(
        "At worst over all that you guess, pairs of answers have a standard error of %(pair)s points, not "
        "%(other_pair)s; single answers one of %(answer)s, not %(other_answer)s."
    ) % {"pair": pair, "other_pair": other_pair, "answer": answer, "other_answer": other_answer}


def _crossing(words: list[Forecast], answers: list[Forecast]) -> str:
    """That the ways cross within the range of the guess, where they do; empty elsewhere."""
    if len(words) < 2:
        return ""
    (low, low_answers), (high, high_answers) = zip(words[1:], answers[1:], strict=True)
    if not (low.most or 0) < (low_answers.most or 0) or not (high.most or 0) > (high_answers.most or 0):
        return ""
    if points(low.most) == points(low_answers.most) or points(high.most) == points(high_answers.most):
        return ""  # to the digits that people read
    return _(
        "Within your range the ways cross: where %(few)s %% say yes, one word each is sharper (%(words)s, not "
        "%(answers)s); where %(many)s %% do, disguised answers are (%(more_answers)s, not %(more_words)s)."
    ) % {
        "few": percent_of_guess(low.common),
        "words": points(low.most),
        "answers": points(low_answers.most),
        "many": percent_of_guess(high.common),
        "more_answers": points(high_answers.most),
        "more_words": points(high.most),
    }


def _example_of_file(draft: Draft, rows: list[RowWords]) -> Iterator[tuple[str, str]]:
    """Example rows (number, word) of the file, if the only block is a list of words that name answers; else none."""
    asked = [question.words for question in draft.questions if question.block]
    if len(draft.blocks) == len(rows) == 1 and rows[0].names_answers:
        yield from (
            ("1", asked[0]),
            ("2", _("none of these")),
            ("…", ""),
            (format_count(draft.document["expected"]), asked[-1]),
        )


def _rows(forecasts: list[Forecast]) -> Iterator[tuple[str, list[str]]]:
    """What can be estimated of one thing, from how many people."""
    first = forecasts[0]
    if first.most is not None:
        yield _("each answer"), [points_as_range(forecast) for forecast in forecasts]
        if first.connections:
            for length, what in ((2, _("links found")), (3, _("rules of three"))):
                yield what, [of_ten(forecast.chance(length)) for forecast in forecasts]
        yield _("two halves compared"), [points(forecast.apart) for forecast in forecasts]


@dataclass(frozen=True)
class ListRow:
    """A list: how exact single answers are with it, and pairs; what makes it, and the change that takes it."""

    widths: tuple[float, float]
    cap: str
    heavier: str
    change: str

    @property
    def points(self) -> list[str]:
        return [points(width) for width in self.widths]


def lists_context(draft: Draft) -> dict[str, Any]:
    """The front of lists as a picture and a table; nothing where there is no choice."""
    rows = list[ListRow]()
    with suppress(InputError):  # while it has no design
        rows = list(_not_beaten(_list_rows(draft)))
    if len(rows) < 2:
        return {}
    proposed = is_proposed(draft.document)
    mark, axes = _("proposed") if proposed else _("in use"), [_("each answer, in points"), _("each pair, in points")]
    return {
        "rows": rows,
        "mark": mark,
        "axes": axes,
        "picture": _picture(rows, mark, *axes),
        "propose": "" if proposed else json.dumps({"do": "protect", "field": "by", "value": PROPOSAL}),
    }


def _list_rows(draft: Draft) -> Iterator[ListRow]:
    for one in front_of_draft(draft).lists:
        settings = draft.document["blocks"][0]["settings"] if one.usual else one.settings
        single, pair = settings.get("weights") or (1, 1)
        change = {"do": "block", "place": 0, "field": "settings", "value": {"groups": "", "least": "", **settings}}
        there = draft if one.usual else Draft.from_document(draft.survey, apply(draft.survey, draft.document, change))
        known = forecast_draft(there)
        widths = known.most or 0.0, known.pairs
        if all(map(is_known, widths)):
            cap, heavier = (f"{figure:.3g}" for figure in (settings["cap"], pair / single))
            yield ListRow(widths, cap, heavier, "" if one.usual else json.dumps(change))


def _not_beaten(rows: Iterable[ListRow]) -> Iterator[ListRow]:
    """The list of now, and those that tell pairs more sharply than all that tell single answers as sharply."""
    least = math.inf
    for row in sorted(rows, key=lambda row: row.widths):
        if row.widths[1] < least or not row.change:
            yield row
        least = min(row.widths[1], least)


def _picture(rows: list[ListRow], mark: str, across: str, up: str) -> str:
    """Each list by its number in the table, with a line through all of them."""
    x, y = ([100 * row.widths[at] for row in rows] for at in range(2))
    notes = [str(number) if row.change else f"{number}, {mark}" for number, row in enumerate(rows, 1)]
    own = [number for number, row in enumerate(rows) if not row.change]
    marked = Points("", [x[number] for number in own], [y[number] for number in own])
    series: list[Line | Points] = [Points("", x, y, notes=notes), marked, Line("", x, y)]
    described = _("The longer sides of the intervals that a report prints, as in the table.")
    title = _("Lists of words: single answers against pairs")
    return chart(title, series, Axis(across), Axis(up, low=0), description=described, width=400, height=320)


def labels() -> dict[str, tuple[str, str]]:
    """What each of the five words is called, and the share that it says."""
    said = {
        "very rare": (_("very rare"), _("1 in 50")),
        "rare": (_("rare"), _("1 in 10")),
        "some": (_("some"), _("1 in 4")),
        "half": (_("half"), _("1 in 2")),
        "most": (_("most"), _("3 in 4")),
    }
    return {word: said[word] for word in WORDS}


def guess_context(draft: Draft) -> dict[str, Any]:
    asked = _guessable(draft)
    widths = _widths(draft)
    rows = [
        {
            "id": question.id,
            "words": question.words,
            "guess": _show(word_of(draft.document, question.settings)),
            "points": _points_of(question, widths),
        }
        for question in asked
    ]
    said = {word_of(draft.document, question.settings) for question in asked}
    one = said.pop() if len(said) == 1 else word_of(draft.document, {})
    return {
        "five": [(word, name, share, word == one) for word, (name, share) in labels().items()],
        "guess": _show(one),
        "rows": rows,
        "now": summary_of(draft),
        "version": (version := earlier.version_of(draft.survey)) and version.number,
        "wrong": _if_wrong(draft),
    }


def _guessable(draft: Draft) -> list[Question]:
    """The sensitive questions with options that take a guess: shares of anchors are known."""
    guess = guess_of(draft)
    return [
        question
        for question in draft.questions
        if question.block and any(not guess.knows(item) for item in _items(question))
    ]


def _if_wrong(draft: Draft) -> str:
    """What figures are at both ends of the range, and far off; by the verdict."""
    judged = judge_or_none(draft.survey, draft.document)
    return join_sentences(one.as_text(_) for one in judged.guess) if judged else ""


def summary_of(draft: Draft) -> str:
    """How many sensitive questions have which guess."""
    counts = Counter(word_of(draft.document, question.settings) for question in _guessable(draft))
    named = labels()
    said = [
        ngettext("%(n)s is %(word)s", "%(n)s are %(word)s", count) % {"n": count, "word": _in_words(word, named)}
        for word, count in counts.most_common()
    ]
    return _(", ").join(said)


def _in_words(said: str | None, named: dict[str, tuple[str, str]]) -> str:
    if said is None:
        return _("3 in 10, as before")
    if said in named:
        return named[said][0]
    shown = _show(said)
    if shown["low"]:
        return _("about %(about)s %%, perhaps %(low)s to %(high)s %%") % shown
    return _("about %(about)s %%") % shown


def _show(said: str | None) -> dict[str, str]:
    """A guess in percent, as its fields show it: the best guess, and the range where it has one."""
    about, low, high = (f"{100 * one:.3g}" for one in range_of_guess(said))
    return {"about": about, "low": low, "high": high} if low != high else {"about": about, "low": "", "high": ""}


def _items(question: Question) -> list[Item]:
    """The question's items that have options; none while its block is refused."""
    assert question.block
    try:
        entered = check_block(question, question.block.kind)
        return [Item(item.id, item.options or YES_NO) for item in entered if not item.scale]
    except InputError:
        return []


def _points_of(question: Question, widths: dict[str, float]) -> str:
    widest = max((widths.get(item.id, math.inf) for item in _items(question)), default=math.inf)
    return points(widest) if widest < 1 else ""


def _widths(draft: Draft) -> dict[str, float]:
    if (design := design_or_none(draft)) is None:
        return {}
    return widths_of_items(design, draft.document["expected"], minimum_of_draft(draft).disguised, guess_of(draft))
