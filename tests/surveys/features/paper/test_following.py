"""Somebody who follows a printed sheet has the channel of its block: every draw, every truth and every lot, exactly."""

import re
from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest

from privacy.own_draw.sources import SOURCES
from surveys.features.paper.form import SheetForm, form_of
from surveys.features.paper.printing import stack_of
from surveys.features.paper.sheets import read_sheets
from surveys.models import SurveyVersion
from tests.cases import first
from tests.privacy.own_draw.people import BLOCKS
from tests.surveys.features.paper.sheets_of import publish_paper, sheet_file, table_of

Printed = dict[str, Any]
Labels = tuple[str, ...]


def labels_in(source: str, text: str) -> set[str]:
    """The outcomes that a printed list names: "a–c" is a to c, on one line, by the order that people know."""
    order = list(SOURCES[source].chances)
    found: set[str] = set()
    for part in text.split(", "):
        ends = part.split("–\N{WORD JOINER}")
        if len(ends) == 2 and all(end in order for end in ends):
            found.update(order[order.index(ends[0]) : order.index(ends[1]) + 1])
        else:
            found.add(part)
    return found


def asked_in(source: str, sentence: str) -> set[str]:
    """The outcomes for which a printed question about a fact is answered with yes."""
    return labels_in(source, sentence.removesuffix(". Else no.").rstrip("?").rpartition(": ")[2])


def cross(group: Printed, draw: dict[str, Any], label: str, others: Labels, truth: tuple[int, ...]) -> list[int]:
    """The boxes that somebody crosses who drew this, by the words of the sheet alone: 1 is the first."""
    names = [words for _key, words, _picture in group["questions"][0]["boxes"]]
    source = draw["source"]
    if group["compared"]:
        both = (label in asked_in(source, group["asks"])) + truth[0]
        if names[0] == "One yes, one no":
            return [1 if both == 1 else 2]
        assert names == ["At least one yes", "Both no"]
        return [1 if both else 2]
    (means,) = [means for text, means in group["rows"] if label in labels_in(source, text.removeprefix("Number 1: "))]
    said = means[0]
    if said.startswith(("Answer this instead", "Yes if number 2 is")):
        facts = zip(others_of(draw, len(truth)), others, means, strict=True)
        return [1 if other in asked_in(of["source"], sentence) else 2 for of, other, sentence in facts]
    does = {"Cross your true answer": truth, "Cross the opposite of your true answer": tuple(1 - one for one in truth)}
    if said in does:
        return [1 if one else 2 for one in does[said]]
    return [{"Cross Yes, whatever is true": 1, "Cross No, whatever is true": 2}[said]] * len(truth)


def others_of(draw: dict[str, Any], asked: int) -> list[dict[str, Any]]:
    """What is answered instead of each question: of one die or number each takes a further outcome."""
    others: list[dict[str, Any]] = draw.get("other", [])
    return others * asked if [other["source"] for other in others] == [draw["source"]] else others


def followed(version: SurveyVersion, block: dict[str, Any]) -> dict[Any, Fraction]:
    """P(record | truth) of people who follow the sheets, each lot equally often; a record has None where not asked."""
    form, draw = form_of(version), block["draw"]
    made: dict[Any, Fraction] = defaultdict(Fraction)
    for number, lot in enumerate(form.lots, 1):
        (group,) = [one for page in stack_of(form, lot, "en")["pages"] for one in page["groups"]]
        asked, size = sorted(lot.asked), len(lot.asked)
        sources = [drawn["source"] for drawn in (draw, *others_of(draw, size))]
        for (label, chance), *instead in product(*(SOURCES[source].chances.items() for source in sources)):
            whole = prod((one for _label, one in instead), start=chance) / len(form.lots)
            for truth in product((0, 1), repeat=size):
                crossed = cross(group, draw, label, tuple(one for one, _chance in instead), truth)
                made[lot.asked, truth, _record(form, number, asked, crossed)] += whole
    return made


_kept: dict[Any, tuple[int | None, ...]] = {}


def _record(form: SheetForm, number: int, asked: list[int], crossed: list[int]) -> tuple[int | None, ...]:
    """What is stored of a sheet with these crosses, read from a file."""
    key = (form.mark, number, *crossed)
    if key not in _kept:
        boxes = ["" if place not in asked else str(crossed[asked.index(place)]) for place in range(len(form.fields))]
        lots = [str(number)] if len(form.lots) > 1 else []
        (read,) = read_sheets(form, table_of(sheet_file(form.version, ",".join(lots + boxes))))
        _kept[key] = tuple(read.record)
    return _kept[key]


@pytest.mark.parametrize("name", first(4, [*BLOCKS]))
def test_who_follows_a_sheet_has_the_channel_of_the_block(name: str) -> None:
    """P(record | truth), by enumeration of all draws and lots, is that of the design to the last digit of 2⁻³².

    Windows by lot are exact whatever the distribution: of the days of the calendar their mean is 8 of 31.
    """
    block = BLOCKS[name]
    version = publish_paper([block])
    (kind,) = version.design.blocks
    made = followed(version, block)
    sets = {asked for asked, _truth, _record in made}

    assert len(sets) == len({frozenset(one.asked) for one in form_of(version).lots})
    for (asked, truth, record), chance in made.items():
        here = sorted(asked)
        sent = [code for code in record if code is not None]
        wanted = kind.chance(here, truth, sent) / len(sets)
        assert abs(float(chance - wanted)) < 1e-8, (truth, record)


COUNTS = re.compile(r"<g class=counts.*?</g>")


@pytest.mark.parametrize("name", first(2, ["extended", "crosswise", "crosswise by lot"]))
def test_black_cells_of_a_picture_are_what_the_sheet_asks_about(name: str) -> None:
    """In every lot: the picture and the sentence beside the question name the same outcomes."""
    block = BLOCKS[name]
    source = block["draw"]["source"]
    form = form_of(publish_paper([block]))
    for lot in form.lots:
        (group,) = [one for page in stack_of(form, lot, "en")["pages"] for one in page["groups"]]
        (outcomes,) = group["pictures"]
        black = {re.sub("<.*?>", "", cell) for cell in COUNTS.findall(outcomes)}

        assert black == asked_in(source, group["asks"])


def test_the_picture_of_a_draw_shows_all_that_is_drawn() -> None:
    """A coin, a birthday and the digit before the last one of a number, as the words beside it say."""
    form = form_of(publish_paper([BLOCKS["unrelated, two"]]))
    (group,) = [one for page in stack_of(form, form.lots[0], "en")["pages"] for one in page["groups"]]
    drawn, _outcomes = group["pictures"]
    things = re.findall(r"<g .*?</g>", drawn)

    assert [len(re.findall("<(?:circle|rect)", one)) for one in things] == [2, 1, 5]
    assert [re.sub("<.*?>", "", one) for one in things] == ["", "1–31", ""]
    assert len(group["draws"]) == len(things)


def test_a_box_shows_the_pairs_of_answers_that_it_is_for() -> None:
    """Ticks and crosses of A and B: by hand, of each way that puts a fact beside the question."""
    differ, same = [(True, False), (False, True)], [(True, True), (False, False)]
    wanted = {
        "crosswise": [differ, same],
        "extended": [differ, same],
        "triangular": [[*differ, (True, True)], same[1:]],
    }
    for name, pairs in wanted.items():
        form = form_of(publish_paper([BLOCKS[name]], slug=name))
        (group,) = [one for page in stack_of(form, form.lots[0], "en")["pages"] for one in page["groups"]]
        signs = [
            [sign == "M6 12l4 4 8-9" for sign in re.findall('path d="(.*?)"', one)]
            for _key, _words, one in group["questions"][0]["boxes"]
        ]

        assert [list(zip(one[::2], one[1::2], strict=True)) for one in signs] == pairs


def test_no_sheet_says_press_or_phone() -> None:
    """The words of a page that do not fit paper are the sheet's own."""
    for block in BLOCKS.values():
        form = form_of(publish_paper([block], slug=f"s{len(_kept)}-{id(block) % 10**6}"))
        text = str([stack_of(form, lot, "en") for lot in form.lots[:2]])

        assert not re.search(
            r"\b([Pp]ress|[Tt]ype|device|page \d)\b(?! \d of)", re.sub(r"page \d of \d|code.*?svg>", "", text)
        )
