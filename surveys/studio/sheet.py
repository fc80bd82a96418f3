"""A document as the writing page shows it. Which fields a question has is said by its type, and by no list here."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from operator import itemgetter
from typing import Any

from django.conf.locale import LANG_INFO
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import InputError
from surveys.conditions import JOINS, Condition
from surveys.definition import read_question
from surveys.domain.drafts.names import LONGEST, stem
from surveys.domain.drafts.question_changes import has_skip
from surveys.domain.questionnaire.check import (
    answers_before,
    lacks,
    refusals,
    say_small_groups,
    with_reason,
    without_reason,
)
from surveys.domain.questionnaire.compose import question_entry
from surveys.domain.questionnaire.document import (
    PAGE_FLAGS,
    PUBLISHED_TEXTS,
    TEXT_NAMES,
    Draft,
    Page,
    Question,
    sensitive,
)
from surveys.domain.questionnaire.minimum import minimum_of_draft
from surveys.domain.questionnaire.sets import are_drawn, possible_numbers
from surveys.features import NOTICE
from surveys.features.questions import no_fields
from surveys.features.questions.pipes import names_in
from surveys.questions import TYPES
from surveys.questions.question import PublishedQuestion
from surveys.questions.rows import READ, SKIP, SPOKEN, RowGroup, spoken_tag
from surveys.sentences import language_name, own_name
from surveys.studio.staff_part import beside_languages, fields
from surveys.studio.zones import map_of

NOTHING: Mapping[str, str] = {}
NO_CONDITION: Condition = {"question": "", "is": []}
END = ("low", "high")
MAP = (("width", gettext_lazy("Width")), ("height", gettext_lazy("Height")), ("cell", gettext_lazy("Cell")))


@dataclass(frozen=True)
class TextBox:
    """One text in one language, and the change that writes it."""

    label: str
    language: str
    text: str
    change: dict[str, Any]
    key: str = "value"
    several: bool = False  # one a line

    @property
    def as_json(self) -> str:
        return json.dumps(self.change)


@dataclass(frozen=True)
class TextFields:
    """A text in the languages that are shown side by side."""

    name: str
    label: str
    boxes: tuple[TextBox, ...]


@dataclass(frozen=True)
class AnswerField:
    """What is said of one answer, such as whether a condition names it, and the change of that."""

    label: str
    value: Any
    as_json: str


def sheet(draft: Draft, beside: str = "", have: Mapping[str, str] = NOTHING) -> str:
    """The questionnaire as the page shows it, with the texts of another language beside the main one.

    `have` holds the marks of the parts that the page has: of those that are the same only the name is sent.
    """
    return render_to_string("studio/sheet.html", context(draft, beside, have))


def mark(html: str) -> str:
    """A short hash of a part of the page: two parts with the same mark are the same."""
    return sha256(html.encode()).hexdigest()[:12]


def _with_mark(part: str, html: str, have: Mapping[str, str]) -> SafeString:
    """The part with its mark on its first element, or its name alone."""
    head, rest = html.lstrip().split(" ", 1)
    own = mark(html)
    if have.get(part) == own:
        return format_html('{} data-part="{}" data-same></{}>', mark_safe(head), part, mark_safe(head[1:]))
    return mark_safe(f'{head} data-hash="{own}" {rest}')  # what a template has made


def context(
    draft: Draft, beside: str = "", have: Mapping[str, str] = NOTHING, *, writes: bool = True
) -> dict[str, Any]:
    document = draft.document
    tags = [document["languages"][0], *([beside] if beside in document["languages"][1:] else [])]
    problems = _problems(draft)
    hidden = sensitive(document)
    entered = {question.id: question for question in draft.questions}
    unreasoned = without_reason(draft)
    # the questions asked why nobody can skip them, each with whether its reason may be that of others
    reasons = {one.id: False for one in unreasoned} | {one.id: bool(unreasoned) for one in with_reason(draft)}
    earlier = [
        (one.id, value, TYPES[one.type].answer_text(one, value, tags[0])) for one, value in answers_before(draft)
    ]
    small = {one.id: sentence for asked, sentence in say_small_groups(draft, minimum_of_draft(draft)) for one in asked}
    pages, number = [], 0
    for index, page in enumerate(document["pages"], 1):
        shown = []
        for question in page["questions"]:
            number += 1
            own = entered[question["id"]]
            before = list(entered)[: number - 1]
            choices = [each for each in earlier if each[0] in before]
            leads = question is page["questions"][0]
            one = _question(question, number, own, tags, hidden, choices, problems, leads, reasons, small, entered)
            said = {
                "question": one,
                "types": TYPES.values(),
                "writes": writes,
                "survey": draft.survey,
                "document": document,
            }
            html = render_to_string("studio/question.html", said)
            shown.append(_with_mark(f"question-{question['id']}", html, have))
        first = page["questions"][0]["id"] if page["questions"] else ""
        said = {"do": "page", "question": first}
        pages.append(
            {
                "place": index,
                "first": first,
                "title": _field("page", _("Page title"), page["title"], tags, said),
                **{flag: page[flag] for flag in PAGE_FLAGS},
                "ask": page.get("ask"),
                "may_ask": possible_numbers(are_drawn(page["questions"], hidden)),
                "problem": problems.get(page["number"]),
                "too_small": dict.fromkeys(small[each["id"]] for each in page["questions"] if each["id"] in small)
                if page.get("ask")
                else (),
                "many": len(page["questions"]) > 1,
                "questions": shown,
            }
        )
    texts = [
        _field(name, capfirst(str(TEXT_NAMES[name])), document[name], tags, {"do": "survey", "field": name})
        for name in (*PUBLISHED_TEXTS, *NOTICE)
    ]
    opening = render_to_string(
        "studio/texts.html",
        {
            "texts": texts[: len(PUBLISHED_TEXTS)],
            "notice": texts[len(PUBLISHED_TEXTS) :],
            "document": document,
            "fields_of_features": fields(),
            "writes": writes,
            "survey": draft.survey,
            "is_published": draft.survey.versions.exists(),
            "is_nameless": not stem(document),
            "longest_name": LONGEST,
        },
    )
    return {
        "pages": pages,
        "opening": _with_mark("texts", opening, have),
        "languages": _with_mark("languages", _languages(draft, writes), have),
        "adds": not have,
        "writes": writes,
        "document": document,
        "tags": tags,
        "types": TYPES.values(),
        "count": number,
    }


def _languages(draft: Draft, writes: bool) -> str:
    tags = draft.document["languages"]
    named = {
        "document": draft.document,
        "writes": writes,
        "languages": [(tag, language_name(tag)) for tag in tags],
        "choices": _language_choices(tags),
        "unread": [language_name(tag) for tag in tags if _is_read(tag) is False],
        "draft": draft,
        "languages_of_features": beside_languages(),
        "survey": draft.survey,
    }
    return render_to_string("studio/languages.html", named)


def _language_choices(used: Sequence[str]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Groups of a menu, with the tags in use, each with pairs of tag and name: languages that the page speaks and a
    native speaker has read, those that nobody has, and others.
    """
    named = {tag for tag, info in LANG_INFO.items() if "name" in info}
    # The name in the reader's words, and the language's own name for itself.
    names = {tag: dict.fromkeys((language_name(tag), own_name(tag))) for tag in {*named, *SPOKEN, *used}}
    choices = sorted(((tag, " – ".join(both)) for tag, both in names.items()), key=itemgetter(1))
    groups = {
        True: _("The page speaks"),
        False: _("The page speaks, but no native speaker has read its texts yet"),
        None: _("Others: you translate the page’s own words, too"),
    }
    return [(words, [choice for choice in choices if _is_read(choice[0]) is read]) for read, words in groups.items()]


def _is_read(tag: str) -> bool | None:
    """Whether a native speaker has read what the page says in this language; None where it says nothing."""
    return (spoken in READ) if (spoken := spoken_tag(tag)) else None


def _field(name: str, label: str, texts: Mapping[str, str], tags: list[str], said: dict[str, Any]) -> TextFields:
    """A text in these languages, each in a box with `said`, the change that writes it."""
    boxes = (TextBox(_label(label, tag, tags), tag, texts.get(tag, ""), {**said, "language": tag}) for tag in tags)
    return TextFields(name, label, tuple(boxes))


def _label(label: str, tag: str, tags: list[str]) -> str:
    return label if len(tags) == 1 else f"{label}, {language_name(tag)}"


def _question(
    question: dict[str, Any],
    number: int,
    entered: Question,
    tags: list[str],
    hidden: set[str],
    earlier: list[tuple[str, str, str]],
    problems: Mapping[str | int, str],
    first: bool,
    reasons: Mapping[str, bool],
    small: Mapping[str, str],
    names: Mapping[str, Question],
) -> dict[str, Any]:
    """A question as its template shows it; `more` are fields that most do without, `values` the question itself.

    `earlier` are the questions that a condition may name, `too_small` says that too few would be asked it. `may_end`
    are answers that may send people away, `groups` those of which people can be enough.
    """
    name, own = question["id"], TYPES[question["type"]]
    read = _as_published(entered)
    answers = [] if read is None else [*own.answers(read)]
    chosen = () if read is None or read.items else read.options
    groups = [(group, _rows(question, group, tags)) for group in own.groups]
    has_rows = {group.name: any(group.holds(option["value"]) for option in question["options"]) for group, _f in groups}
    shown = [field for group, field in groups if not group.optional or has_rows[group.name]]
    said = {"do": "question", "question": name}
    more = [field for group, field in groups if group.optional and not has_rows[group.name]]
    more.append(_field("help", _("Help text"), question["help"], tags, {**said, "field": "help"}))
    for field, label in (("low", _("Words at the low end")), ("high", _("Words at the high end"))):
        if field in own.uses:
            shown.append(_field(field, label, question[field], tags, {**said, "field": field}))
    for piped in names_in(entered):
        if piped in names:
            pipe = {"do": "pipe", "question": name, "name": piped}
            label = _("In place of {%(name)s}, if nobody answered it") % {"name": piped}
            shown.append(_field(f"pipe-{piped}", label, question["pipes"].get(piped, {}), tags, pipe))
    # In one language ready-made answers are rarely worded otherwise; beside it they wait for their translation.
    (shown if len(tags) > 1 else more).extend(_option_texts(question, tags))
    return {
        "name": name,
        "nth": number,
        "type": own,
        "text": _field(
            "text", _("Question %(number)s") % {"number": number}, question["text"], tags, {**said, "field": "text"}
        ),
        "rows": tuple(shown),
        "more": tuple(more),
        "values": question,
        "sensitive": name in hidden,
        "may_hide": own.disguise is not None,
        "skips": has_skip(question),
        "skips_offered": own.skipped is not None,
        "may_shuffle": question["shuffle"] or bool(question["options"]),
        "asked_why": name in reasons,  # it is disguised and has none though it could
        "may_share": reasons.get(name, False),  # its reason could be that of others, which give none
        "answers_read": ()
        if own.has_items or any(field.boxes[0].text for field in shown if field.name not in END)
        else tuple(str(own.answer_text(entered, value, tags[0])) for value in answers),
        "size": tuple((part, str(label), question["settings"].get("map", {}).get(part, "")) for part, label in MAP),
        "map": map_of(entered) if "map" in question["settings"] else None,
        "earlier": ()
        if name in hidden
        else tuple((each, names[each].words) for each in dict.fromkeys(each for each, _value, _label in earlier)),
        "condition": _condition(question["when"] or NO_CONDITION, question["id"], earlier, []),
        "too_small": small.get(name, ""),
        "may_stay": _options_to_stay(question, tags[0]) if question["shuffle"] and len(own.groups) == 1 else (),
        "may_end": () if name in hidden else _of_answers("ends", entered, answers, entered.out.__contains__, tags[0]),
        "groups": () if name in hidden else _of_answers("enough", entered, chosen, entered.enough.get, tags[0]),
        "problem": problems.get(name) or lacks(entered),
        "first": first,
    }


def _rows(question: dict[str, Any], group: RowGroup, tags: list[str]) -> TextFields:
    """The rows of a group as lines; in another language an empty line stands for a row without a text."""
    rows = [option for option in question["options"] if option["value"] != SKIP and group.holds(option["value"])]
    said = {"do": "rows", "question": question["id"], "group": group.name}
    boxes = (
        TextBox(
            _label(str(group.label), tag, tags),
            tag,
            "\n".join(option["label"].get(tag, "") for option in rows).rstrip("\n"),
            {**said, "language": tag},
            "lines",
            several=True,
        )
        for tag in tags
    )
    return TextFields(group.name, str(group.label), tuple(boxes))


def _option_texts(question: dict[str, Any], tags: list[str]) -> Iterator[TextFields]:
    """List the texts of options outside any group of rows: "prefer not to say", yes and no."""
    groups = TYPES[question["type"]].groups
    for option in question["options"] if groups else ():
        if option["value"] == SKIP or not any(group.holds(option["value"]) for group in groups):
            label = _("Answer “%(answer)s”") % {"answer": option["label"].get(tags[0]) or option["value"]}
            said = {"do": "label", "question": question["id"], "option": option["value"]}
            yield _field("answer", label, option["label"], tags, said)


def _condition(
    condition: Condition, question: str, earlier: list[tuple[str, str, str]], at: list[int]
) -> dict[str, Any]:
    """A part of a condition: one question with its answers and changes, or `parts`, of which all hold, or any."""
    (by, parts), *leaf = condition.items()
    if not leaf:
        inner = tuple(_condition(part, question, earlier, [*at, index]) for index, part in enumerate(parts))
        return {"every": by == "all", "parts": inner}
    said = {"question": question, "at": at}
    joins = [json.dumps({"do": "and-or", **said, "join": by}) for by in JOINS]
    answers = tuple(
        AnswerField(label, value in condition["is"], json.dumps({"do": "tick", **said, "answer": value}))
        for name, value, label in earlier
        if name == condition["question"]
    )
    changes = {"choose": json.dumps({"do": "when", **said}), "also": joins[0], "instead": joins[1]}
    return {"question": condition["question"], "answers": answers, **changes}


def _options_to_stay(question: Mapping[str, Any], language: str) -> tuple[AnswerField, ...]:
    """The options with the change that lets each stay last; "prefer not to say" always does."""
    said = {"do": "stay", "question": question["id"]}
    return tuple(
        AnswerField(option["label"].get(language, ""), option["last"], json.dumps({**said, "answer": option["value"]}))
        for option in question["options"]
        if option["value"] != SKIP
    )


def _of_answers(
    do: str, entered: Question, answers: Iterable[str], said_of: Callable[[str], Any], language: str
) -> tuple[AnswerField, ...]:
    """A field for each of these answers, with what is said of it now and the change that says something else."""
    text_of, said = TYPES[entered.type].answer_text, {"do": do, "question": entered.id}
    return tuple(
        AnswerField(str(text_of(entered, value, language)), said_of(value), json.dumps({**said, "answer": value}))
        for value in answers
    )


def _as_published(entered: Question) -> PublishedQuestion | None:
    """The question without its ends, as it would be published; None where it cannot be yet."""
    try:
        return read_question(question_entry(replace(entered, **no_fields(of_type=True)), []), [])
    except InputError:
        return None


def _problems(draft: Draft) -> dict[str | int, str]:
    """What is wrong with each question, by its name, and with each page, by its number."""
    return {
        refusal.at.id if isinstance(refusal.at, Question) else refusal.at.number: refusal.sentence
        for refusal in refusals(draft)
        if isinstance(refusal.at, Question | Page)
    }
