"""The sheets of a version as an XLSForm, for those who stay with ODK: a note for each draw, a select for each press.

The device draws once which lot of sheets it is, and shows that lot's notes alone. Columns and numbers are those of a
sheet, so what ODK gives back as CSV is a stack (surveys.features.paper.sheets).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils import translation

from surveys.domain.exchange.xlsform.write import Row, labels, language_head, write_book
from surveys.features.paper import LOT, VERSION
from surveys.features.paper.form import SheetField, SheetForm, SheetLot
from surveys.features.paper.words import own_words, texts_of_group


def write_form(form: SheetForm) -> bytes:
    """The workbook that ODK, KoBo and others take."""
    source = form.version.parsed.source
    settings = {
        "form_title": source["title"][source["languages"][0]],
        "form_id": f"{source['slug']}_{form.mark}",
        "default_language": language_head(source["languages"][0]),
    }
    return write_book({"survey": list(_rows(form)), "choices": list(_choices(form)), "settings": [settings]})


def _rows(form: SheetForm) -> Iterator[Row]:
    yield {"type": "calculate", "name": VERSION, "calculation": f"'{form.mark}'"}
    if len(form.lots) > 1:
        yield {"type": "calculate", "name": LOT, "calculation": f"once(int(random() * {len(form.lots)}) + 1)"}
    source = form.version.parsed.source
    for name in ("who", "why", "consent"):
        yield {"type": "note", "name": f"candor_{name}", **labels("label", source[name], source)}
    groups: dict[int | str, list[SheetField]] = {}
    for field in form.fields:
        groups.setdefault(form.group_of(field), []).append(field)
    for at, fields in enumerate(groups.values()):
        if form.draw_of(fields[0]):
            yield from _notes(form, fields, f"candor_draw_{at}")
        for field in fields:
            asked = [number for number, lot in enumerate(form.lots, 1) if field in form.fields_of(lot)]
            texts = _in_each(form, form.lots[asked[0] - 1], [field], lambda group, _tag: group["questions"][0]["asks"])
            own: Row = {"type": f"select_one {field.name}_boxes", "name": field.name}
            own |= {"required": "yes"} if field.required else {}
            yield own | labels("label", texts, source) | _relevant(form, asked)


def _notes(form: SheetForm, fields: Sequence[SheetField], name: str) -> Iterator[Row]:
    """What is drawn for questions that one draw answers: a note for all lots that say the same of it."""
    alike: dict[tuple[str, ...], tuple[dict[str, str], list[int]]] = {}
    for number, lot in enumerate(form.lots, 1):
        if own := [field for field in fields if field in form.fields_of(lot)]:
            texts = _in_each(form, lot, own, _note)
            alike.setdefault(tuple(texts.values()), (texts, []))[1].append(number)
    for place, (texts, numbers) in enumerate(alike.values()):
        note = {"type": "note", "name": f"{name}_{place}"}
        yield note | labels("label", texts, form.version.parsed.source) | _relevant(form, numbers)


def _choices(form: SheetForm) -> Iterator[Row]:
    for field in form.fields:
        lot = next(one for one in form.lots if field in form.fields_of(one))
        for place in range(len(field.boxes)):
            texts = _in_each(form, lot, [field], lambda group, _tag, at=place: group["questions"][0]["boxes"][at][1])
            own: Row = {"list_name": f"{field.name}_boxes", "name": str(place + 1)}
            yield own | labels("label", texts, form.version.parsed.source)


def _relevant(form: SheetForm, numbers: Sequence[int]) -> Row:
    """Where only some lots show it."""
    if len(numbers) == len(form.lots):
        return {}
    return {"relevant": " or ".join(f"${{{LOT}}} = {number}" for number in numbers)}


def _in_each(form: SheetForm, lot: SheetLot, fields: list[SheetField], say: Any) -> dict[str, str]:
    """What `say` makes of the words of a draw and its questions, in each language."""
    texts = {}
    for tag in form.version.parsed.source["languages"]:
        with translation.override(tag):  # the names of months
            texts[tag] = say(texts_of_group(form, lot, fields, 0, tag), tag)
    return texts


def _note(group: dict[str, Any], tag: str) -> str:
    """What the person draws, alone, and what each outcome means."""
    own = own_words(tag)
    lines = [" ".join(filter(None, draw)) for draw in group["draws"]] + [own["silent"], group["open"]]
    if group["compared"]:
        lines.append(f"{own['look']} {group['fact']}: {group['asks']}".replace(" :", ""))
    else:
        lines += [own["find"], *(f"{drawn}: {'; '.join(means)}" for drawn, means in group["rows"])]
    return "\n".join(filter(None, lines))
