"""What a sheet says before its questions, and which question is on which page: pages are counted before printing."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import ceil
from typing import Any
from unicodedata import east_asian_width

from django.utils import translation

from privacy.design.by_person import explain_presses
from privacy.design.sentences import YES
from privacy.guarantee import posterior_bound
from privacy.own_draw.person_draw import PersonDraw
from surveys.domain.questionnaire.promise import percent
from surveys.features import odds_of_secrets
from surveys.features.own.draft import COMPARED
from surveys.features.paper.form import SheetField, SheetForm, SheetLot, draw_together, turn_outcomes
from surveys.features.paper.words import YES_OR_NO, crowd, in_list, labels_asked, own_words, texts_of_group, words

SHOWN = "yes", "opposite", "truth"  # what an outcome says that an example may show, the least usual first


def texts_of_head(form: SheetForm, lot: SheetLot, language: str) -> dict[str, Any]:
    """The texts, a hundred dots for each direction, and the boxes of the example, each with whether it is crossed."""
    source, texts = form.version.parsed.source, own_words(language)
    draws = [draw for fields in draw_together(form, lot) if (draw := form.draw_of(fields[0]))]
    example, boxes = _example(draws[0], lot, language)
    directions = dict(_both_ways(form, lot, language))
    return {
        "free": [source["consent"][language], texts["freely"]],
        "directions": [(said, dots) for said, (dots, _key) in directions.items()],
        "limit": [*dict.fromkeys(key for dots, key in directions.values() if dots), _limit(form, language)],
        "example": example,
        "boxes": boxes,
        "slips": any(drawn.takes_slips for draw in draws for drawn in (draw.drawn, *draw.others)),
    }


def _both_ways(form: SheetForm, lot: SheetLot, language: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """How many of those who would say no cross the box of most others, and how many of those who would say yes.

    Each with its dots, full for the first box in both directions, and what these are.
    """
    said, texts = words(language), own_words(language)
    for block in form.version.parsed.design.blocks:
        if draw := block.draw:
            boxes = _boxes(draw, language)[:: -1 if lot.look and draw.way.look else 1]
            key = f"\N{BLACK CIRCLE} {boxes[0]} \N{WHITE CIRCLE} {boxes[1]}{texts['stop']}"
            for one in explain_presses([block])[0][1][1:]:
                figures: Mapping[str, Any] = one.figures
                people, some, is_yes = figures["of"], figures["some"], figures["said"] == YES
                values = {"of": people, "some": some, "said": said[YES_OR_NO[not is_yes]], "box": boxes[is_yes]}
                yield texts["crossed"].format(**values), (crowd(people, people - some if is_yes else some), key)


def _boxes(draw: PersonDraw, language: str) -> list[str]:
    """What the boxes of records 1 and 0 say."""
    return [words(language)[name] for name in COMPARED.get(draw.way.name, YES_OR_NO)]


def _limit(form: SheetForm, language: str) -> str:
    sign = "%" if language.startswith("zh") else "\N{NO-BREAK SPACE}%"
    sure = posterior_bound(Fraction(1, 2), odds_of_secrets(form.version.parsed.design, form.version.parsed.source))
    values = {"prior": percent(Fraction(1, 2)) + sign, "posterior": percent(sure) + sign}
    return words(language)["sentence"].format(**values)


def _example(draw: PersonDraw, lot: SheetLot, language: str) -> tuple[str, list[tuple[str, bool]]]:
    """How somebody who drank no coffee answers by this draw; where facts are compared, A is a yes and B a no."""
    texts, boxes = own_words(language), _boxes(draw, language)
    values = {"a": words(language)["yes"], "b": words(language)["no"], "coffee": texts["coffee"]}
    if draw.way.name in COMPARED:
        label = labels_asked(draw, lot)[0]
        said, crossed = texts["exampleTwo"], 0
    else:
        outcomes = {says: labels[0] for labels, says in turn_outcomes(draw.drawn, lot.turn)}
        means = next(one for one in SHOWN if one in outcomes)
        label, values["means"] = outcomes[means], texts[means]
        said, crossed = texts["exampleOne"], int(means == "truth")
    text = said.format(label=in_list([label], language), **values)
    return text, [(box, place == crossed) for place, box in enumerate(boxes)]


PAGE = 43  # lines above the foot
AROUND, QUESTION, ROW, PAIR = 0.8, 0.5, 1.17, 1.85  # lines around a group and a question, of a row, of pictured boxes
PLAIN, BOLD, SMALL, HALF = 76, 67, 96, 46  # letters of a line
TITLE, CELLS, BESIDE, RULE = 47, 56, 43, 20  # BESIDE: beside the pictures
BOX, DRAWN_BOX = 8, 15  # letters that a box needs, without its words
HEAD, CROWD = 6.8, 2.4  # lines of headings, of the boxes of the example, and around them; of a hundred dots


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
    small = [" ".join(source[name][language] for name in ("who", "why")), " ".join(head["free"])]
    small += [" ".join(head["limit"]), head["example"], *([own["slip"]] if head["slips"] else [])]
    high = 1.4 * _lines(source["title"][language], TITLE) + 0.9 * sum(_lines(text, SMALL) for text in small) + HEAD
    sides = [0.9 * _lines(said, HALF) + bool(dots) * CROWD for said, dots in head["directions"]]
    high += ceil(len(sides) / 2) * max(sides, default=0)
    return high + max(_lines(own[name], RULE) for name in ("cross", "noname", "fold"))


def _height(form: SheetForm, lot: SheetLot, group: list[SheetField], language: str) -> float:
    """The lines of what one draw answers, or of an undisguised question."""
    with translation.override(language):  # the names of months
        said = texts_of_group(form, lot, group, 0, language)
    high = AROUND + sum(_height_of_question(said, question) for question in said["questions"])
    if "draws" not in said:
        return high
    own, compared = own_words(language), said["compared"]
    drawn = " ".join([*(f"{text} {fact}." for text, fact in said["draws"]), own["silent"]])
    high += _lines(drawn, CELLS if compared else BESIDE)
    high += _lines(" ".join(filter(None, ["" if compared else own["find"], said["open"]])), CELLS)
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
