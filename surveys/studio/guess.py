"""The one guess of a draft: how many say yes, and in which range; and each question with what is known of it."""

import math
from collections import Counter
from typing import Any

from django.utils.translation import gettext as _, ngettext

from privacy.design.items import YES_NO, Item
from privacy.errors import InputError
from privacy.plan.prevalences import WORDS
from surveys.domain.drafts.protect import judge_or_none
from surveys.domain.questionnaire.compose import check_block, design_or_none
from surveys.domain.questionnaire.document import Draft, Question
from surveys.domain.questionnaire.forecast import widths_of_items
from surveys.domain.questionnaire.guess import guess_of, range_of_guess, word_of
from surveys.domain.questionnaire.minimum import minimum_of_draft
from surveys.results import earlier
from surveys.sentences import join_sentences
from surveys.studio.forecast_words import points


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


def context(draft: Draft) -> dict[str, Any]:
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
        "taken": bool(guess_of(draft).earlier),
    }


def _guessable(draft: Draft) -> list[Question]:
    """The sensitive questions with options that take a guess: shares of anchors, and of an earlier wave, are known."""
    guess = guess_of(draft)
    return [one for one in draft.questions if one.block and any(not guess.knows(item) for item in _items(one))]


def _if_wrong(draft: Draft) -> str:
    """What figures are at both ends of the range, and far off; by the verdict."""
    judged = judge_or_none(draft.survey, draft.document)
    return join_sentences(one.as_text(_) for one in judged.guess) if judged else ""


def summary_of(draft: Draft) -> str:
    """How many sensitive questions have which guess."""
    counts = Counter(word_of(draft.document, question.settings) for question in _guessable(draft))
    if not counts and guess_of(draft).earlier:
        return _("the shares of the earlier version")
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
