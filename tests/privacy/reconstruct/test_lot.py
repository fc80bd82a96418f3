"""Groups that a lot made: what the disguise changes, also where some of those drawn declined to answer directly."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.reconstruct.group_difference import LEVEL
from privacy.reconstruct.lot import detectable, lot
from privacy.records import Records
from tests.cases import first

DESIGN = Design.parse({"direct": True, "blocks": [{"keep": 0.6, "items": [{"id": "drugs", "theta": 0.5}]}]})


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
    return disguise(DESIGN, says[stay, None].astype(np.uint8), direct[stay], words_from_seed(seed))


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
    tested = lot(Records(DESIGN, np.zeros((here, 1), np.uint8), np.arange(here) < drawn - declining), 0.5)
    assert 0.4 <= tested.declined < (0.42 if leave else 0.6)


def test_the_least_difference_is_found_in_four_surveys_of_five():
    """Where everybody keeps to the lot; 400 surveys with the difference that `detectable` tells."""
    least = detectable(DESIGN, 1500, 0.4)
    tested = [lot(survey(seed, keeps=0.3, hides=least / 0.3), 0.4) for seed in range(400)]
    share = share_of(tested, lambda one: bool(one.differing))
    assert abs(share - 0.8) < 4.5 * (0.8 * 0.2 / 400) ** 0.5 + 0.02  # rarer direct answers vary a little less


def test_more_direct_answers_than_the_lot_gives_are_told():
    """The chance of so many or more, exactly; people may decline, and nobody may choose."""
    records = Records(DESIGN, np.zeros((200, 1), np.uint8), np.arange(200) < 60)
    assert lot(records, 0.2).p == pytest.approx(binom.sf(59, 200, 0.2))
    assert lot(records, 0.2).declined == 0.0


@pytest.mark.parametrize("direct", [0, 100])
def test_one_group_alone_tells_nothing(direct):
    """Nobody answered directly, or everybody did."""
    records = Records(DESIGN, np.zeros((100, 1), np.uint8), np.arange(100) < direct)
    tested = lot(records, 0.2)
    assert (tested.direct, tested.effects, tested.changed) == (direct, (), ())


def test_answers_that_too_few_were_asked_are_left_out():
    """Direct answers of fewer than the least group are nobody's to tell."""
    records = Records(DESIGN, np.zeros((500, 1), np.uint8), np.arange(500) < 99)
    assert (lot(records, 0.2, least=100).effects, len(lot(records, 0.2, least=99).effects)) == ((), 1)


@pytest.mark.parametrize("share", [0.0, 1.0, -0.1])
def test_a_share_that_draws_nobody_or_everybody_is_refused(share):
    """A lot has two outcomes."""
    with pytest.raises(InputError, match=f"^share: {share!r} is not between 0 and 1"):
        lot(Records(DESIGN, np.zeros((5, 1), np.uint8), np.zeros(5, bool)), share)


def test_where_no_difference_can_be_found_none_is_named():
    """Five respondents, and answers of which nothing can be compared."""
    assert detectable(DESIGN, 5, 0.5) is None
    number = {
        "number": "uniform",
        "spread": 5,
        "edge": "open",
        "mix": 0.25,
        "items": [{"id": "age", "min": 0, "max": 99}],
    }
    assert detectable(Design.parse({"direct": True, "blocks": [number]}), 1000, 0.5) is None
