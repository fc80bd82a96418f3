"""What a sheet says of each draw and question, in one language.

All words of a draw come from its outcomes and from the texts of respondents (surveys/client/features/own/texts.json),
so that who follows a sheet has the channel of its block.
"""

import json
from collections.abc import Mapping
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from privacy.design import YES_NO
from privacy.own_draw.person_draw import KEY, Drawn, PersonDraw
from surveys.features.own.draft import CLIENT, COMPARED, texts_of_draws
from surveys.features.paper.form import SheetField, SheetForm, SheetLot, turn_outcomes
from surveys.features.paper.pictures import grid, meanings, pair, things

YES_OR_NO = ("yes", "no")
ASKS = {"day": "own.asksDay", "phone": "own.asksDigit", "digit": "own.asksDigit"}
MANY = {"die": "own.drawRolls", "digit": "own.drawDigits"}
TO = "–\N{WORD JOINER}"  # from–to, on one line


@cache
def words(language: str) -> Mapping[str, str]:
    """What respondents read in this language, or in English where the page does not speak it."""
    said = dict(texts_of_draws()["en"])
    for path in (CLIENT / f"languages/{tag}/{name}.json" for tag in ("en", language) for name in ("usual", "rare")):
        said |= json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return said | texts_of_draws().get(language, {})


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    known: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("texts.json").read_text(encoding="utf-8"))
    return known


def own_words(language: str) -> dict[str, str]:
    """What sheets say beside the draws."""
    return {**_texts()["en"], **_texts().get(language, {})}


def texts_of_group(
    form: SheetForm, lot: SheetLot, fields: list[SheetField], place: int, language: str
) -> dict[str, Any]:
    """What one draw answers, or one undisguised question."""
    asked = [_question(form, field, place + at, language) for at, field in enumerate(fields, 1)]
    draw = form.draw_of(fields[0])
    if draw is None:
        return {"questions": asked}
    said, drawn, compared = words(language), draw.drawn, draw.way.name in COMPARED
    group: dict[str, Any] = {
        "questions": asked,
        "before": place,
        "drawn": True,
        "compared": compared,
        "draws": draws_in_words(draw, len(fields), language),
        "fact": _fact(drawn, language),
        "open": "" if draw.way.hides_no else said["own.open"],
    }
    group["pictures"] = step_pictures(draw, lot, len(fields), language)
    if compared:
        return group | {"asks": _asks(drawn, _labels_asked(draw, lot), language)}
    rows = [
        (
            said["own.first"].format(list=_in_list(labels, language)) if draw.goes_on else _in_list(labels, language),
            _means(draw, means, lot.turn, len(fields), language),
        )
        for labels, means in turn_outcomes(drawn, lot.turn)
    ]
    return group | {"rows": rows}


def _labels_asked(draw: PersonDraw, lot: SheetLot) -> list[str]:
    """The outcomes for which the fact beside a question is answered with yes, as this lot asks for it."""
    wanted = "not" if lot.look and draw.way.look else "fact"
    return next(labels for labels, means in turn_outcomes(draw.drawn, lot.turn) if means == wanted)


def step_pictures(draw: PersonDraw, lot: SheetLot, asked: int, language: str) -> list[str]:
    """What is drawn, and what each outcome means."""
    drawn = things(_things_of(draw), _count(draw, asked))
    if draw.way.name in COMPARED:
        return [drawn, grid(draw.drawn, _labels_asked(draw, lot))]
    outcomes = turn_outcomes(draw.drawn, lot.turn)
    rows = [(labels, _in_list(labels, language).replace(TO, "–"), means) for labels, means in outcomes]
    return [drawn, meanings(draw, rows)]


def _things_of(draw: PersonDraw) -> list[Drawn]:
    """What a person draws with, and the facts that are asked about instead: all are found before the question."""
    return [draw.drawn] if draw.goes_on else [draw.drawn, *draw.others]


def _count(draw: PersonDraw, asked: int) -> int:
    """How many outcomes a person finds: where each question takes a further one, one more."""
    return 1 + asked if draw.goes_on else 1


def draws_in_words(draw: PersonDraw, asked: int, language: str) -> list[tuple[str, str]]:
    """What to draw or to find, each with its fact."""
    said, count = words(language), _count(draw, asked)
    if count > 1:
        return [(said[MANY[draw.drawn.source]].format(n=count), _fact(draw.drawn, language))]
    names = {"day": "own.drawBirthday"}
    return [
        (said[names.get(drawn.source, f"own.draw{drawn.source.capitalize()}")], _fact(drawn, language))
        for drawn in _things_of(draw)
    ]


def _asks(drawn: Drawn, labels: list[str], language: str) -> str:
    """The question about a fact: yes for these labels."""
    return words(language)[ASKS.get(drawn.source, "own.asksAny")].format(list=_in_list(labels, language))


def _question(form: SheetForm, field: SheetField, number: int, language: str) -> dict[str, Any]:
    """A question with its boxes; the number in a box is the key that enters it."""
    entry = form.version.parsed.entries[field.question.id]
    said = words(language)
    labels = {option["value"]: option["label"][language] for option in entry.get("options", ())}
    parts = {item["id"]: item["label"][language] for item in entry.get("items", ())}
    text = " – ".join(filter(None, [entry["text"][language], parts.get(field.name, "")]))
    if draw := form.draw_of(field):
        both = COMPARED.get(draw.way.name, YES_OR_NO)
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


def _means(draw: PersonDraw, means: str, turn: int, asked: int, language: str) -> list[str]:
    """What an outcome tells a person to do: one sentence, or what to answer instead of each question."""
    if means != "other":
        return [own_words(language)[means]]
    said, labels = words(language), [turn_outcomes(other, turn)[0][0] for other in draw.others]
    if draw.goes_on:
        low = _in_list(labels[0], language)
        return [said["own.instead"].format(n=number, list=low) for number in range(2, asked + 2)]
    return [
        said["own.other"].format(fact=_fact(other, language), asks=_asks(other, of, language))
        for other, of in zip(draw.others, labels, strict=True)
    ]


def _fact(drawn: Drawn, language: str) -> str:
    """What the fact is called: by the author, or with a name of the respondents' page."""
    if isinstance(drawn.fact, tuple):
        own = {name: text for name, text in drawn.fact if name != KEY}
        return own.get(language) or next(iter(own.values()))
    if drawn.fact is None:
        return ""
    key = f"own.phoneOf{drawn.fact.capitalize()}" if drawn.source == "phone" else f"own.{drawn.fact}"
    return words(language).get(key, drawn.fact)


def _in_list(labels: list[str], language: str) -> str:
    """Outcomes as a list; three or more that follow each other are joined by a dash."""
    said = words(language)

    def word(label: str) -> str:
        return said.get({"heads": "own.heads", "tails": "own.tails"}.get(label, ""), label)

    runs: list[list[str]] = []
    for label in labels:
        last = runs[-1][-1] if runs else ""
        if last.isdecimal() and label.isdecimal() and int(label) == int(last) + 1:
            runs[-1].append(label)
        else:
            runs.append([label])
    parts = [
        part
        for run in runs
        for part in ([word(run[0]) + TO + word(run[-1])] if len(run) > 2 else [word(label) for label in run])
    ]
    return said["own.comma"].join(parts)
