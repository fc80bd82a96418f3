"""The sheets to print, and the guide for who hands them out: pages of HTML that a browser prints."""

from itertools import groupby
from typing import Any

import segno
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy

from privacy.errors import EntryError
from privacy.output import format_count
from surveys.access import studio
from surveys.domain.people.roles import Action
from surveys.features.own.draft import COMPARED
from surveys.features.paper.batches import version_on_paper
from surveys.features.paper.form import SheetForm, SheetLot, form_of
from surveys.features.paper.kinds import say_kinds
from surveys.features.paper.layout import lay_out
from surveys.features.paper.pictures import pair, two_boxes
from surveys.features.paper.words import (
    YES_OR_NO,
    draws_in_words,
    own_words,
    step_pictures,
    texts_of_group,
    words,
)
from surveys.features.study.draft import sheets_of_arms
from surveys.models import Survey
from surveys.sentences import join_sentences, language_name

SIZES = {"a4": "A4", "letter": "Letter"}
RIGHT_TO_LEFT = ("ar", "fa", "he", "ur")
BOX = 20  # sheets that lie in a box before it is opened
_THINGS = {  # what must be there for each source
    "die": gettext_lazy("a die for each person"),
    "coin": gettext_lazy("a coin for each person"),
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
        "direction": "rtl" if language.split("-")[0] in RIGHT_TO_LEFT else "ltr",
        "say": own_words(language),
        "title": source["title"][language],
        "who": source["who"][language],
        "why": source["why"][language],
    }
    with translation.override(language):  # the names of months
        context["stacks"] = [] if context["too_few"] else [stack_of(form, lot, language) for lot in form.lots]
    status = 422 if context["too_few"] else 200
    return render(request, "studio/features/paper/sheets.html", context, status=status)


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
        shown.append({"groups": groups, "code": _qr(code), "said": said, "first": page == 1})
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
    sources = [block.draw.drawn.source for one in forms for block in one.version.design.blocks if block.draw]
    things = [_THINGS[source] for source in dict.fromkeys(sources) if source in _THINGS]
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
