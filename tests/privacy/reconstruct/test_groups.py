"""Do the groups answer alike, and what the grouped model gives away."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from papers.simulate import surveys
from privacy.design import Design
from privacy.design.patterns import parse_pattern
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.reconstruct import reconstruct
from privacy.reconstruct.group_difference import LEVEL, comparable, compare, leak
from privacy.reconstruct.lot import detectable, lot
from privacy.records import Records
from tests.cases import first

DESIGN = Design.parse({"direct": True, "model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": list("abcd")})


def expected(direct_support: float) -> Records:
    """10 000 records, each as often as to be expected, so that no difference is one of chance.

    2 000 are direct ones. Every support is .3 but for that of b among the direct ones, which is given.
    """
    cells = np.array(list(product((0, 1), repeat=4)), np.uint8)

    def shares(*yes: float) -> np.ndarray:
        return np.prod(np.where(cells, yes, np.subtract(1, yes)), axis=1)

    disguised = 0.3 * shares(0.3, 0.3, 0.3, 0.3) + 0.7 * shares(0.6, 0.6, 0.6, 0.6)
    direct = shares(0.3, direct_support, 0.3, 0.3)
    groups = [np.repeat(cells, np.rint(n * p).astype(int), axis=0) for n, p in ((8_000, disguised), (2_000, direct))]
    return Records(DESIGN, np.concatenate(groups), np.repeat([False, True], [len(group) for group in groups]))


def drawn(direct_support: float, seed: int) -> Records:
    """10 000 respondents of support .3 but for the direct ones, whose support of b is given."""
    random = np.random.default_rng(seed)
    direct = random.random(10_000) < 0.2
    truth = (random.random((10_000, 4)) < 0.3).astype(np.uint8)
    truth[direct, 1] = random.random(direct.sum()) < direct_support
    return disguise(DESIGN, truth, direct, words_from_seed(seed))


def test_a_group_that_selects_itself_is_noticed() -> None:
    """Direct respondents who admit b half as often: the test names b, and says which estimator to trust."""
    groups = reconstruct(expected(0.15), ["a"]).groups

    differing = [answer.answer for answer in groups.answers if answer.corrected < 0.05]
    assert differing == ["b"]
    assert groups.alike is False
    assert groups.finding == "different"
    assert groups.advice == (
        "The groups answer differently: trust the stratified estimator; pooled and combined are biased."
    )


def test_what_is_not_compared_is_named() -> None:
    """Records of a list are read whole, so neither of its answers is tested beside those of coins."""
    design = Design.parse({"model": "one-of", "gamma": 9, "cap": 1, "items": ["x", "y"], "direct": True})
    both = Design((*DESIGN.blocks, *design.blocks), True)
    coins = expected(0.3)
    records = Records(both, np.hstack([coins.codes, np.zeros((len(coins), 2), np.uint8)]), coins.direct)

    groups, alone = (reconstruct(own, ["a"], estimator="combined").groups for own in (records, coins))

    assert [answer.answer for answer in groups.answers] == list("abcd")
    assert groups.advice == f"{alone.advice} Not compared, because records are read whole for them: x, y."


def test_a_difference_that_is_not_found_recommends_no_assumption() -> None:
    """With equal groups no difference is claimed, and it is said how large one might be and what it would do."""
    groups = reconstruct(expected(0.3), ["a"]).groups
    widest = max(groups.answers, key=lambda answer: answer.bias)
    low, high = widest.ci

    assert groups.alike is True
    assert (groups.finding, groups.widest) == ("not-different", widest)
    assert groups.advice == (
        "No answer differs significantly between the groups, which does not show that they answer alike: for "
        f"{widest.answer} direct share minus disguised share may be {100 * low:+.1f} to {100 * high:+.1f} points, "
        f"and the combined figure may be off by up to {100 * widest.bias:.1f}. The stratified estimator is right "
        "either way; combined and pooled assume that the groups agree."
    )


def test_what_a_small_survey_misses_is_within_what_it_says() -> None:
    """Direct .10 against disguised .25 at n = 1 000, of whom a fifth answer directly (seed 11): most surveys find no
    difference, 95 % of their intervals hold it, and the combined figure is off by no more than they say."""
    design = Design.parse({"direct": True, "model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ["a"]})
    pattern = parse_pattern("a", design)
    random = np.random.default_rng(11)
    surveys, direct, disguised = 4000, 200, 800
    yes = random.binomial(direct, 0.10, surveys)
    seen = random.binomial(disguised, 0.7 * 0.6 + 0.3 * 0.25, surveys)
    counts = np.array([[disguised - seen, seen], [direct - yes, yes]]).transpose(2, 0, 1)

    answers = compare(design, [pattern] * surveys, counts).answers

    assert np.mean([answer.p > 0.05 for answer in answers]) > 0.2  # a test that finds nothing is common
    held = np.mean([low <= -0.15 <= high for low, high in (answer.ci for answer in answers)])
    assert held == pytest.approx(0.95, abs=4.5 * np.sqrt(0.95 * 0.05 / surveys) + 0.005)
    off = np.mean([answer.bias for answer in answers])
    weights = [answer.bias / max(map(abs, answer.ci)) for answer in answers]
    assert off > 0.15 * np.mean(weights)


@pytest.mark.parametrize(("n", "direct", "support"), first(1, [(500, 0.1, 0.05), (500, 0.2, 0.3), (5_000, 0.5, 0.1)]))
def test_the_test_keeps_its_level(n: int, direct: float, support: float) -> None:
    """Equal groups are called different in 5 % of 10 000 surveys, give or take 1 %, rare answers included, seed 3."""
    pattern = parse_pattern("a", DESIGN)
    states = np.array([1 - support, support])
    counts, _ = surveys(DESIGN, pattern, states, n, direct, 10_000, np.random.default_rng(3))

    p = [answer.p for answer in compare(DESIGN, [pattern] * 10_000, counts).answers]

    assert np.mean(np.array(p) < 0.05) == pytest.approx(0.05, abs=0.01)


def test_holm_corrects_for_the_number_of_answers() -> None:
    """The smallest of four p-values is multiplied by four, the next by three, never falling, never above 1."""
    answers = reconstruct(drawn(0.25, 4), ["a"]).groups.answers

    p = sorted(answer.p for answer in answers)
    expected = np.minimum(np.maximum.accumulate(np.array(p) * [4, 3, 2, 1]), 1)
    assert sorted(answer.corrected for answer in answers) == pytest.approx(expected.tolist())


def test_every_option_of_an_item_is_compared_unless_nothing_of_it_is_left() -> None:
    """A yes/no item is compared by its yes; a coin that keeps nothing leaves nothing to compare."""
    design = Design.parse(
        {
            "direct": True,
            "blocks": [
                {"keep": 0.5, "items": [{"id": "o", "options": ["x", "y", "z"], "noise": [0.4, 0.3, 0.3]}]},
                {"keep": 0.5, "items": [{"id": "a", "theta": 0.5}]},
                {"keep": 0, "items": [{"id": "lost", "theta": 0.5}]},
            ],
        }
    )

    assert [pattern.text(design) for pattern in comparable(design)] == ["o=x", "o=y", "o=z", "a"]


def test_the_grouped_model_leaks_its_mixed_records() -> None:
    """Exactly the disguised records that mix yes and no are listed, and what they say is the truth."""
    design = Design.parse({"direct": True, "model": "grouped", "p": 0.3, "theta": 0.6, "items": list("abc")})
    random = np.random.default_rng(6)
    truth = (random.random((10_000, 3)) < 0.3).astype(np.uint8)
    direct = np.arange(10_000) % 10 == 0
    sent = disguise(design, truth, direct, words_from_seed(6))

    leaked = leak(sent)

    mixed = ~direct & (sent.codes.sum(axis=1) % 3 != 0)
    np.testing.assert_array_equal(leaked.rows, np.flatnonzero(mixed))
    np.testing.assert_array_equal(sent.codes[leaked.rows], truth[leaked.rows])
    assert leaked.share == mixed.sum() / 9_000
    assert leaked.share == pytest.approx(0.3 * (1 - 0.3**3 - 0.7**3), abs=5 * (0.19 * 0.81 / 9_000) ** 0.5)


def test_other_models_leak_nothing() -> None:
    """No record of the improved model must be true."""
    leaked = leak(drawn(0.3, 7))

    assert (len(leaked.rows), leaked.share) == (0, 0.0)


@pytest.mark.parametrize("given", [None, [[0, 1]]])
def test_what_is_no_records_has_no_leak(given: object) -> None:
    """One sentence says what was given in place of records."""
    with pytest.raises(InputError, match=r"^records: .* is not records, such as read_records gives"):
        leak(given)  # type: ignore[arg-type]


# Groups that a lot made: what the disguise changes, also where some of those drawn declined to answer directly.


DRAWN = Design.parse({"direct": True, "blocks": [{"keep": 0.6, "items": [{"id": "drugs", "theta": 0.5}]}]})


def survey(seed, n=1500, share=0.4, keeps=0.3, hides=0.0, declines=0.0, declining=0.0, leave=False):
    """A survey in which a lot was drawn.

    Of those who keep to the lot a share `keeps` does it, and `hides` of these say so only if they are disguised.
    A share `declines` of people never answers directly, of whom `declining` do it; who declines takes the disguise,
    or leaves.
    """
    chance = np.random.default_rng(seed)
    never = chance.random(n) < declines
    does = chance.random(n) < np.where(never, declining, keeps)
    drawn = chance.random(n) < share
    direct = drawn & ~never
    says = does & ~(direct & (chance.random(n) < hides))
    stay = ~(drawn & never) if leave else np.ones(n, bool)
    return disguise(DRAWN, says[stay, None].astype(np.uint8), direct[stay], words_from_seed(seed))


def share_of(surveys, holds):
    return sum(holds(one) for one in surveys) / len(surveys)


@pytest.mark.parametrize("leave", first(1, [False, True]), ids=["take the disguise", "leave"])
@pytest.mark.parametrize("declining", [0.0, 1.0])
def test_the_interval_holds_the_effect_whoever_declined(leave, declining):
    """One in ten of those drawn declines, all of whom do it or none: in 95 % of 300 surveys, less 4.5 errors."""
    tested = [
        lot(survey(seed, hides=0.5, declines=0.1, declining=declining, leave=leave), 0.4).effects[0].ci
        for seed in range(300)
    ]
    assert share_of(tested, lambda ci: ci[0] <= -0.15 <= ci[1]) >= 0.95 - 4.5 * (0.05 * 0.95 / 300) ** 0.5


def test_decliners_who_differ_are_not_taken_for_an_effect_of_the_disguise():
    """A fifth declines, and all of them do it: the groups differ nearly always, and the disguise changes nothing."""
    tested = [lot(survey(seed, declines=0.2, declining=1.0), 0.4) for seed in range(200)]
    assert share_of(tested, lambda one: bool(one.differing)) > 0.9
    assert share_of(tested, lambda one: bool(one.changed)) <= LEVEL + 4.5 * (LEVEL * (1 - LEVEL) / 200) ** 0.5


def test_a_disguise_that_changes_what_people_say_is_found():
    """Everybody keeps to the lot, and of those who do it nine in ten say so only under the disguise."""
    tested = [lot(survey(seed, n=3000, share=0.5, keeps=0.5, hides=0.9), 0.5) for seed in range(50)]
    assert share_of(tested, lambda one: one.changed == ("drugs",)) > 0.9


@pytest.mark.parametrize("leave", [False, True], ids=["take the disguise", "leave"])
def test_the_bound_is_the_same_whether_decliners_leave_or_take_the_disguise(leave):
    """D₀ = D + h(D − u) with h = (r − k)/(k(1 − r)), in exact fractions."""
    r, c, d0, u = Fraction(2, 5), Fraction(9, 10), Fraction(1, 3), Fraction(3, 4)
    disguised = (1 - r) + (0 if leave else r * (1 - c))
    k = r * c / (r * c + disguised)
    declined = (1 - r) * (1 - c) + (0 if leave else r * (1 - c))
    share = ((1 - r) * c * d0 + declined * u) / disguised
    h = (r - k) / (k * (1 - r))
    assert share + h * (share - u) == d0


@pytest.mark.parametrize("leave", [False, True], ids=["take the disguise", "leave"])
def test_so_many_may_have_declined_as_did(leave):
    """Two in five of those drawn do; where all of them left, the bound is near that, and it holds in both cases."""
    drawn, declining = 25_000, 10_000
    here = drawn + (drawn - declining if leave else drawn)
    tested = lot(Records(DRAWN, np.zeros((here, 1), np.uint8), np.arange(here) < drawn - declining), 0.5)
    assert 0.4 <= tested.declined < (0.42 if leave else 0.6)


def test_the_least_difference_is_found_in_four_surveys_of_five():
    """Where everybody keeps to the lot; 400 surveys with the difference that `detectable` tells."""
    least = detectable(DRAWN, 1500, 0.4)
    tested = [lot(survey(seed, keeps=0.3, hides=least / 0.3), 0.4) for seed in range(400)]
    share = share_of(tested, lambda one: bool(one.differing))
    assert abs(share - 0.8) < 4.5 * (0.8 * 0.2 / 400) ** 0.5 + 0.02  # rarer direct answers vary a little less


def test_more_direct_answers_than_the_lot_gives_are_told():
    """The chance of so many or more, exactly; people may decline, and nobody may choose."""
    records = Records(DRAWN, np.zeros((200, 1), np.uint8), np.arange(200) < 60)
    assert lot(records, 0.2).p == pytest.approx(binom.sf(59, 200, 0.2))
    assert lot(records, 0.2).declined == 0.0


@pytest.mark.parametrize("direct", [0, 100])
def test_one_group_alone_tells_nothing(direct):
    """Nobody answered directly, or everybody did."""
    records = Records(DRAWN, np.zeros((100, 1), np.uint8), np.arange(100) < direct)
    tested = lot(records, 0.2)
    assert (tested.direct, tested.effects, tested.changed) == (direct, (), ())


def test_answers_that_too_few_were_asked_are_left_out():
    """Direct answers of fewer than the least group are nobody's to tell."""
    records = Records(DRAWN, np.zeros((500, 1), np.uint8), np.arange(500) < 99)
    assert (lot(records, 0.2, least=100).effects, len(lot(records, 0.2, least=99).effects)) == ((), 1)


@pytest.mark.parametrize("share", [0.0, 1.0, -0.1])
def test_a_share_that_draws_nobody_or_everybody_is_refused(share):
    """A lot has two outcomes."""
    with pytest.raises(InputError, match=f"^share: {share!r} is not between 0 and 1"):
        lot(Records(DRAWN, np.zeros((5, 1), np.uint8), np.zeros(5, bool)), share)


def test_where_no_difference_can_be_found_none_is_named():
    """Five respondents, and answers of which nothing can be compared."""
    assert detectable(DRAWN, 5, 0.5) is None
    number = {"number": "square-wave", "epsilon": 1, "items": [{"id": "age", "min": 0, "max": 99}]}
    assert detectable(Design.parse({"direct": True, "blocks": [number]}), 1000, 0.5) is None
