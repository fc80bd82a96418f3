"""The README is one screen, leads to each paper, and its figures are those that reports print of simulated surveys."""

import re

import numpy as np
import pandas as pd
import pytest

import candor
from privacy.plan.verdict import points
from tests.docs.costs import FAINT, people_in
from tests.docs.pages import anchors, links, text_of
from tests.servers import ROOT

ONE_SCREEN = 50  # lines
KNOWN_AS = ("Warner", "unrelated question", "k-anonymity", "l-diversity", "square mechanism", "amplification")
WITHIN = 0.03  # ±3 points: the longer side of a printed interval, in half of all surveys
ROUNDED = 0.0007  # by how much the README's round numbers of people may move it


def longer_sides(questions: int, people: int, gamma: int, yes: float, surveys: int) -> np.ndarray:
    """Of each simulated survey the longer side of the printed interval of a share, on average over its questions."""
    prevalence = yes if yes < 0.5 else None
    advice = candor.advise(items=questions, respondents=people, gamma=gamma, length=1, prevalence=prevalence)
    names, sides = [item.id for item in advice.design.items], []
    for seed in range(surveys):
        said = np.random.default_rng(seed).random((people, questions)) < yes
        records = candor.disguise(pd.DataFrame(said.astype(int), columns=names), advice.design, seed=seed)
        printed = candor.reconstruct(records, names).to_frame()
        above, below = printed["high"] - printed["support"], printed["support"] - printed["low"]
        sides.append(np.maximum(above, below).mean())
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


@pytest.mark.parametrize(("row_of", "questions"), [("1", 1), ("3", 3), ("10", 10)])
def test_the_table_of_costs_is_what_reports_print_at_worst(row_of: str, questions: int) -> None:
    """Where half say yes: so many people make the longer side of the interval 3 points long."""
    for gamma, people in zip((9, 19), people_in(row_of)[1:], strict=True):
        assert longer_sides(questions, people, gamma, 0.5, 3).mean() == pytest.approx(WITHIN, abs=ROUNDED)


@pytest.mark.parametrize("surveys", [6, pytest.param(100, marks=pytest.mark.long)])
def test_the_table_of_costs_is_what_reports_print_of_rare_answers(surveys: int) -> None:
    """Where 5 % say yes to each of ten questions. How wide a list's intervals are differs from survey to survey."""
    for gamma, people in zip((9, 19), people_in(FAINT)[1:], strict=True):
        sides = longer_sides(10, people, gamma, 0.05, surveys)
        error = 1.2533 * sides.std() / surveys**0.5  # of a median
        assert np.median(sides) == pytest.approx(WITHIN, abs=ROUNDED + 4.5 * error)


@pytest.mark.parametrize(
    ("row_of", "questions", "prevalence"), [("1", 1, None), ("3", 3, None), ("10", 10, None), (FAINT, 10, 0.05)]
)
def test_the_table_of_costs_is_what_the_verdict_says(row_of: str, questions: int, prevalence: float | None) -> None:
    """The advisor, Protect and the API say of so many people what the README does."""
    for gamma, people in zip((9, 19), people_in(row_of)[1:], strict=True):
        (aim,) = candor.advise(questions, people, gamma, length=1, prevalence=prevalence).verdict.aims
        assert points(aim.figure) == "±3"


@pytest.mark.parametrize(("row_of", "yes"), [("1", 0.5), ("3", 0.5), ("10", 0.5), (FAINT, 0.05)])
def test_the_table_of_costs_knows_what_asking_directly_needs(row_of: str, yes: float) -> None:
    """By Wilson's interval, as a report prints it of undisguised answers."""
    n, z = people_in(row_of)[0], 1.959964
    middle, half = (yes + z**2 / (2 * n)) / (1 + z**2 / n), z * (yes * (1 - yes) / n + z**2 / (4 * n**2)) ** 0.5

    assert middle + half / (1 + z**2 / n) - yes == pytest.approx(WITHIN, abs=ROUNDED)
