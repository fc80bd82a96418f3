"""People who draw themselves and do not follow the draw: published and exact values, and what cannot be known."""

from typing import Any

import numpy as np
import pytest

import candor
from privacy.design import Design
from privacy.errors import InputError
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.own_draw.typed import EntryErrors
from privacy.reconstruct.careless import careless, careless_of_sample
from privacy.reconstruct.careless_report import AttentiveFigure, Careless
from privacy.records import Records
from tests.cases import first

# Records (question, never, always) of crosswise with 1/4 and with 1/6; the values are exact fractions and Fieller's.
ANCHORED = [
    (
        3 / 4,
        {"000": 118, "001": 372, "010": 45, "011": 118, "100": 46, "101": 149, "110": 30, "111": 122},
        [27 / 250, 23 / 27, 16 / 223, 97 / 500, 13 / 100],
        (-0.01182161221177163, 0.14942689823620664),
    ),
    (
        5 / 6,
        {"000": 101, "001": 467, "010": 26, "011": 92, "100": 30, "101": 147, "110": 18, "111": 119},
        [29 / 200, 45 / 58, 59 / 570, 221 / 1000, 53 / 400],
        (0.04600394100656922, 0.1585209277571571),
    ),
]
# Athletes: (right, wrong) where "one" is right and where "two" is, (one, two) under p and under 1 − p, p = 1/5.
PUBLISHED = {
    "A": (162, 23, 147, 22, 60, 109, 139, 46, 0.25450183911722374, 0.16973186203955434, 0.056983296150105826),
    "B": (139, 22, 142, 22, 79, 85, 102, 59, 0.2707923041963339, 0.3734724536686361, 0.32648627125099544),
    "C": (364, 89, 371, 91, 192, 270, 324, 129, 0.3934376881396749, 0.25029385625412115, 0.08832565284178187),
    "D": (352, 59, 352, 50, 137, 265, 307, 104, 0.2679304208882594, 0.1615311520257593, 0.03765481091985383),
}
# Of the same people one-sayers alone: share of one-sayers, share of the others with the answer (another program's).
ONE_SAYERS = {"B": (0.1152, 0.3570), "D": (0.0878, 0.1290)}
NORMAL = 1.959963984540054


def as_normal(n: int) -> float:
    """The level at which Student's t reaches as far as the normal law at .95."""
    from scipy.special import stdtr

    return 2 * float(stdtr(n - 1, NORMAL)) - 1


def coins(theta: float, names: list[str]) -> Design:
    """A block for each name: people answer the question with `theta`, else its opposite."""
    return Design.parse({"blocks": [{"keep": 2 * theta - 1, "items": [{"id": name, "theta": 0.5}]} for name in names]})


def published(group: str) -> Records:
    """The records of a group: a button turned over in the second look, and a control for each person."""
    right_one, wrong_one, right_two, wrong_two, one, two, other_one, other_two, *_ = PUBLISHED[group]
    people = one + two + other_one + other_two
    answers = np.repeat([1, 0, 0, 1], [one, two, other_one, other_two])
    first, second = np.full(people, np.nan), np.full(people, np.nan)
    first[: right_one + wrong_one] = np.repeat([1, 0], [right_one, wrong_one])
    second[right_one + wrong_one :] = np.repeat([0, 1], [right_two, wrong_two])
    columns = {"look": np.repeat([0, 1], [one + two, other_one + other_two]), "one": first, "two": second}
    return Records(coins(0.8, ["doping"]), answers[:, np.newaxis].astype(np.uint8), np.zeros(people, bool), columns)


@pytest.mark.parametrize(("theta", "counts", "values", "ends"), ANCHORED, ids=["1/4", "1/6"])
def test_two_anchors_correct_by_fieller(
    theta: float, counts: dict[str, int], values: list[float], ends: tuple[float, float]
) -> None:
    """The share, how many do not follow, their rate, what all pressed, and false positives: all exact."""
    codes = np.repeat([[*map(int, record)] for record in counts], [*counts.values()], axis=0).astype(np.uint8)
    records = Records(coins(theta, ["drugs", "never", "always"]), codes, np.zeros(1000, bool))

    found = careless(records, anchors={"never": 0, "always": 1}, disguiser="person", level=as_normal(1000))

    (figure,) = found.figures
    assert found.following is not None
    assert [found.share, found.rate, figure.attentive, figure.answered, found.following.false_positives] == (
        pytest.approx(values, abs=1e-9)
    )
    assert figure.ci == pytest.approx(ends, abs=1e-9)


def test_two_looks_and_a_never_true_question_need_no_chance() -> None:
    """(1 − D/D₀)/2 = 21/130 for whatever chance the design says; nothing is moved where D₀ shows nobody careless."""
    records, looks = [], []
    for look, counts in enumerate(((300, 100, 150, 75), (50, 130, 75, 370))):  # one at 00, 01, 10, 11; then the others
        said = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], counts, axis=0)
        records.append(said ^ look)
        looks += [look] * len(said)
    codes = np.concatenate(records).astype(np.uint8)
    columns = {"look": np.array(looks)}

    for theta in (0.75, 0.8):
        one = Records(coins(theta, ["drugs", "never"]), codes, np.zeros(1250, bool), columns)
        found = careless(one, anchors={"never": 0}, look="look", disguiser="person", level=as_normal(1250))
        (figure,) = found.figures
        assert figure.attentive == pytest.approx(21 / 130, abs=1e-9)
        assert figure.ci == pytest.approx((0.10324027054232415, 0.21517257097336923), abs=3e-5)
        assert (figure.n, found.rate) == (1250, None)


@pytest.mark.each
@pytest.mark.parametrize("group", PUBLISHED)
def test_published_doping_surveys_are_corrected(group: str) -> None:
    """As pressed .17, .37, .25, .16; of those who follow .06, .33, .09, .04."""
    found = careless(published(group), controls={"one": 1, "two": 0}, look="look", disguiser="person")

    (figure,) = found.figures
    assert [found.share, figure.answered, figure.attentive] == pytest.approx([*PUBLISHED[group][8:]], abs=1e-9)


@pytest.mark.parametrize("group", ONE_SAYERS)
def test_two_looks_alone_find_one_sayers_when_asked(group: str) -> None:
    """It is not the default: people who press anything stay unseen, and the output says so."""
    found = careless(published(group), look="look", presses="ones", disguiser="person")

    assert [found.share, found.figures[0].attentive] == pytest.approx(ONE_SAYERS[group], abs=5e-5)
    assert "Who presses anything stays unseen." in str(found)


def test_two_controls_tell_how_many_and_their_rate() -> None:
    """Each asked of everybody: 48 and 55 of 1 000 are wrong, so .103 do not follow, and .113 of the others do it."""
    drugs, one, two = (np.arange(1000) < many for many in (330, 952, 55))
    columns = {"one": one.astype(float), "two": two.astype(float)}
    records = Records(coins(0.75, ["drugs"]), drugs[:, np.newaxis].astype(np.uint8), np.zeros(1000, bool), columns)

    found = careless(records, controls={"one": 1, "two": 0}, disguiser="person")

    assert [found.share, found.rate, found.figures[0].attentive] == pytest.approx(
        [0.103, 55 / 103, 203 / 1794], abs=1e-9
    )


def test_controls_are_corrected_for_errors_of_entry() -> None:
    """1 in 100 typed answers is wrong: .059 and .0688 of both controls were .05 and .06 before, so .11 do not follow.

    Where few sheets were entered twice, ends reach farther, by 1.96 errors of the error of entry as one more cause.
    """
    drugs, one, two = (np.arange(10_000) < many for many in (3_300, 9_410, 688))
    columns = {"one": one.astype(float), "two": two.astype(float)}
    outcomes = [{"of": ["6"], "says": "fact"}, {"of": ["1", "2", "3", "4", "5"], "says": "not"}]
    draw = {"way": "crosswise", "source": "die", "outcomes": outcomes, "delta": [0, 1]}
    design = Design.parse({"blocks": [{"by": "person", "draw": draw, "items": [{"id": "drugs"}]}]})
    known, few = EntryErrors(10**8, 1_980_000), EntryErrors(10**4, 198)
    found, wider = (
        careless(
            Records(design.with_errors(errors), drugs[:, np.newaxis].astype(np.uint8), np.zeros(10_000, bool), columns),
            controls={"one": 1, "two": 0},
            disguiser="person",
        )
        for errors in (known, few)
    )
    rate = 0.98 * 6 / 11 + 0.01  # of records as they were typed
    share = ((0.33 - 0.01) / 0.98 - 0.06 - 0.89 / 6) / (0.89 * 2 / 3)
    doubts = [NORMAL * errors.doubt * (0.9 + 0.88) / 0.98 for errors in (known, few)]

    assert [found.share, found.rate, found.figures[0].attentive] == pytest.approx([0.11, rate, share], abs=1e-9)
    reach = [one.share_ci[1] - 0.11 for one in (found, wider)]
    assert reach[1] ** 2 - reach[0] ** 2 == pytest.approx(doubts[1] ** 2 - doubts[0] ** 2, rel=1e-6)


def failing(both: int) -> Records:
    """Of 330 who sent a yes 20 fail the first control and 30 the second, of 670 others 30 and 40; up to `both` do so
    twice, of each."""
    columns = {"one": np.ones(1000), "two": np.zeros(1000)}
    for begin, wrong, second in ((0, 20, 30), (330, 30, 40)):
        columns["one"][begin : begin + wrong] = 0
        columns["two"][begin + wrong - min(both, wrong) :][:second] = 1
    columns["weight"] = np.where(np.arange(1000) % 330 < 100, 1.0, 1.5)  # all who fail have the same
    drugs = (np.arange(1000) < 330)[:, np.newaxis].astype(np.uint8)
    return Records(coins(0.75, ["drugs"]), drugs, np.zeros(1000, bool), columns)


def read_controls(records: Records, sampling: Sampling, *, apart: bool) -> Careless:
    controls = {"one": 1, "two": 0}
    return careless_of_sample(records, "drugs", None, sampling, controls=controls, disguiser="person", apart=apart)


def numbers_of(found: Careless) -> list[Any]:
    (figure,) = found.figures
    return [found.share, *found.share_ci, figure.attentive, figure.se, *figure.ci]


def test_controls_that_are_read_apart_have_the_interval_of_any_number_who_fail_both() -> None:
    """From nobody to all whose first was wrong, which is as far as both shares allow: that of each lies inside."""
    everybody = Sampling.simple(1000)
    fewest, some, most = (numbers_of(read_controls(failing(both), everybody, apart=False)) for both in (0, 9, 30))

    apart = numbers_of(read_controls(failing(9), everybody, apart=True))

    assert apart == pytest.approx([fewest[0], most[1], most[2], fewest[3], fewest[4], *fewest[5:]], abs=1e-12)
    assert apart[1] < some[1] < some[2] < apart[2]
    assert apart[5] < some[5] < some[6] < apart[6]


@pytest.mark.parametrize("weighted", first(1, [False, True]))
def test_controls_that_are_read_apart_do_not_tell_who_failed_both(weighted: bool) -> None:
    """Who knows all answers to the first control, and to the second those of all but two, learns none of these.

    One of the two failed the first. All figures stay, to the last digits, where the two change answers, and where up to
    20 of each kind of people do.
    """
    made = [failing(both) for both in (0, 1, 9, 20)]
    samplings = [
        Sampling.from_columns(one.open_columns, 1000, Sample(weights="weight")) if weighted else Sampling.simple(1000)
        for one in made
    ]
    apart = [numbers_of(read_controls(*one, apart=True)) for one in zip(made, samplings, strict=True)]
    exact = [numbers_of(read_controls(*one, apart=False)) for one in zip(made, samplings, strict=True)]

    assert apart == [pytest.approx(apart[0], rel=1e-9)] * 4
    assert len({round(one[2], 5) for one in exact}) == 4


def test_pairs_under_one_draw_are_corrected_where_c_and_the_rate_are_known() -> None:
    """(λ − cr² − (1−c)(1−a)/4)/((1−c)a), from records that are exactly what they are on average."""
    c, r, a, truth = 0.2, 0.6, 0.5, np.array([0.7, 0.1, 0.15, 0.05])  # 00, 01, 10, 11
    group = (1 - c) * (a * truth + (1 - a) / 4)
    never = (1 - c) * np.array([0.75, 0.25])
    pressed = np.array([(1 - r) ** 2, r * (1 - r), r * (1 - r), r**2])
    shares = np.array([group[pair] * never[said] / (1 - c) for pair in range(4) for said in (0, 1)])
    shares += c * np.array([pressed[pair] * (r if said else 1 - r) for pair in range(4) for said in (0, 1)])
    codes = np.array([[pair >> 1, pair & 1, said] for pair in range(4) for said in (0, 1)], np.uint8)
    blocks = [
        {"keep": a, "items": [{"id": "one", "theta": 0.5}, {"id": "two", "theta": 0.5}]},
        {"keep": 0.5, "items": [{"id": "never", "theta": 0.5}]},
    ]
    records = Records(Design.parse({"blocks": blocks}), codes, np.zeros(8, bool), {"w": shares})

    found = careless(
        records, ["one,two", "one", "one => two"], anchors={"never": 0}, rate=r, disguiser="person",
        sample=candor.Sample(weights="w"),
    )  # fmt: skip

    assert [one.attentive for one in found.figures] == pytest.approx([0.05, 0.2, 0.25], abs=1e-8)


def test_a_plain_question_was_as_good_where_it_errs_as_little() -> None:
    """(π̂ − d̂)² ≤ 2s²: those who answered directly are the plain arm, and stay out of what is corrected."""
    _, counts, values, _ = ANCHORED[0]
    own = np.repeat([[*map(int, record)] for record in counts], [*counts.values()], axis=0)
    design = Design.parse(coins(0.75, ["drugs", "never", "always"]).to_json() | {"direct": True})
    for share, as_good in ((0.1, True), (0.3, False)):
        plain = np.array([[int(place < 500 * share), 0, 1] for place in range(500)])
        records = Records(design, np.concatenate([own, plain]).astype(np.uint8), np.repeat([False, True], [1000, 500]))
        found = careless(records, anchors={"never": 0, "always": 1}, disguiser="person")

        (figure,) = found.figures
        assert (found.n, figure.plain, figure.plain_is_as_good) == (1000, pytest.approx(share), as_good)
        assert figure.attentive == pytest.approx(values[2], abs=1e-9)
        assert ("a plain question was as good" in str(found)) is as_good


def test_one_anchor_alone_gives_bounds_and_no_correction() -> None:
    """As for a device; the false positives and their upper end stay."""
    _, counts, _, _ = ANCHORED[0]
    codes = np.repeat([[*map(int, record)] for record in counts], [*counts.values()], axis=0).astype(np.uint8)
    records = Records(coins(0.75, ["drugs", "never", "always"]), codes, np.zeros(1000, bool))

    found = careless(records, "drugs", anchors={"never": 0}, disguiser="person")

    assert found.figures[0].attentive is None
    assert found.figures[0].between is not None
    assert found.following is not None
    assert found.following.most == pytest.approx(0.18900704219030506, abs=1e-9)  # Wilson's of 315 of 1 000, mapped


def test_corrected_figures_come_first() -> None:
    """In the table, with what all pressed beside them, and what nobody can find below."""
    found = careless(published("A"), controls={"one": 1, "two": 0}, look="look", disguiser="person")
    lines = str(found).splitlines()

    assert lines[3].split("  ")[0] == "figure"
    assert lines[3].split()[2:] == ["of", "attentive", "se", "low", "high", "of", "all", "se"]
    assert lines[-1].endswith("of a share, read the low end as “at least”.")


LOOK = {"look": "look", "disguiser": "person"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"look": "look"}, "look: they tell who follows a draw of their own; disguiser is the person."),
        ({"anchors": {"doping": 0}, "controls": {"one": 1, "two": 0}, **LOOK},
         "controls: they take the place of anchors; leave out the one or the others."),
        ({"controls": {"one": 1, "two": 1}, **LOOK},
         "controls: name two columns, one whose right record is 1 and one whose right record is 0."),
        ({"controls": {"one": 1, "look": 0}, "look": "one", "disguiser": "person"},
         "look: respondent 186 has nothing in the column 'one'."),
        (LOOK, "presses: 'ones' is for two looks without anchors and controls, which need it."),
        ({"figures": "doping", "anchors": {"doping": 0}, "rate": 0.5, **LOOK},
         "rate: two looks tell it; leave it out, or one of them."),
        ({"controls": {"one": 1, "three": 0}, **LOOK},
         "controls: there is no column 'three'; the undisguised columns are look, one, two."),
    ],
)  # fmt: skip
def test_roles_that_tell_nothing_are_refused(options: dict[str, Any], said: str) -> None:
    """In one sentence, which names the argument."""
    with pytest.raises(InputError) as refused:
        careless(published("A"), **options)

    assert str(refused.value) == said


def test_json_has_what_was_found_and_nothing_more_where_a_device_disguises() -> None:
    """New keys stand in the JSON of own draws alone."""
    found = careless(published("A"), controls={"one": 1, "two": 0}, look="look", disguiser="person").to_json()

    assert found["following"] == {
        "statistic": None, "freedom": 0, "p": None, "false_positives": None, "most": None,
    }  # fmt: skip
    assert "plain" not in found["figures"][0]
    figure = AttentiveFigure("drugs", 1, 0.1, 0.1, 0.1, 0.1, None, (0.0, 1.0))
    assert (
        "following"
        not in Careless(1, "", "device", 0.95, 0.1, (0, 1), 0.1, (0, 1), False, None, None, None, (figure,)).to_json()
    )


def test_controls_that_all_answer_rightly_bound_how_many_do_not_follow() -> None:
    """Of 400 nobody is wrong: none is found, up to Wilson's end, and the share is as pressed with its error."""
    drugs, right = np.arange(400) < 140, np.ones(400)
    columns = {"one": right, "two": 1 - right}
    records = Records(coins(0.75, ["drugs"]), drugs[:, np.newaxis].astype(np.uint8), np.zeros(400, bool), columns)

    found = careless(records, controls={"one": 1, "two": 0}, disguiser="person")

    (figure,) = found.figures
    assert (found.share, found.share_ci[0]) == (0, 0)
    assert found.share_ci[1] == pytest.approx(NORMAL**2 / (400 + NORMAL**2))
    assert (figure.attentive, figure.se) == pytest.approx((figure.answered, figure.answered_se))
    assert figure.ci[0] < 0.2 < figure.ci[1]


def test_intervals_reach_over_chances_that_are_wrong() -> None:
    """By δ(1 − 2π)/(1 − 2p) of the question, and as much of each anchor; points stay where they are."""
    _, counts, values, _ = ANCHORED[1]
    codes = np.repeat([[*map(int, record)] for record in counts], [*counts.values()], axis=0).astype(np.uint8)
    outcomes = [{"of": ["6"], "says": "fact"}, {"of": ["1", "2", "3", "4", "5"], "says": "not"}]
    found = []
    for delta in ([0, 1], [1, 100]):
        draw = {"way": "crosswise", "source": "die", "outcomes": outcomes, "delta": delta}
        blocks = [{"by": "person", "draw": draw, "items": [{"id": name}]} for name in ("drugs", "never", "always")]
        records = Records(Design.parse({"blocks": blocks}), codes, np.zeros(1000, bool))
        found.append(careless(records, anchors={"never": 0, "always": 1}, disguiser="person"))

    (exact,), (off,) = (one.figures for one in found)
    reach = [end - other for end, other in zip(off.ci, exact.ci, strict=True)]
    assert (off.attentive, exact.attentive) == pytest.approx((values[2], values[2]), abs=1e-9)
    assert reach[1] == pytest.approx(-reach[0])
    most = 0.01 / (2 / 3)
    assert most * (1 - 2 * 0.221) + 2 * most * 0.6 < reach[1] < 3.2 * most
    assert found[1].share_ci[1] - found[0].share_ci[1] == pytest.approx(reach[1] - most * (1 - 2 * 0.221), abs=0.001)
    pressed = [one.following.most for one in found if one.following is not None and one.following.most is not None]
    assert pressed[1] > pressed[0]


def test_who_draws_must_be_who_is_said_to() -> None:
    """A device disguises what careless people press, so figures and anchors of both kinds do not go together."""
    outcomes = [{"of": ["6"], "says": "fact"}, {"of": ["1", "2", "3", "4", "5"], "says": "not"}]
    draw = {"way": "crosswise", "source": "die", "outcomes": outcomes}
    own = [{"by": "person", "draw": draw, "items": [{"id": name}]} for name in ("drugs", "never", "always")]
    design = Design.parse({"blocks": [*own, {"keep": 0.5, "items": [{"id": "theft", "theta": 0.5}]}]})
    codes = np.array([[0, 0, 1, 0], [1, 0, 1, 1], [0, 1, 1, 0], [0, 0, 0, 1]] * 50, np.uint8)
    records = Records(design, codes, np.zeros(200, bool))
    said = "of {!r} the {} draws, and careless people press otherwise; disguiser is the {}."

    cases: list[tuple[dict[str, Any], str, str, str]] = [
        ({}, "anchors", "never", "person"),
        ({"disguiser": "person"}, "figures", "theft", "device"),
    ]
    for options, at, name, who in cases:
        with pytest.raises(InputError) as refused:
            careless(records, "theft", anchors={"never": 0, "always": 1}, **options)
        assert str(refused.value) == f"{at}: " + said.format(name, who, who)


@pytest.mark.parametrize("surveys", first(1, [20, 60]))
def test_intervals_of_two_looks_hold_as_often_as_they_say(surveys: int) -> None:
    """Of 60 surveys of 300 people, a tenth of whom press at random; all cells are in benchmarks."""
    random, design, held = np.random.default_rng(84), coins(0.75, ["drugs", "never"]), np.zeros(2)
    for _ in range(surveys):
        look, careless_ones = random.random((2, 300)) < np.array([[0.5], [0.1]])
        truth = np.stack([random.random(300) < 0.2, np.zeros(300, bool)], axis=1)
        pressed = truth ^ (random.random((300, 2)) < 0.25)
        pressed[careless_ones] = random.random((int(careless_ones.sum()), 2)) < 0.5
        columns = {"look": look.astype(int)}
        records = Records(design, pressed.astype(np.uint8), np.zeros(300, bool), columns)
        found = careless(records, "drugs", anchors={"never": 0}, look="look", disguiser="person")
        low, high = found.figures[0].ci
        held += low <= 0.2 <= high, found.share_ci[0] <= 0.1 <= found.share_ci[1]

    assert (np.abs(held / surveys - 0.95) < 4.5 * (0.95 * 0.05 / surveys) ** 0.5).all()
