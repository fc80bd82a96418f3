"""What is looked at before a draft is published: what is missing, what is worth a second look, what is in order.

Every line says one thing and leads to the place where it is changed.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language, gettext as _, gettext_lazy, ngettext

from privacy.errors import InputError
from privacy.guarantee import advice, round_up
from privacy.guarantee.forged import effects_of_forgery
from privacy.output import format_count, tenths, two_digits
from privacy.plan.connections import Connection
from surveys.access import studio
from surveys.definition import Definition
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import judge_document
from surveys.domain.drafts.question_changes import LACKING
from surveys.domain.drafts.trial_draft import draft_without_gaps
from surveys.domain.people import log
from surveys.domain.people.roles import Action, may
from surveys.domain.questionnaire import publish as publishing
from surveys.domain.questionnaire.check import (
    Gap,
    ask_for_erasing,
    ask_for_reasons,
    gaps,
    refusal_of_whole,
    say_small_groups,
    with_reason,
    without_reason,
)
from surveys.domain.questionnaire.closing import is_over
from surveys.domain.questionnaire.compose import compose, compose_design, gamma_limit
from surveys.domain.questionnaire.document import Draft, Question
from surveys.domain.questionnaire.draft_part import entries
from surveys.domain.questionnaire.minimum import Minimum, minimum_of_draft
from surveys.domain.questionnaire.planned_tests import crowd, say_power
from surveys.domain.questionnaire.promise import Protection, promise_in_chances, promise_scope, protection, sentences
from surveys.domain.questionnaire.versions import address
from surveys.features import announce
from surveys.features.feature import Named
from surveys.features.questions import outcomes
from surveys.features.questions.pipes import names_in
from surveys.models import Survey
from surveys.questions import TYPES
from surveys.questions.entered import list_questions
from surveys.questions.rows import is_english
from surveys.results.words import words_of_definition
from surveys.sentences import language_name, sentence_of
from surveys.studio.staff_part import change_draft, panels, remarks as remarks_of_features
from surveys.studio.verdict import say_plain, unmet_of_draft


@dataclass(frozen=True)
class Remark:
    """A sentence, and the place where it is changed."""

    sentence: str
    address: str = ""
    place: str = ""
    for_all: bool = False  # one press mends it at all questions that are named


@dataclass(frozen=True)
class Checklist:
    shown: str  # of how many people
    missing: tuple[Remark, ...]
    look: tuple[Remark, ...]
    right: tuple[Remark, ...]
    read: dict[str, Any]  # what respondents are promised
    over_limit: bool
    advice: tuple[str, ...]  # what would help where it is


def checklist(draft: Draft) -> Checklist:
    """What a draft lacks before it is published, what is worth a second look, and what is in order."""
    survey = draft.survey
    shown, named = minimum_of_draft(draft), answer_namer(draft)
    try:
        promises = protection(draft, shown)
    except InputError:
        promises = None  # its missing parts say why
    missing = tuple(missing_of(draft))
    look = (
        *_single_language(draft),
        *_left_in_english(draft),
        *_skips(draft),
        *((sentence, f"q-{asked[0].id}") for asked, sentence in say_small_groups(draft, shown)),
        *_of_questions(draft),
        *remarks_of_features(draft),
        *_dates(survey, shown),
        *_access(draft, named),
    )
    over_limit = promises is not None and promises.over_limit
    helps = advice(promises.design) if promises and over_limit else ()
    return Checklist(
        shown=shown.sentence,
        missing=missing,
        look=tuple(remarks(survey, look)),
        right=tuple(_what_is_right(draft, missing, promises)),
        read=_summarise(draft, promises) if promises else {},
        over_limit=over_limit,
        advice=tuple(_(sentence).format(limit=f"{gamma_limit():g}") for sentence in helps),
    )


def missing_of(draft: Draft, *, stored: bool = True) -> Iterator[Remark]:
    """What must be mended before the draft can be published, and the day of erasing, each with the place where."""
    yield from unwritten_of(draft, stored=stored)
    if draft.survey.closed_at is None and (sentence := ask_for_erasing(draft.survey)):
        yield Remark(sentence, _dates_of(draft.survey), _("Set it"))


def unwritten_of(draft: Draft, *, stored: bool = True) -> Iterator[Remark]:
    """What must be mended in the draft itself.

    A list of drafts does not ask what is `stored` of surveys: that takes queries for each.
    """
    survey = draft.survey
    lacking = gaps(draft)
    for gap in lacking:
        yield Remark(str(gap), _address(draft, gap), _("Write it"))
    if not lacking and (sentence := refusal_of_whole(draft, stored=stored)):
        yield Remark(sentence, reverse("studio:write", args=[survey.pk]), _("Change it"))
    if sentence := ask_for_reasons(draft):
        place = f"q-{without_reason(draft)[0].id}"
        yield Remark(sentence, f"{reverse('studio:write', args=[survey.pk])}#{place}", _("Change it"), for_all=True)
    if survey.closed_at is not None:
        yield Remark(_("This survey is closed."))
    elif is_over(survey):
        sentence = _("The closing date has passed: move it before you publish, or the survey would close at once.")
        yield Remark(sentence, _dates_of(survey), _("Change it"))


def _address(draft: Draft, gap: Gap) -> str:
    """The address of the place where a gap is filled: the writing page, or that of a panel, media or page texts."""
    if gap.page:
        own = f"?question={gap.at.id}" if isinstance(gap.at, Question) else ""
        return reverse(f"studio:{gap.page}", args=[draft.survey.pk, *gap.about]) + own
    beside = f"?beside={gap.language}" if gap.language in draft.languages[1:] else ""
    place = f"q-{gap.at.id}" if isinstance(gap.at, Question) else "opening" if isinstance(gap.at, Survey) else "sheet"
    return f"{reverse('studio:write', args=[draft.survey.pk])}{beside}#{place}"


def _dates_of(survey: Survey) -> str:
    return reverse("studio:fieldwork", args=[survey.pk]) + "#end"


def remarks(survey: Survey, lines: Iterable[tuple[str, str]]) -> Iterator[Remark]:
    """The lines as remarks, with the address of the place of each: a question, the page of dates, or Protect."""
    own = {"dates": _dates_of(survey), "protect": reverse("studio:protect", args=[survey.pk])}
    for sentence, place in lines:
        address = own.get(place, f"{reverse('studio:write', args=[survey.pk])}#{place}")
        yield Remark(sentence, address, _("Look at it"))


def _single_language(draft: Draft) -> Iterator[tuple[str, str]]:
    if len(draft.languages) == 1:
        name = language_name(draft.languages[0])
        yield _("It has only one language, %(language)s.") % {"language": name}, "languages"


def _left_in_english(draft: Draft) -> Iterator[tuple[str, str]]:
    """Ready-made texts of options that nobody has translated into a language that has none."""
    for tag in draft.unspoken:
        own = {option.label.get(tag, ""): question.id for question in draft.questions for option in question.options}
        if left := [text for text in own if is_english(text)]:
            values = {"language": language_name(tag), "texts": _(", ").join(f"“{text}”" for text in left)}
            yield _("Options in %(language)s are still English: %(texts)s.") % values, f"q-{own[left[0]]}"


def _skips(draft: Draft) -> Iterator[tuple[str, str]]:
    """Sensitive questions that somebody must answer, for a reason that is given."""
    if unskipped := with_reason(draft):
        sentence = _("These have no “Prefer not to say”: %(names)s.") % {"names": list_questions(unskipped)}
        yield sentence, f"q-{unskipped[0].id}"
    if never := _on_grid(draft):
        sentence = _(
            "A number or a place has no “Prefer not to say”: %(names)s. Say in the texts that people may leave."
        )
        yield sentence % {"names": never}, "opening"


def _of_questions(draft: Draft) -> Iterator[tuple[str, str]]:
    """Undisguised numbers of which a report shows no mean; questions that send people away, but need not be answered;
    and names in braces that are no answer: respondents read the braces.
    """
    asked = {question.id for question in draft.questions}
    for question in draft.questions:
        named, at = {"name": question.words}, f"q-{question.id}"
        if TYPES[question.type].on_ends and question.block is None and not (question.min and question.max):
            yield _("“%(name)s” has no minimum or no maximum, so reports show no mean of it.") % named, at
        if outcomes(question) and not question.required:
            yield _("“%(name)s” sends people away, but may be left out: make it required.") % named, at
        for name in names_in(question):
            if name not in asked:
                sentence = _("“{%(answer)s}” in “%(name)s” is shown as it stands: no question is called so.")
                yield sentence % {"answer": name, **named}, at


def _dates(survey: Survey, shown: Minimum) -> Iterator[tuple[str, str]]:
    if survey.closes_at is None and survey.quota is None:
        yield _("It has no closing date and no quota: it collects until somebody closes it."), "dates"
    if survey.quota is not None and survey.quota < max(shown.everything, shown.once_closed):
        if survey.quota >= shown.everything:
            sentence = _("It closes with %(quota)s answers: disguised ones are shown from about %(least)s on.")
        elif survey.quota < shown.once_closed:
            sentence = _("It closes with %(quota)s answers, and of fewer than %(least)s nothing is shown.")
        else:
            sentence = _(
                "It closes with %(quota)s answers: disguised ones are shown then, and all others from %(all)s on."
            )
        values = {
            "quota": format_count(survey.quota),
            "least": format_count(shown.once_closed),
            "all": format_count(shown.everything),
        }
        yield sentence % values, "dates"


def _access(draft: Draft, named: Named) -> Iterator[tuple[str, str]]:
    written = draft.document
    if written["access"] == Survey.Access.OPEN:
        sentence = _(
            "Everybody with the link can answer, even more than once. With invitations each person answers once; they "
            "take a version of their own, and this link ends with it."
        )
        yield sentence, "opening"
    said = {name: True for name in ("early", "beside") if written[name]} | entries(draft, about_answers=True)
    yield from ((sentence, "opening") for sentence in announce(said, named))


def _what_is_right(draft: Draft, missing: tuple[Remark, ...], promises: Protection | None) -> Iterator[Remark]:
    tags = draft.languages
    if not missing and len(tags) > 1:
        languages = _(", ").join(map(language_name, tags))
        yield Remark(_("Every text exists in each language: %(languages)s.") % {"languages": languages})
    if promises is not None and not promises.over_limit:
        yield Remark(_("It protects at least as much as this site requires."))


def _summarise(draft: Draft, promises: Protection) -> dict[str, Any]:
    with_open = any(question.block is None for question in draft.questions)
    return {
        "promised": promise_in_chances(promises.design, draft.document),
        "covered": promise_scope(promises.design, with_open),
        "sentences": sentences(promises.design, draft.document),
        "connections": connections(promises),
        "respondents": promises.respondents,
        "trusted": say_trust(draft, promises),
    }


def _on_grid(draft: Draft) -> str:
    """The sensitive questions for a number or a place, by their words."""
    kinds = [(question, TYPES[question.type].disguise) for question in draft.questions if question.block]
    return list_questions(question for question, disguise in kinds if disguise and disguise.on_grid)


def connections(promises: Protection) -> Iterator[str]:
    """How likely rules of two answers and of three are found."""
    yield from map(_connection, promises.connections)


def _connection(one: Connection) -> str:
    """A sentence on how likely a rule of this many answers is found."""
    return ngettext(
        "If of those who give %(count)s answer %(those)s %% give another one, too, where among all it is %(all)s %%, "
        "this is found in %(chance)s %% of surveys like yours.",
        "If of those who give %(count)s answers %(those)s %% give another one, too, where among all it is %(all)s %%, "
        "this is found in %(chance)s %% of surveys like yours.",
        one.length - 1,
    ) % {
        "count": one.length - 1,
        "those": f"{float(tenths(100 * one.among_those)):g}",
        "all": f"{float(tenths(100 * one.among_all)):g}",
        "chance": two_digits(100 * one.chance),
    }


def say_trust(draft: Draft, promises: Protection) -> list[str]:
    """The sentences of the page before publishing."""
    definition, people = definition_so_far(draft), promises.respondents
    tests = [say_power(definition, people), *crowd(definition, people)] if definition else []
    return [*filter(None, [band(promises), *tests])]


def answer_namer(draft: Draft) -> Named:
    """A function that says an answer in the words of the draft's questions, as far as the draft can be read."""
    definition = definition_so_far(draft)
    return words_of_definition(definition, get_language() or "en").short_entry if definition else str


def definition_so_far(draft: Draft) -> Definition | None:
    """The definition of what is written of a draft; None while there is none."""
    with suppress(InputError):
        return compose(draft_without_gaps(draft.survey, deepcopy(draft.document)), trial=True)
    return None


def band(promises: Protection) -> str:
    """How far one forged response moves figures; nothing where nothing bounds it."""
    lengths = (_("of one answer"), _("of two"), _("of three"))
    moves = [
        _("%(of)s %(points)s points") % {"of": length, "points": f"{round_up(100 * effect.shift, 2):f}"}
        for length, effect in zip(lengths, effects_of_forgery(promises.design, promises.together), strict=False)
        if 0 < effect.shift < 1
    ]
    return (
        _("One forged response moves a figure by at most: %(moves)s.") % {"moves": _(", ").join(moves)} if moves else ""
    )


class OverrideForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=1000,
        help_text=gettext_lazy("Respondents are shown your name and this reason before they answer."),
    )


ADD_SKIP = {"do": "skip", "for": LACKING, "value": True}


def _takes_skip(draft: Draft) -> bool:
    """Whether “prefer not to say” can be added to all questions: blocks made by hand may take yes and no alone."""
    with suppress(InputError):
        compose_design(Draft.from_document(draft.survey, apply(draft.survey, draft.document, ADD_SKIP)))
        return True
    return False


@studio(Action.PUBLISH, "GET", "POST")
def publish(request: HttpRequest, survey: Survey) -> HttpResponse:
    """GET shows the list; POST publishes what it showed, and leads to the page of the fieldwork."""
    if survey.closed_at is not None:
        return redirect("studio:fieldwork", survey.pk)
    seen, draft = publishing.count_changes(survey), Draft.load(survey)
    refused = ""
    if "add-skip" in request.POST and may(request.user, Action.WRITE, survey):
        change_draft(request, survey, ADD_SKIP)
        return redirect("studio:publish", survey.pk)
    form = OverrideForm(request.POST) if "reason" in request.POST else None
    if request.method == "POST" and (form is None or form.is_valid()):
        refused = ask_for_reasons(draft) or ask_for_erasing(survey)
        if not refused:
            try:
                reason = form.cleaned_data["reason"] if form else ""
                version = publishing.publish(survey, str(request.user), reason, request.POST.get("seen", ""))
            except InputError as error:
                refused = sentence_of(error)
            else:
                said = log.note_down(survey, request.user, "Version %(number)s was published.", number=version.number)
                messages.success(request, said)
                return redirect("studio:fieldwork", survey.pk)
    listed = checklist(draft)
    unmet = unmet_of_draft(draft) if listed.read else []
    newest = survey.versions.last()
    context = {
        "survey": survey,
        "seen": seen,
        "address": address(request.build_absolute_uri("/"), survey),
        "form": (form or OverrideForm(initial={"reason": survey.override_reason})) if listed.over_limit else None,
        "refused": refused,
        "list": listed,
        "unanswered": [*remarks(survey, ((sentence, "protect") for sentence in unmet))],
        "plain": say_plain(judge_document(survey, draft.document)) if listed.read else "",
        "panels": [render_to_string(one.template, one.context(draft)) for one in panels() if one.step == "publish"],
        "version": newest,
        "adds": may(request.user, Action.WRITE, survey) and _takes_skip(draft),
        "unchanged": newest is not None and publishing.is_of(newest, draft),
    }
    return render(request, "studio/publish.html", context, status=422 if request.method == "POST" else 200)
