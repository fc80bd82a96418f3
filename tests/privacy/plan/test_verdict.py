"""The verdict on a planned survey: what it says follows from figures that were made together."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

import candor
from privacy.output import format_count
from privacy.plan.connections import Connection
from privacy.plan.forecast import enough_people
from privacy.plan.verdict import AIMS, GROUPS, PAIRS, SHARES, Verdict, judge, judge_pairs
from tests.refusals import refusal_of
from tests.servers import ROOT


def by_root(times: float) -> Callable[[int], float]:
    """A width that four times as many people halve."""
    return lambda n: times / math.sqrt(n)


@dataclass(frozen=True)
class FakeForecast:
    """What is given of each number of people."""

    respondents: int
    side: Callable[[int], float] = field(default=by_root(1))
    pair: Connection | None = None

    @property
    def most(self) -> float:
        return self.side(self.respondents)

    @property
    def apart(self) -> float:
        return 2 * self.most

    def with_people(self, people: int) -> "FakeForecast":
        return replace(self, respondents=people)


def judged(people: int, wanted: list[str], chance: float = 0.9, needed: int | None = 400) -> Verdict:
    forecast = FakeForecast(people, pair=Connection(2, 0.5, 0.3, chance, needed))
    return judge(forecast, wanted, common=0.05)


@pytest.mark.parametrize("share", [0.0475, 0.0475 - 1e-15])
def test_a_link_is_described_alike_however_the_last_bits_of_its_shares_fell(share: float) -> None:
    """In two surveys with one guess nobody reads 4.7 % here and 4.8 % there."""
    aim = judge_pairs(800, Connection(2, 1 / 3, share, 0.1, 2_000))

    assert [str(one) for one in aim.means] == [
        "A link of medium strength: of those who give one answer, another is given by 33.3 %; of all, by 4.8 %."
    ]


def test_an_aim_is_met_where_its_figure_is_as_wanted_and_else_says_how_many_are_enough() -> None:
    """Shares by the longer side, pairs by the chance of a link, groups by twice the width."""
    few, many = (judged(n, [SHARES, PAIRS, GROUPS], chance=chance) for n, chance in ((100, 0.2), (400, 0.9)))

    assert [(aim.what, aim.met, aim.needed) for aim in few.aims] == [
        (SHARES, False, 400),
        (PAIRS, False, 400),
        (GROUPS, False, 400),
    ]
    assert [(aim.what, aim.met, aim.needed) for aim in many.aims] == [
        (SHARES, True, 400),
        (PAIRS, True, 400),
        (GROUPS, True, 400),
    ]
    assert str(many.headline) == "400 people are planned. 400 are enough."
    assert str(few.headline) == "100 people are planned. 400 are enough."


def test_a_survey_that_meets_nothing_and_knows_five_from_twenty_percent_nowhere_is_stopped() -> None:
    """From fifteen points on; below, or where another aim is met, it may be worth running."""
    said = {n: judged(n, [SHARES]).stop for n in (44, 45)}

    assert said == {44: True, 45: False}
    assert str(judged(44, [SHARES]).headline) == "Do not run this as it is."
    assert not judged(44, [SHARES, PAIRS]).stop


def test_of_a_published_version_what_is_enough_is_said_to_be_of_that_version() -> None:
    """A new version may be planned for more people, and then need fewer; no figure is another."""
    plan = judged(100, [SHARES], needed=400)
    published = plan.as_published()

    assert [str(one) for one in (*plan.sentences(),)][-1] == "400 people are enough."
    assert [str(one) for one in (*published.sentences(),)][-1] == (
        "400 people are enough for this version as it is published."
    )
    assert [*published.sentences()][:-1] == [*plan.sentences()][:-1]
    assert published.to_json()["aims"] == plan.to_json()["aims"]


def test_a_width_no_number_of_people_reaches_has_none_that_is_enough() -> None:
    """What a bias leaves stays, however many answer; and no number above what a survey asks is named."""
    assert enough_people(lambda n: 0.06 + 1 / n, 0.05) is None
    assert enough_people(by_root(1), 0.0005) is None
    assert enough_people(by_root(1), 0.001) == 1_000_000


def same_design(people: int) -> FakeForecast:
    """As if it followed from the number of people, and were the same for all of them."""
    return FakeForecast(people, pair=Connection(2, 0.3, 0.1, 0.5 + (people >= 320) / 2, 320))


@pytest.mark.parametrize("planned", [None, same_design])
def test_how_many_are_enough_is_the_same_however_many_are_planned(
    planned: Callable[[int], FakeForecast] | None,
) -> None:
    """Of each aim: who plans for more than enough reads the least number, and not their own."""
    found = {
        tuple(aim.needed for aim in judge(same_design(people), AIMS, common=0.05, planned=planned).aims)
        for people in (100, 390, 400, 5_000, 20_000)
    }

    assert found == {(400, 320, 400)}


def test_where_the_best_design_depends_on_the_number_each_number_has_its_own() -> None:
    """A list for few people keeps its bias; the list for more has less."""

    def planned(people: int) -> FakeForecast:
        return FakeForecast(people, lambda n: 10 / n + 1 / math.sqrt(n))

    (aim,) = judge(FakeForecast(100, lambda _n: 0.07), [SHARES], common=0.05, planned=planned).aims
    assert aim.needed is not None
    assert 10 / aim.needed + 1 / math.sqrt(aim.needed) == pytest.approx(0.05, rel=0.05)


@pytest.mark.parametrize("about", [3, 2_000, 900_000])
@pytest.mark.parametrize("least", [1, 57, 320, 4_100, 1_000_000])
def test_enough_is_the_least_number_that_meets_a_wish_when_it_is_planned_for(least: int, about: int) -> None:
    """Wherever one begins to look, with and without what the design for a number says of itself; and one number of
    people for one plan: the sentence names no other.
    """
    pair = Connection(2, 0.5, 0.3, 0.1, about)
    for hint in (None, about):
        aim = judge_pairs(
            1, pair, lambda n, hint=hint: FakeForecast(n, pair=replace(pair, chance=n >= least, needed=hint))
        )

        assert aim.needed == max(least, 2)  # one is planned, and not enough
        assert str(aim.said[-1]) == f"{format_count(max(least, 2))} people are enough."
    assert judge_pairs(1, pair, lambda n: FakeForecast(n, pair=replace(pair, needed=None))).needed is None


@pytest.mark.parametrize(("people", "share", "within"), [(800, 0.05, 0.05), (3_050, 0.05, 0.03), (60, 0.3, 0.05)])
def test_the_advisor_prints_and_writes_the_same_verdict(people: int, share: float, within: float) -> None:
    """Text and JSON have the figures of one object; so many are enough with the design for so many."""
    advice = candor.advise(10, people, 19, length=1, prevalence=share)
    (aim,) = advice.verdict.aims

    assert all(str(one) in str(advice) for one in advice.verdict.sentences())
    assert advice.to_json()["verdict"]["aims"] == [
        {"aim": SHARES, "figure": aim.figure, "met": aim.met, "needed": aim.needed}
    ]
    assert advice.to_json()["verdict"]["said"] == [str(one) for one in advice.verdict.sentences()]
    if not aim.met and aim.needed is not None:
        again = candor.advise(10, aim.needed, 19, length=1, prevalence=share).verdict.aims[0]
        assert again.figure <= 0.05 * 1.05


def test_a_guess_with_a_range_takes_what_is_best_at_its_worst() -> None:
    """Alone, 5 % has one word each; where it may be 40 %, the coin's worst width is the smaller one."""
    alone, wide = (candor.advise(10, 2_000, 19, length=1, prevalence=said) for said in ("0.05", "0.05:0.02..0.4"))

    assert alone.recommended.biased
    assert not wide.recommended.biased
    assert "If it is 2 %, figures are ±" in str(wide)


@pytest.mark.parametrize("people", [60, 800])
def test_as_many_people_as_are_enough_are_so_and_a_tenth_fewer_are_not(people: int) -> None:
    """Each with the design that is advised for it; what is enough is more than what is not."""
    (aim,) = candor.advise(10, people, 19, length=1, prevalence=0.05).verdict.aims
    assert aim.needed is not None
    again = [
        candor.advise(10, n, 19, length=1, prevalence=0.05).verdict.aims[0] for n in (aim.needed, aim.needed * 4 // 5)
    ]

    assert aim.needed > people
    assert again[0].figure <= 0.05 * 1.05
    assert again[1].figure > 0.05


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("0.05:0.1..0.2", "prevalence: 0.05 is not between 0.1 and 0.2."),
        ("0.05:0.1", "prevalence: '0.05:0.1' is no range; write it as 0.05:0.02..0.1."),
        ("0.05:0.02..1.5", "prevalence: 1.5 is outside 0 to 1."),
    ],
)
def test_a_range_that_does_not_hold_its_guess_is_refused(said: str, why: str) -> None:
    """With the value and the rule."""
    assert refusal_of(lambda: candor.advise(10, 2_000, 19, prevalence=said)) == why


WIDTHS = r"(longer_sides|pair_side|difference_side|foresee_reach|foresee_reaches)"
LINKS = r"(connections|expect_connections)"
BY_HAND = r"\bNormalDist\(|\bndtri?\("  # who multiplies an error by hand
BY_ITSELF = {
    rf"(?<!def )\b{WIDTHS}\(": {
        "privacy/plan/forecast.py",  # of commands
        "privacy/reconstruct/words_sent.py",
        "surveys/domain/questionnaire/forecast.py",  # and that of pages, papers and files
    },
    rf"(?<!def )(?<!\.)\b{LINKS}\(": {
        "mining/engines/warnings.py",  # of what was mined: that nothing could be found
        "privacy/plan/connections.py",
        "privacy/plan/forecast.py",
        "surveys/domain/questionnaire/expected.py",
        "surveys/domain/questionnaire/forecast.py",
        "surveys/studio/checklist.py",  # the sentences of rules of two and of three
        "surveys/studio/protocol.py",
    },
    BY_HAND: {
        "papers/padding_and_sampling.py",
        "privacy/plan/connections.py",
    },
}


@pytest.mark.parametrize("pattern", BY_ITSELF)
def test_no_page_works_out_a_width_or_a_link_by_itself(pattern: str) -> None:
    """A place that foresees one of them is a verdict's, or named here with what it says."""
    found = {
        path.relative_to(ROOT).as_posix()
        for top in (
            "candor",
            "config",
            "mining",
            "papers",
            "privacy" if pattern != BY_HAND else "privacy/plan",
            "surveys",
        )
        for path in (ROOT / top).rglob("*.py")
        if re.search(pattern, path.read_text(encoding="utf-8"))
    }

    assert found == BY_ITSELF[pattern]


MANY = r"(fewest|enough_people|roughly|sample_size|people_for_\w+|(?<!def )fewest_people)"


def test_no_other_place_works_out_how_many_people_are_enough() -> None:
    """Who names a number of people takes it from the verdict, from the links it rests on, or from a test's power.

    Whatever finds or says one is called so, or is defined under such a name.
    """
    found = {
        path.relative_to(ROOT).as_posix()
        for top in ("candor", "config", "mining", "papers", "privacy", "surveys")
        for path in (ROOT / top).rglob("*.py")
        if re.search(rf"(?<![.\w]){MANY}\(", path.read_text(encoding="utf-8"))
    }
    outside = {one for one in found if not one.startswith("privacy/plan/")}

    assert outside == {
        "mining/engines/warnings.py",  # of what was mined: how many records would show a rule
        "privacy/release/measures/sample.py",  # who are like a row of a table
        "privacy/release/models/__init__.py",  # a size of classes
        "privacy/estimate/power.py",  # `candor.sample_size`: of one test
        "surveys/domain/questionnaire/expected.py",  # links, where direct people count or not
    }
    assert found - outside == {
        "privacy/plan/connections.py",  # how many find a link, which the verdict says
        "privacy/plan/forecast.py",
        "privacy/plan/verdict.py",
    }


@pytest.mark.parametrize("common", [0.005, 0.05, 0.3])
def test_the_two_questions_of_a_verdict_differ(common: float) -> None:
    """No width is good for a question that it is not good for, and none compares a share with itself."""
    for width in (0.0004, 0.001, 0.003, 0.013, 0.02, 0.035, 0.1):
        verdict = judge(FakeForecast(1000, lambda _n, width=width: width), [SHARES], common=common, within=1)
        (good_for,) = [one for one in verdict.sentences() if "few" in one.figures]
        few, near, far = (float(str(good_for.figures[name])) for name in ("few", "near", "far"))

        assert few < near < far
        assert near - few < 200 * width
