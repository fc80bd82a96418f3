"""The README is one screen, leads to each paper, and its figures are those that reports print of simulated surveys."""

import re

import numpy as np
import pandas as pd
import pytest

import candor
from surveys.domain.questionnaire.compose import compose_design
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.guess import guess_of
from surveys.models import Survey
from tests.cases import first
from tests.docs.costs import FAINT, ROWS, SURE, WITHIN, enough, people_in, plan_row
from tests.docs.pages import anchors, links, text_of
from tests.servers import ROOT

ONE_SCREEN = 50  # lines
KNOWN_AS = ("Warner", "unrelated question", "k-anonymity", "l-diversity", "square mechanism", "amplification")
ROUNDED = 0.002  # by how much numbers of two digits may move the longer side of an interval


def longer_sides(row_of: str, sure: int, people: int, surveys: int) -> np.ndarray:
    """Of each simulated survey the longer side of the printed interval of a yes, on average over its questions."""
    draft = Draft.from_document(Survey(slug="new", title="New"), plan_row(row_of, sure, people))
    design, guess = compose_design(draft), guess_of(draft)
    patterns, sides = [f"{item.id}=1" for item in design.items], []
    for seed in range(surveys):
        draw = np.random.default_rng(seed)
        given = {item.id: draw.choice(item.options, people, p=guess.shares(item)) for item in design.items}
        printed = candor.reconstruct(candor.disguise(pd.DataFrame(given), design, seed=seed), patterns).to_frame()
        above, below = printed["high"] - printed["support"], printed["support"] - printed["low"]
        sides.append(np.maximum(above, np.minimum(below, printed["support"])).mean())
    return np.array(sides)


def test_the_readme_is_one_screen() -> None:
    """What does not fit is in a guide."""
    assert len(text_of(ROOT / "README.md").splitlines()) <= ONE_SCREEN


def test_each_paper_is_one_press_away_by_the_names_that_readers_know() -> None:
    """All five, and each name is in a link to the paper that it comes from."""
    readme, papers = text_of(ROOT / "README.md"), text_of(ROOT / "docs" / "papers.md")
    of_papers = {anchors(head).pop() for head in re.findall(r"^## .+$", papers, re.MULTILINE)[:5]}
    named = re.findall(r"\[([^]]+)\]\(docs/papers\.md#[^)]+\)", readme)

    assert {anchor for path, anchor in links(readme) if path == "docs/papers.md"} == of_papers
    assert [name for name in KNOWN_AS if not any(name in one for one in named)] == []


@pytest.mark.parametrize("row_of", ROWS)
def test_the_table_of_costs_is_what_is_enough_with_the_defaults_of_the_studio(row_of: str) -> None:
    """README and Protect have one number of people for one plan, and so has the front page (`test_home.py`)."""
    assert people_in(row_of)[1:] == [enough(row_of, sure) for sure in SURE]


@pytest.mark.parametrize("row_of", first(1, [*reversed(ROWS)]))
def test_the_table_of_costs_is_what_reports_print(row_of: str) -> None:
    """So many people make the longer side of the interval of a yes three points long, in the median of six surveys."""
    for sure, people in zip(SURE, people_in(row_of)[1:], strict=True):
        sides = longer_sides(row_of, sure, people, 6)
        error = 1.2533 * sides.std() / 6**0.5  # of a median
        assert np.median(sides) == pytest.approx(WITHIN / 100, abs=ROUNDED + 4.5 * error)


@pytest.mark.parametrize(("row_of", "yes"), [("1", 0.5), ("3", 0.5), ("10", 0.5), (FAINT, 0.05)])
def test_the_table_of_costs_knows_what_asking_directly_needs(row_of: str, yes: float) -> None:
    """By Wilson's interval, as a report prints it of undisguised answers."""
    n, z = people_in(row_of)[0], 1.959964
    middle, half = (yes + z**2 / (2 * n)) / (1 + z**2 / n), z * (yes * (1 - yes) / n + z**2 / (4 * n**2)) ** 0.5

    assert middle + half / (1 + z**2 / n) - yes == pytest.approx(WITHIN / 100, abs=0.0007)
