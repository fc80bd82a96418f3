"""What a sheet says of each draw and question, in one language.

All words of a draw come from its outcomes and from the texts of respondents (surveys/client/features/own/texts.json),
so that who follows a sheet has the channel of its block.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from django.utils.html import escape
from django.utils.safestring import mark_safe

from privacy.design import YES_NO
from privacy.own_draw.person_draw import KEY, Drawn, PersonDraw
from privacy.own_draw.sources import SOURCES
from surveys.features.own.draft import CLIENT, COMPARED, texts_of_draws
from surveys.features.paper.form import SheetField, SheetForm, SheetLot, turn_outcomes

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
    asked = [text_of_question(form, field, place + at, language) for at, field in enumerate(fields, 1)]
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
        "pictures": step_pictures(draw, lot, len(fields), language)[compared:],  # the facts compared are in the last
        "open": "" if draw.way.hides_no else said["own.open"],
    }
    if compared:
        return group | {"asks": _asks(drawn, labels_asked(draw, lot), language)}
    rows = [
        (
            said["own.first"].format(list=in_list(labels, language)) if draw.goes_on else in_list(labels, language),
            _means(draw, means, len(fields), language),
        )
        for labels, means in turn_outcomes(drawn, lot.turn)
    ]
    return group | {"rows": rows}


def labels_asked(draw: PersonDraw, lot: SheetLot) -> list[str]:
    """The outcomes for which the fact beside a question is answered with yes, as this lot asks for it."""
    wanted = "not" if lot.look and draw.way.look else "fact"
    return next(labels for labels, means in turn_outcomes(draw.drawn, lot.turn) if means == wanted)


def step_pictures(draw: PersonDraw, lot: SheetLot, asked: int, language: str) -> list[str]:
    """What is drawn, and what each outcome means."""
    drawn = things(things_of(draw), _count(draw, asked))
    if draw.way.name in COMPARED:
        return [drawn, grid(draw.drawn, labels_asked(draw, lot))]
    outcomes = turn_outcomes(draw.drawn, lot.turn)
    rows = [(labels, in_list(labels, language).replace(TO, "–"), means) for labels, means in outcomes]
    return [drawn, meanings(draw, rows)]


def things_of(draw: PersonDraw) -> list[Drawn]:
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
        for drawn in things_of(draw)
    ]


def _asks(drawn: Drawn, labels: list[str], language: str) -> str:
    """The question about a fact: yes for these labels."""
    return words(language)[ASKS.get(drawn.source, "own.asksAny")].format(list=in_list(labels, language))


def text_of_question(form: SheetForm, field: SheetField, number: int, language: str) -> dict[str, Any]:
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


def _means(draw: PersonDraw, means: str, asked: int, language: str) -> list[str]:
    """What an outcome tells a person to do: one sentence, or what to answer instead of each question."""
    if means != "other":
        return [own_words(language)[means]]
    said, labels = words(language), [list(other.outcomes[0].labels) for other in draw.others]
    if draw.goes_on:
        low = in_list(labels[0], language)
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


def in_list(labels: list[str], language: str) -> str:
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


CELL = 24
PIPS = ("", "4", "08", "048", "0268", "02468", "023568")  # of a die: the corners, the sides and the middle
TICK, CROSS, ARROW = "M6 12l4 4 8-9", "M7 7l10 10M17 7L7 17", "M0 0h12m-4-4l4 4-4 4"
PERSON = "M4-6a4 4 0 1 0 8 0a4 4 0 1 0-8 0M0 9c0-8 16-8 16 0"
TURNED = "M0-3h14m-4-4l4 4-4 4M14 4H0m4-4l-4 4 4 4"
BOTH = ((True, True), (False, False)), ((True, False), (False, True))
PAIRS = {"triangular": (((False, False),), (*BOTH[1], (True, True)))}  # of the codes 0 and 1
Row = tuple[Sequence[str], str, str]
"""Labels of an outcome, the same in words, and what they mean."""


def things(draws: Sequence[Drawn], count: int) -> str:
    """What is drawn with, and the facts that are asked about instead, one under the other."""
    parts = (
        f'<g transform="translate(0 {56 * place})">{"".join(THINGS[one.source](one, count))}</g>'
        for place, one in enumerate(draws)
    )
    return _svg("picture", 112, 56 * len(draws), parts)


def _digits(bold: Collection[int]) -> list[str]:
    """A number with some digits bold, by how many follow each."""
    return [_box(12 + 18 * at, 18, 16, 22, ' stroke-width="3"' * (4 - at in bold)) for at in range(5)]


THINGS: dict[str, Callable[[Drawn, int], Iterable[str]]] = {
    "day": lambda _drawn, _count: (_box(40, 12, 32, 36), _path(40, 20, "M0 0h32"), _word(56, 40, "1–31")),
    "die": lambda drawn, _count: [_die(44, 16, drawn.labels[-1])],
    "coin": lambda _drawn, _count: [f'<circle class="open" cx="{x}" cy="28" r="14"/>' for x in (40, 72)],
    "digit": lambda _drawn, count: _digits(range(1, count + 1)),
    "phone": lambda _drawn, _count: _digits([0]),
}
"""What is drawn with, by its source; of a number so many digits count."""


def grid(drawn: Drawn, counts: Iterable[str]) -> str:
    """A cell for each outcome, in rows as in a calendar; black where the fact is true, or its opposite is asked for."""
    labels, filled = list(SOURCES[drawn.source].chances), {*counts}
    wide = min(7 if drawn.source == "day" else 10, len(labels))
    cells = (
        f'<g{" class=counts" * (label in filled)} transform="translate({place % wide * CELL} {place // wide * CELL})">'
        f"{_box(1, 1, CELL - 2, CELL - 2)}{_pips(label) if drawn.source == 'die' else _word(12, 17, label)}</g>"
        for place, label in enumerate(labels)
    )
    return _svg("picture", wide * CELL, -(-len(labels) // wide) * CELL, cells)


def meanings(draw: PersonDraw, rows: Sequence[Row]) -> str:
    """A line for each outcome: what was drawn, and what it says of the first question."""
    lines = [part for place, row in enumerate(rows) for part in _line(draw, row, 26 * place)]
    return _svg("picture", 128, 26 * len(rows), lines)


def _line(draw: PersonDraw, row: Row, y: int) -> Iterator[str]:
    labels, said, means = row
    if draw.drawn.source == "die" and len(labels) < 4:
        yield from (_die(26 * at, y, label) for at, label in enumerate(labels))
    else:
        yield _word(38, y + 17, said if len(said) < 13 else f"{labels[0]} …")
    yield _path(82, y + 12, ARROW)
    if means == "other":
        yield _box(102, y + 3, 18, 18) + _path(102, y + 8, "M0 0h18")
    elif means in ("yes", "no"):
        yield _path(100, y, TICK if means == "yes" else CROSS)
    else:
        yield _path(102, y + 12, TURNED if means == "opposite" else PERSON)


def two_boxes() -> str:
    """What is crossed: the same in both boxes, as neither is right or wrong."""
    dots = (f'<circle cx="{28 + 56 * side + by}" cy="18" r="2"/>' for side in (0, 1) for by in (-8, 0, 8))
    return _svg("picture", 112, 36, [_box(4, 4, 48, 28), _box(60, 4, 48, 28), *dots])


def pair(way: str, code: int) -> str:
    """What a box says of A and B: each pair of a tick or a cross that it is for."""
    pairs = PAIRS.get(way, BOTH)[code]

    def half(name: str, yes: bool, x: int, y: int) -> str:
        sign = _path(11, 0, TICK if yes else CROSS)
        return f'<g transform="translate({x} {y})">{_word(5, 17, name)}{_box(12, 1, 22, 22)}{sign}</g>'

    lines = (half("A", a, 2, 26 * at) + half("B", b, 46, 26 * at) for at, (a, b) in enumerate(pairs))
    return _svg("pairs", 84, 26 * len(pairs), lines)


def crowd(people: int, full: int) -> str:
    """A dot for each of a hundred people, so many of them full; no picture of more people."""
    kinds = ["", ' class="open"']
    dots = (
        f'<circle cx="{5 + 10 * (place % 25)}" cy="{5 + place // 25 * 10}" r="3.6"{kinds[place >= full]}/>'
        for place in range(people)
    )
    return _svg("picture crowd", 250, 40, dots) if people == 100 else ""


def _svg(kind: str, wide: int, high: int, parts: Iterable[str]) -> str:
    size = f'viewBox="0 0 {wide} {high}" width="{wide / CELL:.2f}em" height="{high / CELL:.2f}em"'
    return mark_safe(f'<svg class="{kind}" {size} aria-hidden="true">{"".join(parts)}</svg>')


def _box(x: int, y: int, width: int, height: int, more: str = "") -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4"{more}/>'


def _path(x: int, y: int, d: str) -> str:
    return f'<path d="{d}" transform="translate({x} {y})"/>'


def _word(x: int, y: int, said: str) -> str:
    size = 13 if len(said) < 3 else 11 if len(said) < 6 else 9
    return f'<text x="{x}" y="{y}" text-anchor="middle" font-size="{size}">{escape(said)}</text>'


def _die(x: int, y: int, label: str) -> str:
    return f'<g transform="translate({x} {y})">{_box(0, 0, CELL, CELL)}{_pips(label)}</g>'


def _pips(label: str) -> str:
    return "".join(
        f'<circle cx="{6 + 6 * (place % 3)}" cy="{6 + 6 * (place // 3)}" r="2"/>'
        for place in map(int, PIPS[int(label)])
    )
