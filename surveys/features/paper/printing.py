"""The sheets to print, and the guide for who hands them out: pages of HTML that a browser prints."""

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import segno
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _, gettext_lazy

from privacy.design import Design
from privacy.errors import EntryError, InputError
from privacy.output import format_count
from privacy.own_draw.ready import ready_draws
from surveys.access import studio
from surveys.domain.drafts.changes import apply
from surveys.domain.exchange.formats import FORMATS
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.compose import compose_design, design_or_none
from surveys.domain.questionnaire.document import Draft
from surveys.features.own.draft import COMPARED, blocks_of_people, name_draw
from surveys.features.paper import MODE
from surveys.features.paper.batches import version_on_paper
from surveys.features.paper.form import SheetForm, SheetLot, count_lots, form_of
from surveys.features.paper.layout import lay_out, texts_of_head
from surveys.features.paper.odk import write_form
from surveys.features.paper.words import (
    YES_OR_NO,
    draws_in_words,
    own_words,
    pair,
    step_pictures,
    texts_of_group,
    things_of,
    two_boxes,
    words,
)
from surveys.features.study.draft import sheets_of_arms
from surveys.models import Survey
from surveys.sentences import join_sentences, language_name
from surveys.studio.protection import promise_in_short
from surveys.studio.staff_part import as_file

SIZES = {"a4": "A4", "letter": "Letter"}
BOX = 20  # sheets that lie in a box before it is opened
_THINGS = {  # what must be there for each source
    "die": gettext_lazy("a die for each person"),
    "coin": gettext_lazy("a coin for each person"),
    "slips": gettext_lazy("a bag with 31 slips of paper, numbered from 1"),
}


@studio(Action.SEE)
def sheets(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Each lot of sheets once, to be printed as often as there shall be copies of it."""
    asked = request.GET.get("sheets", "")
    wanted = int(asked) if asked.isdecimal() and len(asked) < 7 else survey.expected
    try:
        version = version_on_paper(survey)
        (_this, own), *mixed = sheets_of_arms(version, wanted)
    except EntryError as error:
        raise Http404 from error
    form, source = form_of(version), version.parsed.source
    language = request.GET.get("in", "")
    language = language if language in source["languages"] else source["languages"][0]
    size = request.GET.get("size", "")
    size = size if size in SIZES else "a4"
    copies = -(-own // len(form.lots))
    context = {
        "survey": survey,
        "of": source,
        "mark": form.mark,
        "size": size,
        "sizes": SIZES.items(),
        "wanted": wanted,
        "own": format_count(own),
        "mixed": [(arm.survey, n, form_of(arm).mark) for arm, n in mixed],
        "copies": format_count(copies),
        "lots": format_count(len(form.lots)),
        "too_few": _too_few(form, copies, survey.least),
        "languages": [(tag, language_name(tag)) for tag in source["languages"]],
        "tag": language,
        "say": own_words(language),
        "title": source["title"][language],
        "who": source["who"][language],
        "why": source["why"][language],
    }
    with translation.override(language):  # the names of months
        context["direction"] = "rtl" if translation.get_language_bidi() else "ltr"
        context["stacks"] = [] if context["too_few"] else [stack_of(form, lot, language) for lot in form.lots]
    status = 422 if context["too_few"] else 200
    return render(request, "studio/features/paper/sheets.html", context, status=status)


@studio(Action.SEE)
def xlsform(_request: HttpRequest, survey: Survey) -> HttpResponse:
    """The sheets as a form that ODK takes, which draws the lot itself."""
    try:
        form = form_of(version_on_paper(survey))
    except EntryError as error:
        raise Http404 from error
    if _too_few(form, -(-survey.expected // len(form.lots)), survey.least):
        raise Http404
    return as_file(write_form(form), FORMATS["xlsform"].content_type, f"{survey.slug}-odk.xlsx")


def _too_few(form: SheetForm, copies: int, least: int) -> str:
    """Why so few sheets cannot be printed: who is one of a few is less sure to be one of many."""
    if len(form.lots) == 1 or copies >= least:
        return ""
    return say_kinds(len(form.lots), least)


def stack_of(form: SheetForm, lot: SheetLot, language: str) -> dict[str, Any]:
    """One lot of sheets: its pages, with the code that stands on each."""
    name = form.lot_name(lot) if len(form.lots) > 1 else ""
    pages, place, shown = lay_out(form, lot), 0, []
    for page, fields in enumerate(pages, 1):
        groups = []
        for _key, together in groupby(fields, key=form.group_of):
            group = list(together)
            groups.append(texts_of_group(form, lot, group, place, language))
            place += len(group)
        code = " ".join(filter(None, ["candor", form.mark, name and f"lot {name}", f"page {page}"]))
        said = own_words(language)["page"].format(page=page, pages=len(pages))
        head = texts_of_head(form, lot, language) if page == 1 else None
        shown.append({"groups": groups, "code": _qr(code), "said": said, "head": head})
    return {"name": name, "look": lot.look + 1 if form.says_look else "", "pages": shown}


def _qr(text: str) -> str:
    return mark_safe(segno.make(text, error="m").svg_inline(border=1, omitsize=True, svgclass="code", lineclass="dots"))


@studio(Action.SEE)
def guide(request: HttpRequest, survey: Survey) -> HttpResponse:
    """What somebody does who hands sheets out, in their language, and the words for the protocol of an ethics board."""
    try:
        forms = [form_of(arm) for arm, _n in sheets_of_arms(version_on_paper(survey), 1)]
    except EntryError as error:
        raise Http404 from error
    form = forms[0]
    draws = [block.draw for form in forms for block in form.version.design.blocks if block.draw]
    drawn = [thing for draw in draws for thing in things_of(draw)]
    bring = dict.fromkeys("slips" if one.takes_slips else one.source for one in drawn)
    things = [_THINGS[name] for name in bring if name in _THINGS]
    context = {"survey": survey, "mark": form.mark, "lots": len(form.lots), "things": things, "least": BOX}
    language = translation.get_language() or "en"
    context["draws"] = _explain_draws(forms, language)
    context["arms"] = [(one.mark, one.version.survey.title) for one in forms] if len(forms) > 1 else []
    return render(request, "studio/features/paper/guide.html", context)


def _explain_draws(forms: list[SheetForm], language: str) -> list[list[tuple[tuple[str, ...], list[str]]]]:
    """The three steps of each draw, as the first lot has it; draws with the same pictures share them, and add lines."""
    said, own = words(language), own_words(language)
    found: dict[tuple[tuple[str, ...], ...], list[list[str]]] = {}
    for lot, block in ((form.lots[0], block) for form in forms for block in form.version.design.blocks):
        if draw := block.draw:
            asked, compared = block.items_per_person, draw.way.name in COMPARED
            both = [said[name] for name in COMPARED.get(draw.way.name, YES_OR_NO)]
            crossed = [pair(draw.way.name, code) for code in (1, 0)] if compared else [two_boxes()]
            drawn, meant = step_pictures(draw, lot, asked, language)
            steps = found.setdefault(((drawn,), (meant,), tuple(crossed)), [[], [], []])
            drawn_in_words = [join_sentences(one) for one in draws_in_words(draw, asked, language)]
            lines = [drawn_in_words, [own["look"] if compared else own["find"]], [" / ".join(both)]]
            for step, lines_of_step in zip(steps, lines, strict=True):
                step += [line for line in lines_of_step if line not in step]
    return [list(zip(pictures, steps, strict=True)) for pictures, steps in found.items()]


def say_kinds(kinds: int, least: int) -> str:
    """How many kinds of sheets there are, and how many sheets each of enough people makes."""
    if kinds == 1:
        return _("All sheets are alike.")
    return _(
        "On paper this makes %(kinds)s kinds of sheets, and each must be that of %(least)s people or more: print "
        "%(needed)s sheets or more."
    ) % {"kinds": format_count(kinds), "least": format_count(least), "needed": format_count(kinds * least)}


def say_when(draft: Draft) -> str:
    """That paper is decided on before a version is published; empty where it is decided on."""
    version = draft.survey.versions.last()
    if (version is None and draft.document["paper"]) or (version and MODE in version.parsed.source):
        return ""
    if version is None:
        return _("Decide on paper now: once this is published, paper takes a new version.")
    return _("Version %(number)s is without paper, which takes a new version.") % {"number": version.number}


def design_of_people(draft: Draft) -> Design | None:
    """The design of a draft of which people draw everything, so that it may be on paper; None of another one."""
    design = design_or_none(draft)
    by_people = design and design.blocks and all(block.draw for block in design.blocks) and not design.direct
    return design if by_people else None


def pane(draft: Draft) -> dict[str, Any]:
    """Whether people may answer on paper, how many sheets that takes, and draws that make fewer kinds of them."""
    if (design := design_of_people(draft)) is None:
        return {}
    kinds, least, people = count_lots(design), draft.survey.least, draft.document["expected"]
    few = kinds > 1 and kinds * least > people
    return {
        "said": say_kinds(kinds, least),
        "few": _say_few(draft) if few else "",
        "decided": say_when(draft),
        "paper": draft.document["paper"],
        "fewer": list(_fewer_kinds(draft, kinds)) if few else [],
    }


def _say_few(draft: Draft) -> str:
    return _("You plan for %(n)s people.") % {"n": format_count(draft.document["expected"])}


def _fewer_kinds(draft: Draft, kinds: int) -> Iterator[dict[str, Any]]:
    """Ready draws that make fewer kinds of sheets: how many, what the promise becomes, and the change to it."""
    for block in blocks_of_people(draft):
        for name, settings in ready_draws(len(draft.inside(block))).items():
            change = {"do": "draw", "block": block.name, "value": name}
            try:
                document = apply(draft.survey, draft.document, change)
                made = count_lots(compose_design(Draft.from_document(draft.survey, document)))
            except InputError:
                continue
            if made < kinds:
                yield {
                    "words": name_draw(settings, []),
                    "said": say_kinds(made, draft.survey.least),
                    "promised": promise_in_short(draft.survey, document),
                    "change": json.dumps(change),
                }


def remarks(draft: Draft) -> Iterator[tuple[str, str]]:
    """What is worth a look before publishing: sheets for more people than are planned, and paper that nobody chose."""
    if (design := design_of_people(draft)) is None:
        return
    kinds = count_lots(design)
    if draft.document["paper"] and kinds > 1 and kinds * draft.survey.least > draft.document["expected"]:
        yield join_sentences([say_kinds(kinds, draft.survey.least), _say_few(draft)]), "protect"
    if when := say_when(draft):
        yield when, "protect"
