"""The sheets to print, and the guide for who hands them out: pages of HTML that a browser prints.

All words of a draw come from its outcomes and from the texts of respondents (surveys/client/features/own/texts.json),
so that who follows a sheet has the channel of its block.
"""

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import count, groupby
from pathlib import Path
from typing import Any

import segno
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.dates import MONTHS
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy

from privacy.design import YES_NO
from privacy.draws.facts import KEY
from privacy.draws.made import PACK
from privacy.draws.person_draw import Drawn, PersonDraw
from privacy.draws.way import Meaning
from privacy.errors import EntryError
from privacy.output import format_count
from surveys.access import studio
from surveys.domain.people.roles import Action
from surveys.features.own.draft import CLIENT, COMPARED, texts_of_draws
from surveys.features.paper.batches import version_on_paper
from surveys.features.paper.form import SheetField, SheetForm, SheetLot, form_of, lay_out, turn_outcomes
from surveys.features.paper.kinds import say_kinds
from surveys.features.paper.pictures import grid, meanings, packs, pair, thing, two_boxes
from surveys.features.study.draft import sheets_of_arms
from surveys.models import Survey
from surveys.sentences import join_sentences, language_name

SIZES = {"a4": "A4", "letter": "Letter"}
RIGHT_TO_LEFT = ("ar", "fa", "he", "ur")
BUTTONS, YES_OR_NO = {**COMPARED, "kuk": ("own.red", "own.black")}, ("yes", "no")
ASKS = {"day": "own.asksDay", "month": "own.asksMonth"} | dict.fromkeys(("house", "phone", "digit"), "own.asksDigit")
DRAWS = dict.fromkeys(("day", "month"), "own.drawBirthday")
FACTS = {"house": "own.houseOf{}", "phone": "own.phoneOf{}"}
SUITS = "♣♦♥♠"
BOX = 20  # sheets that lie in a box before it is opened
_THINGS = {  # what must be there for each source
    "die": gettext_lazy("a die for each person"),
    "dice": gettext_lazy("a die for each person, thrown twice"),
    "coin": gettext_lazy("a coin for each person"),
    "cards": gettext_lazy("a pack of cards for each person, mixed before each draw"),
}


@cache
def words(language: str) -> Mapping[str, str]:
    """What respondents read in this language, or in English where the page does not speak it."""
    said = dict(texts_of_draws()["en"])
    for path in (CLIENT / f"languages/{tag}/{name}.json" for tag in ("en", language) for name in ("usual", "rare")):
        said |= json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return said | texts_of_draws().get(language, {})


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
        "say": _own_words(language),
        "title": source["title"][language],
        "who": source["who"][language],
        "why": source["why"][language],
    }
    with translation.override(language):  # the names of months
        context["stacks"] = [] if context["too_few"] else [stack_of(form, lot, language) for lot in form.lots]
    return render(request, "studio/features/paper/sheets.html", context)


def _too_few(form: SheetForm, copies: int, least: int) -> str:
    """Why so few sheets cannot be printed: who is one of a few is less sure to be one of many."""
    if len(form.lots) == 1 or copies >= least:
        return ""
    return say_kinds(len(form.lots), least)


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    known: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("texts.json").read_text(encoding="utf-8"))
    return known


def _own_words(language: str) -> dict[str, str]:
    """What sheets say beside the draws."""
    return {**_texts()["en"], **_texts().get(language, {})}


def stack_of(form: SheetForm, lot: SheetLot, language: str) -> dict[str, Any]:
    """One lot of sheets: its pages, with the code that stands on each."""
    name = form.lot_name(lot) if len(form.lots) > 1 else ""
    pages, place, shown = lay_out(form, lot), 0, []
    for page, fields in enumerate(pages, 1):
        groups = []
        for _key, together in groupby(fields, key=form.group_of):
            group = list(together)
            groups.append(_group(form, lot, group, place, language))
            place += len(group)
        code = " ".join(filter(None, ["candor", form.mark, name and f"lot {name}", f"page {page}"]))
        said = _own_words(language)["page"].format(page=page, pages=len(pages))
        shown.append({"groups": groups, "code": _qr(code), "said": said, "first": page == 1})
    return {"name": name, "look": lot.look + 1 if form.says_look else "", "pages": shown}


def _qr(text: str) -> str:
    return mark_safe(segno.make(text, error="m").svg_inline(border=1, omitsize=True, svgclass="code", lineclass="dots"))


def _group(form: SheetForm, lot: SheetLot, fields: list[SheetField], place: int, language: str) -> dict[str, Any]:
    """What one draw answers, or one undisguised question."""
    asked = [_question(form, field, place + at, language) for at, field in enumerate(fields, 1)]
    draw = form.draw_of(fields[0])
    if draw is None:
        return {"questions": asked}
    said, drawn, compared = words(language), draw.drawn, draw.way.name in COMPARED
    together = (drawn, *draw.others) if draw.way.name == "unrelated" else (drawn,)
    group: dict[str, Any] = {
        "questions": asked,
        "before": place,
        "drawn": True,
        "compared": compared,
        "draws": [(said[_draw_key(draw, one)], _fact_or_cards(one, language)) for one in together],
        "fact": _fact(drawn, language),
        "open": "" if draw.way.hides_no else said["own.open"],
    }
    group["pictures"] = _step_pictures(draw, lot, language)
    if compared:
        return group | {"asks": _asks(drawn, _labels_asked(draw, lot), language)}
    of_packs = [(drawn, said["own.ifYes"]), (draw.others[0], said["own.ifNo"])] if draw.way.name == "kuk" else []
    rows = [
        (" – ".join(filter(None, [pack, _in_list(one, labels, language)])), _means(draw, means, lot.turn, language))
        for one, pack in of_packs or [(drawn, "")]
        for labels, means in turn_outcomes(one, lot.turn)
    ]
    return group | {"rows": rows}


def _labels_asked(draw: PersonDraw, lot: SheetLot) -> list[str]:
    """The outcomes for which the fact beside a question is answered with yes, as this lot asks for it."""
    wanted = "not" if lot.look and draw.way.look else "fact"
    return next(labels for labels, means in turn_outcomes(draw.drawn, lot.turn) if means == wanted)


def _step_pictures(draw: PersonDraw, lot: SheetLot, language: str) -> list[str]:
    """What is drawn, and what each outcome means."""
    if draw.way.name in COMPARED:
        return [thing(draw), grid(draw.drawn, _labels_asked(draw, lot))]
    outcomes = turn_outcomes(draw.drawn, lot.turn)
    rows = [(labels, _in_list(draw.drawn, labels, language), means) for labels, means in outcomes]
    return [thing(draw), packs() if draw.way.name == "kuk" else meanings(draw, rows)]


def _draw_key(draw: PersonDraw, drawn: Drawn) -> str:
    """The words that say what to draw."""
    if draw.way.name == "kuk":
        return "own.drawPacks"
    return DRAWS.get(drawn.source, f"own.draw{drawn.source.capitalize()}")


def _asks(drawn: Drawn, labels: list[str], language: str) -> str:
    """The question about a fact: yes for these labels."""
    return words(language)[ASKS.get(drawn.source, "own.asksAny")].format(list=_in_list(drawn, labels, language))


def _question(form: SheetForm, field: SheetField, number: int, language: str) -> dict[str, Any]:
    """A question with its boxes; the number in a box is the key that enters it."""
    entry = form.version.parsed.entries[field.question.id]
    said = words(language)
    labels = {option["value"]: option["label"][language] for option in entry.get("options", ())}
    parts = {item["id"]: item["label"][language] for item in entry.get("items", ())}
    text = " – ".join(filter(None, [entry["text"][language], parts.get(field.name, "")]))
    if draw := form.draw_of(field):
        both = BUTTONS.get(draw.way.name, YES_OR_NO)
        boxes = [said[name] for name in both]
    elif field.question.options == YES_NO and not labels:
        boxes = [said[name] for name in YES_OR_NO]
    else:
        boxes = [labels.get(value, value) for value in field.boxes]
    drawn = [pair(draw.way.name, code) for code in (1, 0)] if draw and draw.way.name in COMPARED else [""] * len(boxes)
    shown = {"at": number, "asks": text, "help": entry.get("help", {}).get(language, "")}
    return shown | {"boxes": list(zip(count(1), boxes, drawn, strict=False)), "ends": _ends(entry, language)}


def _ends(entry: Mapping[str, Any], language: str) -> list[str]:
    ends = entry.get("ends", {})
    return [ends[end][language] for end in ("low", "high") if ends.get(end)]


def _means(draw: PersonDraw, means: Meaning, turn: int, language: str) -> list[str]:
    """What an outcome tells a person to do: one sentence, or what to cross for each question."""
    said, own = words(language), _own_words(language)
    if not isinstance(means, str):
        both = ("own.turned", "own.asIs") if draw.way.name == "signs" else YES_OR_NO[::-1]
        return [said[both[code]] for code in means]
    if draw.way.name == "kuk":
        return [said[BUTTONS["kuk"][means == "no"]]]
    if means == "other":
        facts = [(_fact(one, language), _asks(one, turn_outcomes(one, turn)[0][0], language)) for one in draw.others]
        return [said["own.other"].format(fact=fact, asks=asks) for fact, asks in facts]
    return [said["own.coins"] if means == "coins" else own[means]]


def _fact(drawn: Drawn, language: str) -> str:
    """What the fact is called: by the author, or with a name of the respondents' page."""
    if isinstance(drawn.fact, tuple):
        own = {name: text for name, text in drawn.fact if name != KEY}
        return own.get(language) or next(iter(own.values()))
    if drawn.fact is None:
        return ""
    key = FACTS[drawn.source].format(drawn.fact.capitalize()) if drawn.source in FACTS else f"own.{drawn.fact}"
    return words(language).get(key, drawn.fact)


def _fact_or_cards(drawn: Drawn, language: str) -> str:
    """The fact, or the cards of the pack: another one would have no row."""
    if drawn.source != "cards":
        return _fact(drawn, language)
    return words(language)["own.cardsOf"].format(list=_in_list(drawn, list(drawn.labels), language))


def _in_list(drawn: Drawn, labels: list[str], language: str) -> str:
    """Outcomes as a list; three or more that follow each other are joined by a dash."""
    said = words(language)

    def word(label: str) -> str:
        if drawn.source == "month":
            return str(MONTHS[int(label)])
        return said.get({"heads": "own.heads", "tails": "own.tails"}.get(label, ""), label)

    runs: list[list[str]] = []
    for label in _by_rank(labels) if drawn.source == "cards" else labels:
        last = runs[-1][-1] if runs else ""
        if last.isdecimal() and label.isdecimal() and int(label) == int(last) + 1:
            runs[-1].append(label)
        else:
            runs.append([label])
    parts = [
        part
        for run in runs
        for part in ([f"{word(run[0])}–{word(run[-1])}"] if len(run) > 2 else [word(label) for label in run])
    ]
    return said["own.comma"].join(parts)


def _by_rank(cards: list[str]) -> list[str]:
    """Cards in the order of a pack, where all four suits are among them the rank alone."""
    ranks = Counter(card.rstrip(SUITS) for card in cards)
    placed = sorted(cards, key=lambda card: PACK.index(card) if card in PACK else -1)
    return list(dict.fromkeys(rank if ranks[rank := card.rstrip(SUITS)] == len(SUITS) else card for card in placed))


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
    draws = [steps for one in forms for steps in _explain_draws(one, language)]
    context["draws"] = [steps for at, steps in enumerate(draws) if steps not in draws[:at]]  # arms may share one
    context["arms"] = [(one.mark, one.version.survey.title) for one in forms] if len(forms) > 1 else []
    return render(request, "studio/features/paper/guide.html", context)


def _explain_draws(form: SheetForm, language: str) -> list[list[tuple[list[str], str]]]:
    """The three steps of each way of drawing, as the first lot has them: pictures, and the words of the sheet."""
    said, own, found = words(language), _own_words(language), {}
    for block in form.version.design.blocks:
        if (draw := block.draw) and (draw.way.name, draw.drawn.source) not in found:
            compared = draw.way.name in COMPARED
            both = [said[name] for name in BUTTONS.get(draw.way.name, YES_OR_NO)]
            crossed = [pair(draw.way.name, code) for code in (1, 0)] if compared else [two_boxes()]
            drawn, meant = _step_pictures(draw, form.lots[0], language)
            found[draw.way.name, draw.drawn.source] = [
                ([drawn], join_sentences([said[_draw_key(draw, draw.drawn)], _fact_or_cards(draw.drawn, language)])),
                ([meant], own["look"] if compared else own["find"]),
                (crossed, " / ".join(both)),
            ]
    return list(found.values())
