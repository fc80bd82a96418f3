"""Two documents to print: the protocol for an ethics board and a data protection officer, and the preregistration.

Both say what is true of one published version, or of the draft as it is now, and name it by its hash. What only the
researcher can know is left blank, and marked so.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext as _, gettext_lazy, override

from privacy.errors import EntryError, InputError
from privacy.output import two_digits
from privacy.plan.verdict import GROUPS, PAIRS, SHARES, Verdict
from surveys.access import of_version, studio
from surveys.definition import Definition
from surveys.domain.drafts.protect import judge_document, judge_version, read_wishes
from surveys.domain.people.roles import Action, may
from surveys.domain.questionnaire.check import list_unskipped
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import (
    PAGE_FLAGS,
    PUBLISHED_TEXTS,
    TEXT_NAMES,
    Document,
    Draft,
    read_document,
)
from surveys.domain.questionnaire.expected import NO_GUESS, share_of, usual_thresholds
from surveys.domain.questionnaire.forecast import widths_of_items
from surveys.domain.questionnaire.guess import Guess, guess_of
from surveys.domain.questionnaire.minimum import minimum_of_draft, minimum_of_version
from surveys.domain.questionnaire.planned_tests import say_power
from surveys.domain.questionnaire.promise import (
    LONGEST,
    Protection,
    Scope,
    figure,
    percent,
    promise_in_chances,
    promise_scope,
    sentences,
)
from surveys.domain.questionnaire.publish import draft_of_version
from surveys.features import NOTICE, announce
from surveys.features.questions import FIELDS
from surveys.models import Survey, SurveyVersion
from surveys.questions import TYPES
from surveys.results.words import words_of_definition
from surveys.sentences import join_sentences, language_name, own_name, sentence_of
from surveys.studio.checklist import Remark, band, connections, unwritten_of
from surveys.studio.home import version_of
from surveys.studio.protection import summary_of
from surveys.studio.staff_part import disguises, list_stored
from surveys.studio.verdict import say_plain, unmet

_OF_SURVEY = (rf"<{tag} lang=.*?</{tag}>" for tag in ("p", "span", "bdi"))
_AS_IT_IS = re.compile(rf"(<code.*?</code>|<h3>[\d.]+|{'|'.join(_OF_SURVEY)}|<[^>]*>)", re.DOTALL)
GERMAN = "de"  # of the protocol alone: locale/de has what it says, and no other page speaks it
DOCUMENTS = (
    ("protocol", gettext_lazy("Protocol")),
    ("label", gettext_lazy("Privacy label")),
    ("preregistration", gettext_lazy("Preregistration")),
)


@dataclass(frozen=True)
class Printed:
    """What a document is about: a version that was published, or the draft as it is now."""

    survey: Survey
    version: SurveyVersion | None
    definition: Definition
    sha256: str

    @cached_property
    def draft(self) -> Draft | None:
        """The draft with what is guessed; None of a version of which none was kept."""
        document = draft_of_version(self.version) if self.version else read_document(self.survey)
        return None if document is None else Draft.from_document(self.survey, document)

    @property
    def guess(self) -> Guess:
        return guess_of(self.draft) if self.draft else NO_GUESS

    @property
    def number(self) -> str:
        """Return the document's name for citations: survey, version and check mark."""
        kind = f"v{self.version.number}" if self.version else _("draft")
        return f"{self.survey.slug} / {kind} / {self.sha256[:8]}"


def what_to_print(survey: Survey, of: str) -> Printed:
    """What a page shows: version number `of`, or the draft for "draft", else the newest version (the draft if none).

    An unknown number is a 404. InputError where the draft cannot be composed.
    """
    version = version_of(survey, of) if of else survey.versions.last()
    if version is not None:
        return Printed(survey, version, version.parsed, version.sha256)
    definition = compose(Draft.load(survey))
    return Printed(survey, None, definition, sha256(definition.to_bytes()).hexdigest())


@of_version(Action.SEE)
def version(_request: HttpRequest, version: SurveyVersion) -> HttpResponse:
    """Redirect to the protocol of a version; of a version that simulated people answer, to the draft that they try."""
    if (draft := version.survey.rehearses_id) is not None:
        return redirect("studio:try", draft)
    return redirect(f"{reverse('studio:protocol', args=[version.survey_id])}?of={version.number}")


@studio(Action.SEE)
def document(request: HttpRequest, survey: Survey, name: str) -> HttpResponse:
    """One of DOCUMENTS by its name."""
    try:
        about = what_to_print(survey, request.GET.get("of", ""))
    except InputError as error:
        why = list(unwritten_of(Draft.load(survey))) or [Remark(sentence_of(error))]
        context = {"survey": survey, "why": why, "publishes": may(request.user, Action.PUBLISH, survey)}
        return render(request, "studio/unprinted.html", context, status=422)
    reader = get_language() or "en"
    german = name == "protocol" and request.GET.get("language") == GERMAN
    spoken = GERMAN if german else reader
    with override(spoken):
        context = _what_it_says(about, survey, name)
    context |= {"site": request.get_host(), "spoken": spoken, "reader": reader, "other": own_name(reader)}
    response = render(request, f"studio/{name}.html", context)
    if german:
        response.content = write_decimal_commas(response.content.decode())
    return response


def write_decimal_commas(page: str) -> str:
    """Write figures of the document as German does; tags, code, numbers of headings and the survey's words stay."""
    start, end = page.index("<article"), page.index("</article>")
    pieces = _AS_IT_IS.split(page[start:end])
    pieces[::2] = (re.sub(r"(?<![\d.])(\d+)\.(?=\d+(?![\d.]))", r"\1,", text) for text in pieces[::2])
    return page[:start] + "".join(pieces) + page[end:]


def _what_it_says(about: Printed, survey: Survey, name: str) -> dict[str, Any]:
    """The context of a document, in the language that is active."""
    people = about.draft.document["expected"] if about.draft else survey.expected
    shown = minimum_of_version(about.version) if about.version else minimum_of_draft(Draft.load(survey))
    promises = Protection(
        about.definition.design, people, shown, share_of(about.definition), about.guess, about.definition.source
    )
    context = {
        "survey": survey,
        "name": name,
        "documents": DOCUMENTS,
        "about": about,
        "shown": shown.sentence,
        "today": timezone.localdate(),
        "versions": survey.versions.values_list("number", flat=True),
        "title": about.definition.source["title"][about.definition.source["languages"][0]],
        "disguised": [item.id for item in promises.design.items],
        "undisguised": [question.id for question in about.definition.open_questions],
        "stored": list_stored(about.definition),
        "mailed": about.definition.has_invitations,
        "texts_asked": about.definition.has_texts,
        "unskipped": list_unskipped(about.definition),
        "languages": [language_name(tag) for tag in about.definition.source["languages"]],
        **questionnaire(about.definition.source),
        "promise": promise_in_chances(promises.design, promises.source),
        "covered": promise_scope(promises.design, bool(about.definition.open_questions)),
        "sentences": sentences(promises.design, promises.source),
        "rows": _rows(promises),
        "by_people": all(block.draw for block in about.definition.design.blocks),
        "leaves_open": promises.whole.guarantee.leaves_open,
        "accuracy": [(name, join_sentences(one.as_text(_) for one in said)) for name, said in promises.on_grid],
        "respondents": promises.respondents,
        "guessed": summary_of(about.draft) if about.draft else "",
        "band": band(promises),
        "disguises": disguises(about.definition),
        "power": say_power(about.definition, people),
    }
    written = about.draft.document if about.draft else read_document(survey)
    judged = judge_version(about.version, people) if about.version else judge_document(survey, written)
    context["judged"] = join_sentences(one.as_text(_) for aim in judged.aims for one in aim.said)
    context["plain"] = say_plain(judged)
    context["wrong"] = join_sentences(one.as_text(_) for one in judged.guess)
    if name == "preregistration":
        context |= _plans(about, promises, written, judged)
    return context


def _rows(promises: Protection) -> list[dict[str, Any]]:
    """The whole record, then its blocks; a single block is not listed, because it is the same."""
    blocks = promises.blocks if len(promises.blocks) > 1 else ()
    return [_row(_("The whole record"), promises.whole), *(_row(block.name, block) for block in blocks)]


def _row(name: str, scope: Scope) -> dict[str, Any]:
    items = len(scope.design.items)
    asked = str(items) if scope.items_per_person == items else _("%s of %s") % (scope.items_per_person, items)
    errors = ["—" if math.isinf(error) else two_digits(100 * error) for error in scope.standard_errors]
    return {
        "name": name,
        "asked": asked,
        "gamma": figure(scope.guarantee.gamma),
        "epsilon": figure(scope.guarantee.epsilon),
        "odds": figure(scope.guarantee.odds),
        "posterior": f"{percent(scope.guarantee.posterior_odds)} %",
        "errors": errors + [""] * (LONGEST - len(errors)),
    }


def _say_apart(promises: Protection, definition: Definition) -> str:
    """How exactly the questions are known that only check how people answer; empty where there are none."""
    design, guess = promises.design, promises.guess
    widths = widths_of_items(design, promises.respondents, promises.shown.disguised, guess)
    known = {name: widths[name] for name, _share in guess.anchors if widths.get(name, math.inf) < 1}
    if not known:
        return ""
    named = words_of_definition(definition, get_language() or "en").short_entry
    return _(
        "This is for all other questions: %(questions)s only shows how people answer, and is known to ±%(points)s "
        "points."
    ) % {"questions": _(", ").join(map(named, known)), "points": two_digits(100 * max(known.values()))}


def _plans(about: Printed, promises: Protection, document: Document, judged: Verdict) -> dict[str, Any]:
    """Return the wanted analyses, with what the planned number of respondents is enough for."""
    try:
        tell = read_wishes(document).tell
    except EntryError:
        tell = (SHARES,)
    errors = promises.whole.standard_errors
    shares, groups = judged.aim(SHARES), judged.aim(GROUPS)
    longest = sum(map(math.isfinite, errors)) if errors else LONGEST  # answers whose sets have figures
    return {
        "shares": SHARES in tell,
        "margin": two_digits(100 * shares.figure) if shares and shares.figure < 1 else "",
        "others": two_digits(100 * promises.others) if promises.others and promises.others < 1 else "",
        "hidden": two_digits(100 * promises.second_end) if promises.second_end and promises.second_end < 1 else "",
        "apart": _say_apart(promises, about.definition),
        "unanswered": unmet(judged, promises, with_open=bool(about.definition.open_questions)),
        "pairs": PAIRS in tell and longest > 1 and bool(errors),
        "longest": longest,
        "thresholds": usual_thresholds(promises.design, promises.guess),
        "connections": list(connections(promises)),
        "groups": GROUPS in tell,
        "difference": join_sentences(one.as_text(_) for one in groups.said) if groups else "",
    }


def questionnaire(definition: dict[str, Any]) -> dict[str, Any]:
    """The context of a page that shows a definition to staff."""
    texts = definition | {"heading": definition["title"]} | definition.get("notice", {})
    languages = definition["languages"]
    return {
        "texts": [
            (capfirst(TEXT_NAMES[name]), _in_order(texts[name], languages))
            for name in (*PUBLISHED_TEXTS, *NOTICE)
            if any(texts.get(name, {}).values())
        ],
        "override": definition.get("override"),
        "announced": list(announce(definition, lambda answer: _say_answer(definition, answer))),
        "pages": [
            {
                "number": page.get("number", index),
                "title": _in_order(page.get("title"), languages),
                **{flag: flag in page for flag in PAGE_FLAGS},
                "questions": [_readable_question(question, languages) for question in page["questions"]],
            }
            for index, page in enumerate(definition["pages"], 1)
        ],
    }


def _say_answer(definition: dict[str, Any], answer: str) -> str:
    return words_of_definition(Definition.parse(definition), get_language() or "en").short_entry(answer)


def _in_order(words: dict[str, str] | None, languages: list[str]) -> dict[str, str]:
    """The main language first; a definition is stored with its keys sorted."""
    return {tag: words[tag] for tag in languages if tag in words} if words else {}


def _readable_question(question: dict[str, Any], languages: list[str]) -> dict[str, Any]:
    rows = [(item["id"], item["label"], "last" in item) for item in question.get("items", ())]
    rows += [(option["value"], option["label"], "last" in option) for option in question.get("options", ())]
    return {
        "id": question["id"],
        "text": _in_order(question["text"], languages),
        "help": _in_order(question.get("help"), languages),
        "media": _in_order(question.get("media", {}).get("words"), languages),
        "marks": _(", ").join(_marks(question)),
        "ends": {end: _in_order(words, languages) for end, words in question.get("ends", {}).items()},
        "options": [(value, _in_order(label, languages), last) for value, label, last in rows],
    }


def _marks(question: dict[str, Any]) -> Iterator[str]:
    """What is said of a question beside its texts: its type, whether it is disguised, required, limited, …"""
    own = TYPES[question["type"]]
    yield str(own.label)
    if own.disguise is not None:  # the name of another type says that it is not
        yield _("disguised") if question["sensitive"] else _("not disguised")
    if question.get("required"):
        yield _("required")
    if limits := own.limits(question):
        yield limits
    if question.get("shuffle"):
        yield _("options in random order")
    for name, field in FIELDS.items():
        if question.get(name):
            yield from field.marks(question)
