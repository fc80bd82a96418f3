"""The same protection as blocks, for those who know the words: every number is explained, and may be changed."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from privacy.design.fields import YES_NO
from privacy.errors import InputError, to_translate
from privacy.guarantee import guarantee
from surveys.access import staff_only
from surveys.domain.drafts.protect import PROPOSAL, arrange_blocks, can_disguise, judge_document
from surveys.domain.questionnaire.compose import block_items, check_block, design_of, design_or_none
from surveys.domain.questionnaire.document import Draft, EnteredBlock, EnteredOption, Question, sensitive
from surveys.domain.questionnaire.promise import PRIOR, figure, gamma_in_words
from surveys.features import secrets_of
from surveys.kinds import BLOCK_FIELDS, FORMS, QUESTION_FIELDS, choices
from surveys.kinds.forms import Explanation, FormField, Value
from surveys.sentences import colon, join_sentences
from surveys.studio import verdict

DRAWN = (Value.MAP, Value.ZONES)  # entered on the map of the question itself


@dataclass(frozen=True)
class ExpertEntry:
    """One value: what it is called, what it means, what is entered, and the change that enters another."""

    label: str
    meaning: str
    value: str
    change: str
    choices: tuple[tuple[str, str], ...] = ()
    term: str = ""  # where it is explained


def context(draft: Draft) -> dict[str, Any]:
    """The blocks as they are; of blocks made by hand also what the proposal would have given."""
    document = draft.document
    by_hand = document["protection"].get("by") != PROPOSAL
    shown: dict[str, Any] = {
        "by_hand": by_hand,
        "propose": json.dumps({"do": "protect", "field": "by", "value": PROPOSAL}),
    }
    shown["blocks"] = [_show_block(index, draft) for index in range(len(draft.blocks))]
    shown["help"] = list(_help(shown["blocks"]))
    if (design := design_or_none(draft)) is None:
        return shown
    promise = guarantee(secrets_of(design, document), PRIOR)
    shown["limits"] = join_sentences(limit.as_text(_) for limit in judge_document(draft.survey, document).limits)
    shown |= {"gamma": figure(promise.gamma), "epsilon": figure(promise.epsilon), "odds": figure(promise.odds)}
    return shown | (_compare(draft) if by_hand else {})


def _help(blocks: Iterable[dict[str, Any]]) -> Iterator[ExpertEntry]:
    """Each value once, for what it means: many questions have the same."""
    said = set[str]()
    for block in blocks:
        for entry in chain(block["settings"], *(member["entries"] for member in block["members"])):
            if entry.meaning not in said:
                said.add(entry.meaning)
                yield entry


def _compare(draft: Draft) -> dict[str, str]:
    """What these blocks tell, and what the proposal would."""
    survey, document = draft.survey, draft.document
    proposed = {**document, "protection": {**document["protection"], "by": PROPOSAL}}
    try:
        other = Draft.from_document(survey, arrange_blocks(survey, proposed, sensitive(document)))
        ways = [judge_document(survey, one.document) for one in (draft, other)]
    except InputError:
        return {}
    return {"own": verdict.in_short(ways[0]), "proposed": verdict.in_short(ways[1])}


def _show_block(place: int, draft: Draft) -> dict[str, Any]:
    own = draft.blocks[place]
    inside = draft.inside(own)
    kinds = [(name, str(label)) for name, label in choices() if all(can_disguise(name, one) for one in inside)]
    if own.kind not in dict(kinds):
        kinds.insert(0, (own.kind, own.kind))
    said = {"do": "block", "place": place}
    form = FORMS[own.kind]
    meaning = _("A block is a group of questions that are disguised together.")
    change = json.dumps({**said, "field": "kind"})
    return {
        "number": place + 1,
        "settings": [
            ExpertEntry(_("disguise"), meaning, own.kind, change, tuple(kinds), "block"),
            *(_entry(field, own.settings, {**said, "field": field.name}) for field in form.fields),
        ],
        "members": list(_members(place, draft)),
        "gamma": _gamma(own, draft),
    }


def _gamma(block: EnteredBlock, draft: Draft) -> str:
    """γ of the block alone, with its ε; nothing while it is refused."""
    try:
        items = block_items(block, draft)
        return gamma_in_words(design_of({block: items}, draft).gamma) if items else ""
    except InputError:
        return ""


def _is_yes_no(question: Question, kind: str) -> bool:
    try:
        return all(item.boolean for item in check_block(question, kind))
    except InputError:
        return False


def _entry(field: FormField, settings: Mapping[str, Any], said: dict[str, Any]) -> ExpertEntry:
    """A field as it is shown: its value in `settings`, and `said`, the change that enters another one."""
    value = settings.get(field.name)
    text = "" if value is None else value
    if isinstance(value, list):
        text = "; ".join(value) if field.value is Value.WORDS else ", ".join(f"{share:.10g}" for share in value)
    some = ((value, _(label)) for value, label in field.choices.items())
    options = (("", "–"), *some) if field.value is Value.CHOICE else ()
    term = field.name if field.term else ""
    return ExpertEntry(_(field.label), _(field.help), str(text), json.dumps(said), options, term)


def _with_answers(field: FormField, question: Question, kind: str) -> FormField:
    """The field with the answers to the question to choose from, where it holds one of them."""
    if field.value is not Value.ANSWER:
        return field
    own = {option.value: next(filter(None, option.label.values()), option.value) for option in question.options}
    labels = {"0": _("no"), "1": _("yes"), **own}
    try:
        items = check_block(question, kind)
    except InputError:
        return field
    answers = next((item.options for item in items if item.options), YES_NO)
    return replace(field, value=Value.CHOICE, choices={answer: labels.get(answer, answer) for answer in answers})


def _of_option(field: FormField, option: EnteredOption, change: dict[str, Any]) -> ExpertEntry:
    """The share of one option in a list that has one for each."""
    own = _entry(replace(field, value=Value.SHARE), option.settings, {**change, "option": option.value})
    return replace(own, label=f"{own.label}{colon()}{option.value}")


def _members(place: int, draft: Draft) -> Iterator[dict[str, Any]]:
    """The questions of a block, each with what it has of its own, and the other blocks into which it could go."""
    own = draft.blocks[place]
    form, inside = FORMS[own.kind], draft.inside(own)
    for question in inside:
        yes_no = _is_yes_no(question, own.kind)
        fields = [field for field in form.item_fields if field.value not in DRAWN and (yes_no or not field.yes_no)]
        said = {"do": "setting", "question": question.id}
        entries = []
        for field in fields:
            entry = {**said, "name": field.name}
            if field.name in QUESTION_FIELDS:
                entries.append(_entry(_with_answers(field, question, own.kind), question.settings, entry))
            else:
                entries += [_of_option(field, option, entry) for option in question.options]
        others = [
            (str(other), _("block %(number)s") % {"number": other + 1})
            for other, block in enumerate(draft.blocks)
            if block is not own and can_disguise(block.kind, question)
        ]
        if len(inside) > 1:
            others.append(("new", _("a new block")))
        change = json.dumps({"do": "block", "question": question.id})
        yield {"name": question.id, "entries": entries, "change": change, "places": others}


BLOCK = Explanation(
    to_translate("Block"),
    to_translate("Questions that are disguised together. One random draw covers all of them, or one each."),
    to_translate("The γ of all blocks multiply: the blocks share one promise."),
)


@staff_only()
def terms(request: HttpRequest) -> HttpResponse:
    """The term of a block, and those that the fields of the kinds of block lead to."""
    fields = {name: field.term for name, field in (QUESTION_FIELDS | BLOCK_FIELDS).items() if field.term}
    # Here and not in the template: Django looks up a variable there with each % doubled, and finds none.
    said = {
        name: Explanation(_(term.name), _(term.what), _(term.follows))
        for name, term in ({"block": BLOCK} | fields).items()
    }
    return render(request, "studio/terms.html", {"terms": said})
