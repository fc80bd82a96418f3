"""Which figures count direct answers: what plans foresee is what the gate of reports does."""

import numpy as np
import pytest

from privacy.design import Design
from surveys.domain.questionnaire.expected import chance_together, expect_connections, pair_items
from surveys.domain.questionnaire.forecast import forecast
from surveys.domain.questionnaire.guess import Guess
from surveys.domain.questionnaire.minimum import Minimum
from surveys.domain.responses import gate

SHOWN = Minimum(20, 100)


def _design(*, direct: bool, ask: int | None = None) -> Design:
    asked = {} if ask is None else {"ask": ask}
    items = [{"id": name, "theta": 0.5} for name in "abc"]
    return Design.parse({"blocks": [{"keep": 0.4, "items": items, **asked}], "direct": direct})


def _passes(design: Design, people: int, draws: int, ask: int | None = None) -> float:
    """How often the gate counts so many direct people, of whom three in ten say yes to each question."""
    chance, passed = np.random.default_rng(11), 0
    for _ in range(draws):
        codes = (chance.random((people, 3)) < 0.3).astype(np.uint8)
        if ask is not None:
            drawn = chance.random((people, 3)).argsort(axis=1) < ask
            codes[~drawn] = design.not_asked
        passed += gate.fills(codes, 100, [field.size for field in design.fields])
    return passed / draws


@pytest.mark.parametrize(("ask", "people"), [(None, 3000), (None, 4000), (None, 5000), (2, 5000)])
def test_the_forecast_of_the_gate_is_what_the_gate_does(ask: int | None, people: int) -> None:
    """Over 200 draws; combinations that are taken to be independent cost a tenth near the edge."""
    design = _design(direct=True, ask=ask)
    seen = _passes(design, people, 200, ask)
    error = (seen * (1 - seen) / 200) ** 0.5

    assert abs(chance_together(design, (), Guess(), 100)(people) - seen) <= 0.1 + 4.5 * error


def test_direct_answers_that_are_left_out_cost_people_and_bring_none() -> None:
    """Where the gate refuses them, links need a quarter more people; where it does not, fewer than without any."""
    open_ = Minimum(1, 1)
    alone = expect_connections(_design(direct=False), 3000, SHOWN)[0]
    left_out = expect_connections(_design(direct=True), 3000, SHOWN)[0]
    counted = expect_connections(_design(direct=True), 3000, open_)[0]

    assert alone.needed is not None
    assert left_out.needed == round(alone.needed / 0.8)
    assert counted.needed is not None
    assert counted.needed < alone.needed
    assert left_out.chance < alone.chance <= counted.chance


def test_figures_of_one_answer_count_direct_people_where_the_minimum_gives_each_answer() -> None:
    """Of 400 people 24 say yes directly, too few for a figure of their own; of 2 000 people 120 do."""
    few, enough = (forecast(_design(direct=True), people, SHOWN) for people in (400, 2000))
    without = {people: forecast(_design(direct=False), people, SHOWN) for people in (320, 2000)}

    assert (few.counts_direct, few.most, few.each) == (False, without[320].most, 320)
    assert enough.counts_direct
    assert enough.most is not None
    assert without[2000].most is not None
    assert enough.most < without[2000].most


def test_an_interlinked_pair_is_among_the_groups() -> None:
    """People who share an answer to one question of a pair share the other more often, so groups are larger."""
    design = _design(direct=True)
    apart, linked = (chance_together(design, links, Guess(), 100)(4000) for links in ((), pair_items(design)))
    assert linked != apart
