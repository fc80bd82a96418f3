"""The second wave of a survey on Protect and on papers: its sets, why these, what tells them, and the price of both."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np
from django.utils.translation import get_language, gettext as _, ngettext

from privacy.design import Design
from privacy.errors import EntryError, InputError
from privacy.output import format_count
from privacy.plan.verdict import HOPELESS, say_gains
from privacy.reconstruct.words_sent import foresee_reaches, list_in
from surveys.definition import Definition
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import PROPOSAL, can_send_one_word, judge_document, read_wishes
from surveys.domain.messages.invite import count_waiting
from surveys.domain.questionnaire.compose import compose_design, page_entries
from surveys.domain.questionnaire.document import Document, Draft, Question, read_document, sensitive
from surveys.domain.questionnaire.forecast import forecast_draft
from surveys.domain.questionnaire.guess import Guess, guess_of
from surveys.domain.questionnaire.minimum import minimum_of_version
from surveys.domain.questionnaire.reworded import questions_reworded, tell_together
from surveys.domain.questionnaire.versions import parse_version
from surveys.domain.responses import counts
from surveys.features.second_wave import AFTER, first_wave
from surveys.features.second_wave.figures import list_after, possible_first
from surveys.features.second_wave.report import explain_apart
from surveys.models import Survey, SurveyVersion
from surveys.results import earlier
from surveys.results.words import words_of
from surveys.sentences import capital, join_sentences, sentence_of
from surveys.studio.alternatives import Price
from surveys.studio.staff_part import IN_USE, NOT_USED, Fieldwork, PaperSubject, StaffPart, Way
from surveys.studio.verdict import points
from surveys.studio.ways import WAVES

TOPS = (8, 16, 32)  # sets that may be wanted


@dataclass(frozen=True)
class Sets:
    """How many sets a list has, and half the width of the widest of their intervals."""

    count: int
    width: float

    def __str__(self) -> str:
        if self.width >= 1:
            return ngettext(
                "%(count)s set of two or three answers, of which so few people tell nothing",
                "%(count)s sets of two or three answers, of which so few people tell nothing",
                self.count,
            ) % {"count": self.count}
        return ngettext(
            "%(count)s set of two or three answers, known to %(points)s points",
            "%(count)s sets of two or three answers, each known to %(points)s points",
            self.count,
        ) % {"count": self.count, "points": points(self.width)}

    @property
    def sides(self) -> tuple[list[str], list[str]]:
        """What it says as a gain and as a cost: sets known as badly as shares for which nobody should ask are none."""
        return ([str(self)], []) if self.width < HOPELESS else ([], [str(self)])


def sets_of(draft: Draft) -> Sets:
    """The sets of a draft whose list names them; InputError while it has no design with one list."""
    design = compose_design(draft)
    return _count_sets(design, draft.document["expected"], guess_of(draft))


def _count_sets(design: Design, people: int, guess: Guess) -> Sets:
    widths = [width for each in widths_of_sets(design, people, guess).values() for width in each]
    return Sets(len(widths), max(widths, default=1.0))


def widths_of_sets(design: Design, people: int, guess: Guess) -> dict[int, list[float]]:
    """The longer side of the interval of each set of the list, by the number of its answers."""
    place, words = list_in(design, "design")
    foreseen = np.maximum(*foresee_reaches(words, list(map(guess.shares, design.blocks[place].items)), people))
    widths: dict[int, list[float]] = {}
    for (answers, _literals), width in zip(words.words, foreseen.tolist(), strict=True):
        if len(answers) > 1:
            widths.setdefault(len(answers), []).append(width)
    return widths


def describe_plan(
    survey: Survey, definition: Definition, people: int, guess: Guess, named: Callable[[str], str]
) -> dict[str, Any] | None:
    """What is planned of a second wave, with each set as `named` says its answers; None of any other version."""
    hashed = first_wave(definition.source)
    first = survey.versions.filter(sha256=hashed).first() if hashed else None
    if first is None:
        return None
    try:
        sets = _count_sets(definition.design, people, guess)
        _place, words = list_in(definition.design, "design")
    except InputError:  # it became another design by hand
        return None
    origin = _(
        "This is a second wave. The figures of version %(number)s chose its sets of answers before anybody "
        "answered it, and who answered version %(number)s does not answer again."
    )
    both = _(
        "Single answers are in the lists of version %(number)s and of this one, fixed beforehand: both tell their "
        "shares together. Each version weighs as much as its list and its number of people tell, whatever is "
        "answered."
    )
    of_first = {"number": first.number}
    scope = _("This version alone tells the sets of its list, and no other sets: %(sets)s.")
    return {
        "origin": origin % of_first,
        "sets": [_(" and ").join(map(named, answers)) for answers, _literals in words.words if len(answers) > 1],
        "scope": scope % {"sets": sets},
        "alone": both % of_first if tell_together(first.design, definition.design) else explain_apart(first),
    }


def reason(number: int) -> str:
    """Why only these sets have figures, and from whom."""
    return _(
        "Version %(number)s chooses the sets, so the next version alone tells them, and no other sets. Who answered "
        "version %(number)s does not answer again."
    ) % {"number": number}


def _after(draft: Draft) -> Any:
    """The list that an earlier version made likely; None of any other draft."""
    return draft.document["protection"].get(AFTER)


def sentences(draft: Draft) -> tuple[list[str], list[str]]:
    """What the list of a second wave tells, and what it does not; nothing for any other draft."""
    after = _after(draft)
    if after is None:
        return [], []
    cannot = [
        reason(after["of"]),
        *_say_waiting(_count_waiting(draft.survey, draft.document)),
        *map(itemgetter(0), sentences_on_changes(draft)),
    ]
    try:
        cannot[1:1] = _say_if_apart(draft)
        sets, one = sets_of(draft), forecast_draft(draft)
    except InputError:
        return [], cannot
    gains, costs = ([], []) if one.withheld else sets.sides
    return gains, [*costs, *cannot]


def _count_waiting(survey: Survey, source: Mapping[str, Any]) -> int:
    """How many people a lot has kept, who alone may answer; none where the link is open to all."""
    return 0 if source["access"] == Survey.Access.OPEN else count_waiting(survey)


def _say_waiting(waiting: int) -> list[str]:
    sentence = ngettext(
        "%(n)s person waits for this second wave, and nobody else can be invited.",
        "%(n)s people wait for this second wave, and nobody else can be invited.",
        waiting,
    )
    return [sentence % {"n": format_count(waiting)}] if waiting else []


def _say_if_apart(draft: Draft) -> list[str]:
    after = _after(draft) or {}
    first = draft.survey.versions.filter(sha256=after.get("version")).first()
    return [] if first is None or tell_together(first.design, compose_design(draft)) else [explain_apart(first)]


def _questions_asked_otherwise(draft: Draft) -> list[Question]:
    """The sensitive questions of a second wave that the first asked otherwise; none for any other draft."""
    after = _after(draft)
    if after is None:
        return []
    with suppress(InputError, SurveyVersion.DoesNotExist):  # a draft that says so elsewhere
        first: Definition = parse_version(after["version"])
        now = {"languages": draft.languages, "pages": page_entries(draft, draft.languages)}
        changed = questions_reworded(first.source, now)
        return [question for question in draft.questions if question.block and question.id in changed]
    return []


def sentences_on_changes(draft: Draft) -> Iterator[tuple[str, str]]:
    """What follows for each question that the first wave asked otherwise, with the question's place on the page."""
    after = _after(draft) or {}
    for question in _questions_asked_otherwise(draft):
        sentence = _(
            "“%(question)s” was changed after version %(number)s: its figures will be of this wave alone, and not of "
            "both versions together."
        )
        values = {"question": question.words, "number": after["of"]}
        yield sentence % values, f"q-{question.id}"


def prices(survey: Survey, document: Document) -> list[Price]:
    """A second wave where an earlier version makes one possible; of one that is chosen, other numbers of sets.

    Where an earlier version makes none possible, the reason.
    """
    after = document["protection"].get(AFTER)
    version = None if after else possible_first(survey)
    if survey.closed_at is not None or not (after or version):
        return []
    ended = version is not None and survey.has_ended(version.number)
    try:
        if why := obstacle(survey, document):
            raise EntryError(why)
        if version is None:
            return list(_prices_of_changes(survey, document, after))
        return [_price_of_offer(survey, document, version, ended)]
    except InputError as error:
        return [Price(_("a second wave, not possible now"), [], [capital(sentence_of(error))], next_step=ended)]


def obstacle(survey: Survey, document: Document) -> str:
    """Why no draft such as this can be a second wave, whatever an earlier version tells; empty where it can."""
    if read_wishes(document).by != PROPOSAL:
        return _(
            "The blocks are made by hand, and the list of a second wave is proposed by the site. “Take the proposal” "
            "at Protect, under “For experts”, makes one possible, also once this version has ended."
        )
    if not can_send_one_word(survey, document, sensitive(document)):
        return _(
            "It sends one word about all sensitive answers: it needs two questions or more, and no number or place. "
            "The next version can do without these."
        )
    return ""


def outlook(version: SurveyVersion, document: Document) -> str:
    """Whether a second wave can follow a version that collects, and how many answers are missing; said before it ends.

    Nothing of a version that is a second wave itself: no third one follows.
    """
    survey, number = version.survey, {"number": version.number}
    if version.parsed.asks_others:
        return ""
    why, shown = obstacle(survey, document), minimum_of_version(version)
    now = [_("As the draft is now, no second wave can follow version %(number)s.") % number, why] if why else []
    missing = counts.missing(version, shown.once_closed)
    if not missing:
        enough = _(
            "A second wave can follow: enough people have answered version %(number)s with disguise. More answers "
            "choose better sets."
        )
        return join_sentences(now or [enough % number])
    said = _(
        "For a second wave each question of version %(number)s must be asked of %(least)s people with disguise, which "
        "takes about %(needed)s answers. At most %(missing)s are missing: if you end it now, there may be no second "
        "wave, and who waits for it is lost."
    )
    figures = {"least": shown.disguised, "needed": shown.once_closed, "missing": missing}
    return join_sentences([*now, said % {**number, **{name: format_count(one) for name, one in figures.items()}}])


def _price_of_offer(survey: Survey, document: Document, version: SurveyVersion, ended: bool) -> Price:
    change = {"do": "after", "value": version.number}
    there = _draft_after(survey, document, _read_first_wave(survey, change))
    title = _("a second wave, for sets of answers that version %(number)s makes likely") % {"number": version.number}
    gains, costs = _compare(survey, document, there, sets_of(there))
    costs += [
        reason(version.number),
        *_say_waiting(_count_waiting(survey, document)),
        *_say_if_apart(there),
    ]
    return Price(title, gains, costs, json.dumps(change), next_step=ended)


def _prices_of_changes(survey: Survey, document: Document, after: Any) -> Iterator[Price]:
    for top in TOPS:
        if top != after["top"]:
            change = {"do": "after", "value": "", "top": top}
            there = _draft_after(survey, document, change)
            title = _("look for %(count)s sets, in a list of more") % {"count": top}
            yield Price(title, *_compare(survey, document, there, sets_of(there)), json.dumps(change))
    change = {"do": "after", "value": ""}
    there = _draft_after(survey, document, change)
    title = _("no second wave: a list that no version has chosen")
    yield Price(title, *_compare(survey, document, there), json.dumps(change))


def _compare(survey: Survey, document: Document, there: Draft, sets: Sets | None = None) -> tuple[list[str], list[str]]:
    """What sets and each answer alone gain and cost, of as many people both ways."""
    here = {**document, "expected": there.document["expected"]}
    sides = say_gains(judge_document(survey, here), judge_document(survey, there.document))
    own = sets.sides if sets else ([], [])
    gains, costs = ([*said, *(one.as_text(_) for one in more)] for said, more in zip(own, sides, strict=True))
    return gains, costs


def _draft_after(survey: Survey, document: Document, change: Mapping[str, Any] | None = None) -> Draft:
    return Draft.from_document(survey, apply(survey, document, change) if change else document)


def _remarks(draft: Draft) -> Iterator[tuple[str, str]]:
    after = _after(draft)
    waiting = count_waiting(draft.survey) if after else 0
    if after and draft.document["access"] == Survey.Access.OPEN:
        sentence = _(
            "An open link cannot know who answered version %(number)s. Its page asks, and nobody can check what "
            "people say. Invitations split by lot keep both apart."
        )
        yield sentence % {"number": after["of"]}, "opening"
        if draft.document["expected"] == waiting:  # the list was taken while they alone could answer
            sentence = _("It is planned for the %(n)s people who waited. With an open link others may come, too.")
            yield sentence % {"n": format_count(waiting)}, "protect"
    elif after and not waiting:
        sentence = _(
            "No lot has kept people for this second wave: the site cannot know who of those invited answered version "
            "%(number)s, so the page asks them, and nobody can check what they say."
        )
        yield sentence % {"number": after["of"]}, "opening"
    elif after and draft.document["expected"] > waiting:  # they are far from as many
        yield from ((said, "protect") for said in _say_waiting(waiting))
    yield from sentences_on_changes(draft)


def _notice(_version: SurveyVersion, by_link: bool) -> str:
    if by_link:
        return _(
            "This is a second wave. An open link cannot know who answered the first: its page asks, and nobody can "
            "check what people say."
        )
    return _(
        "This is a second wave for which no lot has kept people: the site cannot know who answered the first, so the "
        "page asks each of them."
    )


def _why_none(field: Fieldwork) -> str:
    """Why no second wave can follow, as the draft is now or by what an ended version tells; empty where one can."""
    version, why = field.version, obstacle(field.survey, field.draft.document)
    if not why and version is not None and field.survey.has_ended(version.number):
        try:
            list_after(version)
        except InputError as error:
            return capital(sentence_of(error))
    return why


def _way(field: Fieldwork) -> Way:
    """Two waves go with any other way. Where nobody waits and no list follows from a version, they are not used."""
    second = field.version is not None and field.version.parsed.asks_others
    used = second or _after(field.draft) is not None or count_waiting(field.survey) > 0
    return Way(
        WAVES,
        "waves",
        _("In two waves"),
        _("Also possible, with any of the ways above: first shares, then pairs, asked of other people."),
        IN_USE if used else NOT_USED,
        "studio/features/second_wave/steps.html",
        {
            "is_second": second,
            "waiting": _say_waiting(_count_waiting(field.survey, field.source)) if second else [],
            "no_second": "" if second else _why_none(field),
        },
    )


def _read_first_wave(survey: Survey, wanted: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the list that a version's figures make likely, and how many people wait for it."""
    if not wanted.get("value"):
        return wanted
    if (version := possible_first(survey)) is None:
        raise EntryError(earlier.NOTHING_SEALED)
    return {**wanted, "value": list_after(version), "people": _count_waiting(survey, read_document(survey))}


def _papers(about: PaperSubject) -> dict[str, Any]:
    """What papers say of a second wave, and of its whole record the errors of the sets of its list."""
    language = get_language() or "en"
    named = words_of(about.version, language).brief if about.version else about.named
    widths: dict[int, list[float]] = {}
    with suppress(InputError):  # no list any more
        widths = widths_of_sets(about.definition.design, about.people, about.guess)
    return {"second": describe_plan(about.survey, about.definition, about.people, about.guess, named), "widths": widths}


PART = StaffPart(
    remarks=_remarks,
    tells=sentences,
    prices=prices,
    outlook=outlook,
    prepare={"after": _read_first_wave},
    papers=_papers,
    notice=_notice,
    way=_way,
)
