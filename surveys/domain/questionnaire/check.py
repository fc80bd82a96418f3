"""What is wrong with a questionnaire as it was entered, and what is still missing.

What is wrong is shown at its question while the questionnaire is written. What is missing (a translation, the options
of a choice) may wait until it is published. The rules themselves are where they are used, in the design and in the
definition; their errors name the place that they concern.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

from django.utils.translation import gettext as _, ngettext

from privacy.design.blocks import RECIPES
from privacy.design.recipes import EnteredItem
from privacy.errors import EntryError, InputError, to_translate
from privacy.output import format_count
from surveys import definition
from surveys.conditions import never_asked, shares_asked
from surveys.definition import Definition
from surveys.domain.questionnaire.compose import (
    Items,
    block_items,
    check_block,
    compose,
    design_items,
    design_of,
    page_entries,
    question_entry,
)
from surveys.domain.questionnaire.document import PUBLISHED_TEXTS, TEXT_NAMES, Draft, EnteredBlock, Page, Question
from surveys.domain.questionnaire.draft_part import (
    Gap,
    allow,
    missing as missing_of_features,
    refusals as refusals_of_features,
)
from surveys.domain.questionnaire.minimum import Minimum
from surveys.domain.questionnaire.sets import ask_some
from surveys.features import pictures
from surveys.features.questions import FIELDS, check_references, late_references, outcomes
from surveys.features.questions.no_skip import is_unskipped
from surveys.features.questions.unasked import refuse_numbers_of_people
from surveys.kinds import FORMS, OPTION_FIELDS, QUESTION_FIELDS, example, write_item
from surveys.kinds.forms import FormField
from surveys.models import Survey
from surveys.questions import TYPES, type_of
from surveys.questions.entered import Texts, list_questions
from surveys.questions.rows import SKIP
from surveys.sentences import capital, sentence_of

ROUNDED = Fraction(1, 10**6)  # of people: a third is drawn with a chance out of 2³² that may be a bit less

MOST_STAND_INS = 200
NEVER = to_translate("no answers lead to this question: nobody would be asked it.")
LATE_END = to_translate(
    "it sends people away who have answered disguised questions by then: put it on a page before them."
)


@dataclass(frozen=True)
class Refusal:
    """A fault, and the part of the draft that it concerns."""

    at: Survey | EnteredBlock | Question | Page
    sentence: str

    def __str__(self) -> str:
        """The sentence with the name of what it concerns, to be shown elsewhere than at its field."""
        name = self.at.words if isinstance(self.at, Question) else self.at
        return _("“%(name)s”: %(sentence)s") % {"name": name, "sentence": self.sentence}


def refusals(draft: Draft) -> Iterator[Refusal]:
    """Yield the faults of a draft that no change elsewhere can mend; at most one for each question and block."""
    refused: set[Survey | EnteredBlock | Question | Page] = set()
    for refusal in (*_refusals_of_survey(draft), *_refusals_of_pages(draft), *_refusals_of_questions(draft)):
        refused.add(refusal.at)
        yield refusal
    for block in draft.blocks:
        if refused.isdisjoint(draft.inside(block)):
            yield from _refusals_of_block(block, draft)


def missing(draft: Draft) -> list[str]:
    """List what a draft still lacks before it can be published, as sentences; without gaps, why it is refused."""
    if sentences := [*map(str, gaps(draft))]:
        return sentences
    return [sentence] if (sentence := refusal_of_whole(draft)) else []


def complete_definition(draft: Draft, *, stored: bool = True) -> Definition:
    """Make the definition of a complete draft; InputError says what is missing or wrong."""
    if gap := next(iter(gaps(draft)), None):
        raise InputError(str(gap))
    try:
        definition = compose(draft, stored=stored)
    except InputError as error:
        raise InputError(why_not(draft, error)) from None
    refuse_numbers_of_people(definition.source)
    if never := never_asked(definition.questions):
        raise InputError(why_not(draft, EntryError(NEVER, at=f"question '{never[0]}'.when")))
    if late := _late_ends(draft):
        raise InputError(why_not(draft, EntryError(LATE_END, at=late[0].place)))
    if names := _(", ").join(item.id for block in definition.design.blocks if block.leaks for item in block.items):
        sentence = _(
            "The disguise of %(names)s gives true answers away (γ is infinite) and cannot be used in a real survey: "
            "disguise more."
        )
        raise InputError(sentence % {"names": names})
    return definition


def ask_for_reasons(draft: Draft) -> str:
    """The sentence that asks for "prefer not to say", or a reason against it, at each question without; or ""."""
    questions = without_reason(draft)
    if not questions:
        return ""
    sentence = ngettext(
        "%(n)s question lacks “Prefer not to say”: %(names)s. Add it, or say why not.",
        "%(n)s questions lack “Prefer not to say”: %(names)s. Add it to all, or say why not.",
        len(questions),
    )
    return sentence % {"n": len(questions), "names": list_questions(questions)}


def ask_for_erasing(survey: Survey) -> str:
    """The sentence that asks for the day on which the survey is erased, which people have a right to know; or ""."""
    sentence = _("No erasing day is set: people have a right to know how long their answers are stored.")
    return "" if survey.keep_until else sentence


def without_reason(draft: Draft) -> list[Question]:
    """The sensitive questions without "prefer not to say" and without a reason for that; ethics boards ask why."""
    return [question for question in draft.questions if is_unskipped(question) and not question.no_skip]


def with_reason(draft: Draft) -> list[Question]:
    """The sensitive questions that somebody must answer, for a reason that is given."""
    return [question for question in draft.questions if is_unskipped(question) and question.no_skip]


def list_unskipped(definition: Definition) -> list[tuple[str, str]]:
    """The sensitive questions without "prefer not to say", each with the reason; empty: none was given.

    Of questions that have no options the reason is their type.
    """
    unskipped = []
    for question in definition.questions:
        if question.sensitive and SKIP not in question.options:
            has_options = TYPES[question.type].skipped is not None
            usual = "" if has_options else _("its type has no options to which it could be added")
            unskipped.append((question.id, definition.entries[question.id].get("no_skip", usual)))
    return unskipped


def refusal_of_whole(draft: Draft, *, stored: bool = True) -> str:
    """Why a draft without gaps cannot be published, for itself or for what is `stored` of surveys; empty: it can."""
    try:
        definition = complete_definition(draft, stored=stored)
        if stored:
            allow(draft, definition)
    except InputError as error:
        return sentence_of(error)
    return ""


def gaps(draft: Draft) -> list[Gap]:
    """List the texts and parts that are still empty, without checking the draft as a whole."""
    return [*_missing_texts(draft), *_missing_parts(draft)]


def why_not(draft: Draft, error: InputError) -> str:
    """Say why a questionnaire as a whole is refused, with the name of what the refusal concerns."""
    return str(_place_refusal(draft, error) or sentence_of(error))


def _place_refusal(draft: Draft, error: InputError) -> Refusal | None:
    """The refusal of the question, block or page whose place begins that of the error; None if there is none."""
    entries: tuple[Page | EnteredBlock | Question, ...] = (*draft.pages, *draft.blocks, *draft.questions)
    for entry in entries:
        if f"{error.at}.".startswith(f"{entry.place}."):
            return Refusal(entry, capital(sentence_of(error)))
    return None


def lacks(question: Question) -> str:
    """Say which fields of the question's page are still empty, for its type or its block; "" if none."""
    if sentence := TYPES[question.type].lacks(question):
        return sentence
    for field in _item_fields(question):
        if field.missing and field.name not in question.settings:
            return _("“%(name)s”: %(sentence)s") % {"name": question.words, "sentence": _(field.missing)}
    return ""


def _item_fields(question: Question) -> tuple[FormField, ...]:
    """The fields that the question's block asks for at it and its options; none where no block disguises it."""
    return () if question.block is None else FORMS[question.block.kind].item_fields


def answers_before(draft: Draft) -> Iterator[tuple[Question, str]]:
    """Yield the answers that a condition after all questions may name: earlier undisguised questions, each with a value
    that it can have.
    """
    for earlier in draft.questions:
        if earlier.block is not None or lacks(earlier):
            continue
        try:
            read = definition.read_question(question_entry(earlier, []), [])
        except InputError:  # the refusal is shown at that question itself
            continue
        yield from ((earlier, value) for value in type_of(read).answers(read))


def _refusals_of_survey(draft: Draft) -> Iterator[Refusal]:
    survey = draft.survey
    if survey.opens_at and survey.closes_at and survey.opens_at >= survey.closes_at:
        yield Refusal(survey, _("It would close before it opens."))
    yield from (Refusal(survey, sentence) for sentence in refusals_of_features(draft))


def _refusals_of_pages(draft: Draft) -> Iterator[Refusal]:
    for page in draft.pages:
        try:
            ask_some(page, _entries_so_far(draft, page), [])
        except InputError as error:
            yield Refusal(page, capital(sentence_of(error)))


def _entries_so_far(draft: Draft, page: Page) -> list[dict[str, Any]]:
    """What of the questions of a page decides their order and who is asked them, finished or not."""
    own = {one: {name: field.in_effect(one) for name, field in FIELDS.items()} for one in draft.on_page(page)}
    return [{"id": one.id, "sensitive": one.block is not None, **fields} for one, fields in own.items()]


def _refusals_of_questions(draft: Draft) -> Iterator[Refusal]:
    questions: tuple[definition.PublishedQuestion, ...] = ()
    pages = [{**dict.fromkeys(page.flags, True), "questions": _entries_so_far(draft, page)} for page in draft.pages]
    too_late = {name: field.too_late for name, field in reversed([*late_references(pages)])}
    late = _late_ends(draft)
    for question in draft.questions:
        try:
            questions = _add_to_checked(question, questions)
        except InputError as error:
            yield Refusal(question, capital(sentence_of(error)))
        else:
            if question.id in too_late:
                yield Refusal(question, capital(_(too_late[question.id])))
            elif question in late:
                yield Refusal(question, capital(_(LATE_END)))
    never = never_asked(questions)
    yield from (Refusal(question, capital(_(NEVER))) for question in draft.questions if question.id in never)


def _late_ends(draft: Draft) -> list[Question]:
    """Questions that may end a visit after a disguised one was answered: a visit ends when people leave a page."""
    moving = [page.number for page in draft.pages if "moves" in page.flags]
    disguised = [
        min([question.page, *moving] if question.page in moving else [question.page])
        for question in draft.questions
        if question.block
    ]
    return [
        question
        for question in draft.questions
        if outcomes(question)
        and disguised
        and (max(moving) if question.page in moving else question.page) >= min(disguised)
    ]


def small_groups(draft: Draft, shown: Minimum) -> Iterator[tuple[Question, int, int]]:
    """Yield each question that not everybody is asked, and too few would be if all answers were equally common;
    with their number, and the number from which on its answers are shown.
    """
    try:
        entries = [entry for page in page_entries(draft, []) for entry in page["questions"]]
        questions = [definition.read_question(entry, []) for entry in entries]
        check_references(questions)
    except InputError:  # shown at the question itself
        return
    shares = shares_asked(questions)
    for question in draft.questions:
        share = shares.get(question.id) or 0
        people, least = (
            floor(share * draft.document["expected"] + ROUNDED),
            shown.disguised if question.block else shown.everything,
        )
        if share < 1 and 0 < people < least:
            yield question, people, least


def say_small_groups(draft: Draft, shown: Minimum) -> Iterator[tuple[list[Question], str]]:
    """The questions that too few people would be asked, those of equal numbers together, each with the sentence of all
    pages.
    """
    alike: dict[tuple[int, int], list[Question]] = {}
    for question, people, least in small_groups(draft, shown):
        alike.setdefault((people, least), []).append(question)
    sentence = _(
        "If all answers were equally common, %(people)s of the %(expected)s people expected would be asked: %(names)s. "
        "Answers are shown of %(least)s people or more, so these would not be."
    )
    for (people, least), asked in alike.items():
        values = {
            "people": format_count(people),
            "expected": format_count(draft.document["expected"]),
            "least": format_count(least),
        }
        yield asked, sentence % {"names": list_questions(asked), **values}


def _add_to_checked(
    question: Question, questions: tuple[definition.PublishedQuestion, ...]
) -> tuple[definition.PublishedQuestion, ...]:
    """Return the `questions` with this one, unless it is unfinished; InputError says what is wrong with it."""
    if lacks(question):  # that is entered on its own page, where a refusal would be in the way
        if question.block is not None:
            check_block(question, question.block.kind)
        return questions
    if question.block is not None:
        design_items(question, question.block)
    entry = question_entry(question, [])
    _check_use(question)
    questions = (*questions, definition.read_question(entry, []))
    definition.check_names(questions)
    check_references(questions)
    return questions


def _check_use(question: Question) -> None:
    """Refuse a value that would have no effect: a person who entered it has misunderstood something."""
    fields = {field.name for field in _item_fields(question)}
    for name, field in QUESTION_FIELDS.items():
        if name in question.settings and name not in fields:
            raise EntryError(field.elsewhere, at=f"{question.place}.{name}")
    for name, field in OPTION_FIELDS.items():
        if name not in fields and any(name in option.settings for option in question.options):
            raise EntryError(field.elsewhere, at=f"{question.place}.options")


def _refusals_of_block(block: EnteredBlock, draft: Draft) -> Iterator[Refusal]:
    items = _items_so_far(block, draft)
    try:
        items += _stand_ins(block, items)
    except InputError:  # what the kind asks of a question, such as zones, is missing; it is refused there
        return
    try:
        design_of({block: items}, draft)
    except InputError as error:
        yield _place_refusal(draft, error) or Refusal(block, capital(sentence_of(error)))


def _items_so_far(block: EnteredBlock, draft: Draft) -> Items:
    """The items of the block; none while one of its questions is refused or unfinished."""
    try:
        return block_items(block, draft)
    except InputError:  # refused, or still missing, at the question itself
        return []


def _count_items(block: EnteredBlock) -> int:
    """Return the number of items that the settings imply; settings are checked before all items are written."""
    return RECIPES[block.kind].needs(block.settings)


def _stand_ins(block: EnteredBlock, items: Items) -> Items:
    """Items for those that a block's settings announce and nobody has entered: copies of the first, or yes/no items."""
    count = min(_count_items(block) - len(items), MOST_STAND_INS)
    if count <= 0:
        return []
    values = {field.name: example(field) for field in FORMS[block.kind].item_fields if field.name in QUESTION_FIELDS}
    first = items[0][1] if items else write_item(block.kind, block.settings, EnteredItem("", None, values))
    return [(None, {**first, "id": f"item {index}"}) for index in range(count)]


def _missing_texts(draft: Draft) -> Iterator[Gap]:
    for at, name, needed, of_file, text in _texts_of(draft):
        for tag in draft.languages:
            if not text.get(tag) and (needed or any(text.values())):
                yield Gap(at, _("“%(name)s” has no text in %(language)s."), tag, name, page="looks" if of_file else "")


def _texts_of(draft: Draft) -> Iterator[tuple[Survey | Question | Page, str, bool, bool, Texts]]:
    """What each text belongs to, its name, whether it is needed and whether it says what a file shows; and the text."""
    for name in PUBLISHED_TEXTS:  # what is shown once it is closed may be written later
        yield draft.survey, str(TEXT_NAMES[name]), name != "closing", False, draft.document[name]
    for page in draft.pages:
        yield page, str(page), False, False, page.title
    for _place, shown, picture in pictures(draft.document):
        yield draft.survey, shown, True, True, picture["words"]
    names = {question.id for question in draft.questions}
    for question in draft.questions:
        yield question, question.words, True, False, question.text
        for text in (question.help, question.low, question.high):
            yield question, question.words, False, False, text
        for field in FIELDS.values():
            for what, of_file, text in field.needed_texts(question, names):
                yield question, f"{question.words} · {what}", True, of_file, text
        for option in question.options:
            answer = next(filter(None, option.label.values()), option.value)
            yield question, f"{question.words} · {answer}", True, False, option.label


def _missing_parts(draft: Draft) -> Iterator[Gap]:
    asked = {question.page for question in draft.questions}
    for question in draft.questions:
        if sentence := lacks(question):
            yield Gap(question, sentence)
    for page in draft.pages:
        if any(page.title.values()) and page.number not in asked:
            yield Gap(page, _("Page %(number)s has a title and no questions.") % {"number": page.number})
    for block in draft.blocks:
        count, needed = len(_items_so_far(block, draft)), _count_items(block)
        if 0 < count < needed:
            sentence = _("“%(name)s” announces %(needed)s items but has %(count)s so far.")
            yield Gap(block, sentence % {"name": block, "needed": needed, "count": count})
    if all(question.block is None for question in draft.questions):
        yield Gap(draft.survey, _("No question is disguised yet: disguise at least one."))
    yield from missing_of_features(draft)
