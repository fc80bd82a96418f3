"""Which question stands on which page of a sheet: worked out here, as its pages are counted before they are printed."""

from math import ceil
from typing import Any
from unicodedata import east_asian_width

from django.utils import translation

from surveys.features.paper.form import SheetField, SheetForm, SheetLot, draw_together
from surveys.features.paper.head import texts_of_head
from surveys.features.paper.words import own_words, texts_of_group

PAGE = 39  # lines above the foot
AROUND, QUESTION, ROW, PAIR = 1.1, 0.5, 1.17, 2.0  # lines around a group and a question, of a row, of pictured boxes
PLAIN, BOLD, SMALL, TITLE, CELLS, BESIDE, RULE = 76, 67, 96, 47, 56, 43, 17  # letters of a line; BESIDE: the pictures
BOX, DRAWN_BOX = 8, 15  # letters that a box needs, without its words
HEAD = 7.5  # lines of headings, of the boxes of the example, and around them


def lay_out(form: SheetForm, lot: SheetLot) -> list[list[SheetField]]:
    """The fields of each page of a sheet; what one draw answers is on one page."""
    languages = form.version.parsed.source["languages"]
    pages: list[list[SheetField]] = [[]]
    room = PAGE - max(_height_of_head(form, lot, tag) for tag in languages)
    for group in draw_together(form, lot):
        needed = max(_height(form, lot, group, tag) for tag in languages)
        if needed > room and pages[-1]:
            pages.append([])
            room = PAGE
        pages[-1] += group
        room -= needed
    return pages


def _height_of_head(form: SheetForm, lot: SheetLot, language: str) -> float:
    """The lines of title and purpose, of what protects people with an example, and of the three rules."""
    source, own, head = form.version.parsed.source, own_words(language), texts_of_head(form, lot, language)
    small = [
        " ".join(source[name][language] for name in ("who", "why")),
        *head["free"],
        *head["protection"],
        head["example"],
    ]
    small += [own["slip"]] if head["slips"] else []
    rules = max(_lines(own[name], RULE) for name in ("cross", "noname", "fold"))
    title = 1.4 * _lines(source["title"][language], TITLE)
    return title + 0.9 * sum(_lines(text, SMALL) for text in small) + rules + HEAD


def _height(form: SheetForm, lot: SheetLot, group: list[SheetField], language: str) -> float:
    """The lines of what one draw answers, or of an undisguised question."""
    with translation.override(language):  # the names of months
        said = texts_of_group(form, lot, group, 0, language)
    high = AROUND + sum(_height_of_question(said, question) for question in said["questions"])
    if "draws" not in said:
        return high
    own = own_words(language)
    high += _lines(" ".join([*(f"{text} {fact}." for text, fact in said["draws"]), own["silent"]]), BESIDE)
    high += _lines(f"{own['look' if said['compared'] else 'find']} {said['open']}", CELLS)
    return high + sum(ROW * _lines(" 1 ".join([labels, *means]), BESIDE) for labels, means in said.get("rows", ()))


def _height_of_question(said: dict[str, Any], question: dict[str, Any]) -> float:
    """The lines of a question with its help and its boxes."""
    pictured = any(picture for _key, _words, picture in question["boxes"])
    boxes = "".join(
        f"{words:{len(words) + (DRAWN_BOX if pictured else BOX)}}" for _key, words, _picture in question["boxes"]
    )
    high = QUESTION + _lines(question["help"], SMALL) + (PAIR if pictured else 1) * _lines(boxes, PLAIN)
    if said.get("compared"):
        return high + _lines(said["asks"], CELLS) + _lines(question["asks"], PLAIN)
    return high + _lines(question["asks"], BOLD)


def _lines(text: str, width: int) -> int:
    """How many lines a text needs."""
    return ceil(sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text) / width)
