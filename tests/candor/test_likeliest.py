"""The likeliest itemsets of a list of words, from one wave and from two: `candor mine --top`, `candor wave`."""

import json
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest

import candor
from candor.commands import main
from privacy.design.patterns import parse_pattern
from privacy.reconstruct.likeliest import say_contradictions
from privacy.reconstruct.words_sent import ShownWords, foresee_reaches, list_in, word_figures
from tests.commands import Shell
from tests.refusals import refusal_of

NAMES = [f"q{number}" for number in range(8)]


def people(count: int, seed: int = 1) -> pd.DataFrame:
    """People who differ in how often they say yes; the first items are commonest, and two go together."""
    chance = np.random.default_rng(seed)
    shares = 0.25 / np.arange(1, 9) ** 0.7 * chance.gamma(2, 0.5, (count, 1))
    truth = (chance.random((count, 8)) < shares).astype(np.uint8)
    truth[:, 4] |= truth[:, 0] & (chance.random(count) < 0.3)
    return pd.DataFrame(truth, columns=NAMES)


FIRST = candor.models.one_of(NAMES, gamma=19, cap=3, direct=False)


@pytest.fixture
def first() -> candor.Records:
    return candor.disguise(people(6_000), FIRST, seed=1)


@pytest.fixture
def second(first: candor.Records) -> candor.Records:
    return candor.disguise(people(14_000, seed=2), candor.wave(first, 14_000, top=6), seed=2)


@pytest.mark.parametrize("direct", [0.0, 0.2])
def test_figures_of_a_list_are_those_of_its_patterns(direct: float) -> None:
    """Supports, errors and intervals are those of `reconstruct`, also with direct people and another block beside."""
    design = candor.models.one_of(NAMES[:4], gamma=19, cap=2, longest=2)
    design += candor.models.warner(["town"], theta=0.8)
    records = candor.disguise(people(4_000).assign(town=1), design, direct=direct, seed=3)

    found = candor.likeliest(records, 7).to_frame()

    expected = candor.reconstruct(records, found["itemset"].tolist()).to_frame()
    expected = expected.rename(columns={"pattern": "itemset"})[["itemset", "support", "se", "low", "high"]]
    pd.testing.assert_frame_equal(found[[*expected]], expected)
    assert found["support"].tolist() == sorted(found["support"], reverse=True)
    assert len(candor.likeliest(records, 100).itemsets) == 10


def test_a_list_of_which_all_records_say_the_same_has_intervals() -> None:
    """Those of `reconstruct`, up to what people above the cap may have lost."""
    design = candor.models.one_of(NAMES[:4], gamma=19, cap=2, direct=False)
    records = candor.Records(design, np.zeros((200, 4), design.code_type), np.zeros(200, bool))
    found = candor.likeliest(records, 4).to_frame()
    expected = candor.reconstruct(records, found["itemset"].tolist()).to_frame()
    assert found["high"].notna().all()
    assert found[["low", "high"]].values.tolist() == pytest.approx(expected[["low", "high"]].values)


def test_simultaneous_intervals_share_their_level_among_all_words(second: candor.Records) -> None:
    """Each is one at 1 − .05/12, around the same supports, however few are reported."""
    alone, together = (candor.likeliest(second, 3, simultaneous=one).to_frame() for one in (False, True))

    assert together[["itemset", "support", "se"]].equals(alone[["itemset", "support", "se"]])
    for found, level in ((alone, 0.95), (together, 1 - 0.05 / 12)):
        theirs = candor.reconstruct(second, found["itemset"].tolist(), level=level).to_frame()
        half = NormalDist().inv_cdf((1 + level) / 2) * found["se"]
        low, high = np.minimum(found["support"] - half, theirs["low"]), found["support"] + half
        assert found["low"].tolist() == pytest.approx(low.tolist())
        assert found["high"].tolist() == pytest.approx(np.maximum(high, theirs["high"]).tolist())


def test_intervals_of_a_second_wave_hold_whatever_people_above_the_cap_have() -> None:
    """All at once in each of three surveys, where one in twenty says yes to everything: each loses far more than most.

    Nobody knows which words lose most, so without the far ends of `reconstruct` they hold for half of the words.
    """
    shares = np.linspace(0.02, 0.15, 12)
    names = [f"q{number}" for number in range(12)]
    held = []
    for seed in range(3):
        chance = np.random.default_rng(seed)
        truth = (chance.random((7_000, 12)) < shares) | (chance.random((7_000, 1)) < 0.05)
        everybody = pd.DataFrame(truth.astype(np.uint8), columns=names)
        design = candor.models.one_of(names, gamma=19, cap=3, direct=False)
        first = candor.disguise(everybody[:2_000], design, seed=seed)
        second = candor.disguise(everybody[2_000:], candor.wave(first, 5_000, top=8), seed=100 + seed)
        for found in candor.likeliest(second, 16, first=first, simultaneous=True).itemsets:
            true = 0.05 + 0.95 * np.prod([shares[names.index(name)] for name in found.items])
            held.append(found.ci[0] <= true <= found.ci[1])
    assert len(held) == 48
    assert all(held)


def test_one_sentence_says_how_many_sets_are_above_a_part() -> None:
    """In half of the surveys of so few people some set is; where none is there is no sentence."""
    said = []
    for seed in range(6):
        before = candor.disguise(people(1_000, seed), FIRST, seed=seed)
        design = candor.wave(before, 1_500, top=6, both=NAMES)
        second = candor.disguise(people(1_500, 100 + seed), design, seed=100 + seed)
        found = candor.likeliest(second, 100, first=before, both=NAMES)
        of = {frozenset(one.items): one.support for one in found.itemsets}
        above = sum(any(part < own and of[own] > of[part] for part in of) for own in of)
        assert found.contradictions == above
        assert found.to_json()["warnings"] == [say_contradictions(above)][: bool(above)]
        said.append("which noise can cause." in " ".join(str(found).split()))
        assert said[-1] == bool(above)
    assert any(said)


def test_what_the_first_wave_chose_is_said_by_the_second_alone(first: candor.Records, second: candor.Records) -> None:
    """Another first wave moves the order and the shares behind it, and no support, error or interval."""
    other = candor.disguise(people(6_000, seed=9).iloc[:, ::-1].set_axis(NAMES, axis=1), FIRST, seed=9)

    one, two = (candor.likeliest(second, 12, first=wave).to_frame().set_index("itemset") for wave in (first, other))

    figures = ["support", "se", "low", "high"]
    pd.testing.assert_frame_equal(one[figures].sort_index(), two[figures].sort_index())
    assert one["shrunken support"].is_monotonic_decreasing
    assert one.index.tolist() != two.index.tolist()


def test_a_share_of_both_waves_lies_in_the_interval_of_its_word() -> None:
    """Also where the waves contradict each other: in the first everybody says yes to all, in the second nobody."""
    design = candor.wave(candor.disguise(people(6_000), FIRST, seed=1), 2_000, top=6)
    yes = candor.disguise(pd.DataFrame(1, range(6_000), NAMES), FIRST, seed=4)
    no = candor.disguise(pd.DataFrame(0, range(2_000), NAMES), design, seed=5)

    found = candor.likeliest(no, 100, first=yes).itemsets

    assert [one.items for one in found if not one.ci[0] <= (one.shrunken or 0.0) <= one.ci[1]] == []
    assert max(one.ci[1] for one in found) < 0.2


def test_two_waves_find_what_is_common(first: candor.Records, second: candor.Records) -> None:
    """Of the six commonest sets of up to three answers at least five, at γ = 19 and with intervals around the truth."""
    truth = people(14_000, seed=2)
    design = second.design

    found = candor.likeliest(second, 6, first=first, simultaneous=True)

    sets = [*((one,) for one in NAMES), *((a, b) for a in NAMES for b in NAMES if a < b)]
    shares = {one: truth[list(one)].all(axis=1).mean() for one in sets}
    commonest = set(sorted(shares, key=lambda one: -shares[one])[:6])
    assert candor.guarantee(design).gamma <= candor.guarantee(FIRST).gamma <= 19
    assert not design.direct
    assert len({one.items for one in found.itemsets} & commonest) >= 5
    assert [one.items for one in found.itemsets if not one.ci[0] <= shares[one.items] <= one.ci[1]] == []


def test_words_fixed_for_both_waves_are_told_by_both(first: candor.Records) -> None:
    """They are in the second list whatever the first wave shows, and their figures are weighted means of both.

    The weights follow from the designs and the numbers of people: other answers leave them as they are. Every other
    word keeps the figures of the second wave alone.
    """
    both = ["q7", "q6"]
    design = candor.wave(first, 14_000, top=3, both=both)
    second = candor.disguise(people(14_000, seed=2), design, seed=2)

    alone, joint = (
        candor.likeliest(second, 100, first=first, both=own).to_frame().set_index("itemset") for own in ((), both)
    )

    told = ["support", "se", "low", "high"]
    assert [word["word"] for word in design.to_json()["blocks"][0]["words"]][:2] == both
    assert alone.index.tolist() == joint.index.tolist()
    others = alone.index.difference(both)
    pd.testing.assert_frame_equal(alone.loc[others, told], joint.loc[others, told])
    theirs = candor.reconstruct(first, both).to_frame().set_index("pattern")
    for name in both:
        one, two = theirs["support"][name], alone["support"][name]
        assert min(one, two) < joint["support"][name] < max(one, two)
        assert joint["se"][name] < min(theirs["se"][name], alone["se"][name])
    shares = [(joint["support"][name] - alone["support"][name]) / (theirs["support"] - alone["support"])[name]
              for name in both]  # fmt: skip
    assert shares[0] == pytest.approx(shares[1])  # both are single answers of equal chances in either list


@pytest.mark.long
@pytest.mark.parametrize("cap", [2, pytest.param(3, marks=pytest.mark.long)])
def test_intervals_of_both_waves_hold(cap: int) -> None:
    """In 95 of 100 surveys or more, also where the first wave loses a third of what people above its cap have."""
    held = []
    for seed in range(40):
        everybody = people(9_000, seed=100 + seed)
        design = candor.models.one_of(NAMES, gamma=19, cap=cap, direct=False)
        first = candor.disguise(everybody[:3_000], design, seed=seed)
        second = candor.disguise(everybody[3_000:], candor.wave(first, 6_000, top=6, both=NAMES), seed=1000 + seed)
        found = candor.likeliest(second, 100, first=first, both=NAMES)
        held += [one.ci[0] <= everybody[one.items[0]].mean() <= one.ci[1] for one in found.itemsets if one.both]
    assert len(held) == 320
    assert np.mean(held) > 0.91


def test_what_both_waves_give_back_is_unsure_in_both(second: candor.Records) -> None:
    """Half of it may lie to the same side in both waves: beside equal records, errors fall by less than √2."""
    as_many = candor.Records(second.design, second.codes[::-1], second.direct[::-1])
    alone, joint = (
        {one.items: one.se for one in candor.likeliest(second, 100, **own).itemsets if one.items in (("q0",), ("q1",))}
        for own in ({}, {"first": as_many, "both": ["q0", "q1"]})
    )
    shown = ShownWords.from_records(second, "records")
    unsure = dict(zip((words for words, _ in shown.words.words), shown.unsure().tolist(), strict=True))

    assert unsure["q0",] > 0
    for item, error in alone.items():
        expected = np.sqrt((error**2 - unsure[item] ** 2) / 2 + unsure[item] ** 2)
        assert joint[item] == pytest.approx(expected)


def test_the_records_of_one_wave_are_not_taken_for_both(second: candor.Records) -> None:
    """The same people twice would halve the error's square without telling anything more."""
    with pytest.raises(candor.InputError, match=r"^first: these are the records of the second wave, row by row;"):
        candor.likeliest(second, 10, first=second, both=["q0"])


OPTIONS = candor.models.one_of({name: ["no", "yes", "secret"] for name in "abc"}, gamma=19, cap=2, direct=False)


def test_no_itemset_has_an_answer_that_stands_alone(tmp_path: Path) -> None:
    """Who skips one question skips others: without `alone` sets of skips are likely; what is fixed for both stays."""
    chance = np.random.default_rng(1)
    skips = chance.random((8_000, 1)) < 0.2
    truth = pd.DataFrame(
        np.where(skips, "secret", np.where(chance.random((8_000, 3)) < 0.1, "yes", "no")), columns=[*"abc"]
    )
    records = candor.disguise(truth, OPTIONS, seed=1)

    def words(**own: object) -> list[str]:
        made = candor.wave(records, 10_000, top=4, **own)
        return [word["word"] for word in made.to_json()["blocks"][0]["words"]]

    assert "a=secret,b=secret" in words()
    assert not any("secret" in word for word in words(alone="secret"))
    assert [word for word in words(alone="secret", both=["a=secret"]) if "secret" in word] == ["a=secret"]
    records.write(tmp_path / "first.csv")
    OPTIONS.write(tmp_path / "first.json")
    again = tmp_path / "second.json"
    asked = ["--respondents", "10000", "--top", "4", "--alone", "secret", "-o", str(again)]
    assert main(["wave", str(tmp_path / "first.csv"), str(tmp_path / "first.json"), *asked]) == 0
    listed = json.loads(again.read_text())["blocks"][0]["words"]
    assert [word["word"] for word in listed] == words(alone="secret")


@pytest.mark.parametrize("alone", ["maybe", "yes"])
def test_an_option_that_no_word_has_does_not_stand_alone(alone: str, first: candor.Records) -> None:
    with pytest.raises(candor.InputError, match=f"alone: '{alone}' is an option of no word of the first list"):
        candor.wave(first, 10_000, alone=alone)


@pytest.mark.parametrize(
    ("both", "first_too", "sentence"),
    [
        (["q9"], True, "both: the list has no word 'q9'."),
        (["q0,q4"], True, "both, in the first wave: the list has no word 'q0,q4'."),
        (["q0"], False, "both: words of both waves need the records of the first; give first, too."),
    ],
)
def test_words_of_both_waves_must_be_in_both(
    first: candor.Records, second: candor.Records, both: list[str], first_too: bool, sentence: str
) -> None:
    """The refusal names the list that lacks the word."""
    assert refusal_of(lambda: candor.likeliest(second, 3, first=first if first_too else None, both=both)) == sentence


def test_a_second_list_fixes_only_words_of_the_first(first: candor.Records) -> None:
    """A set that the first wave did not ask for has no figures from both."""
    with pytest.raises(candor.InputError, match="both: the list has no word 'q0,q1'"):
        candor.wave(first, 14_000, both=["q0,q1"])


def test_a_list_of_pairs_begins_a_second_wave_too() -> None:
    """Its single answers are what the second list is made of."""
    pairs = candor.models.one_of(NAMES, gamma=19, cap=3, longest=2, direct=False)

    design = candor.wave(candor.disguise(people(6_000), pairs, seed=1), 10_000, top=6)

    assert len(design.to_json()["blocks"][0]["words"]) == 12


def test_published_figures_are_enough_for_a_second_wave(first: candor.Records, second: candor.Records) -> None:
    """By supports and errors of single answers nearly the same list is made, under the same γ; nothing else is read."""
    report = candor.reconstruct(first).to_json()
    least = {"patterns": [{name: one[name] for name in ("pattern", "support", "se")} for one in report["patterns"]]}

    design = candor.wave(report, 14_000, top=6, design=FIRST)

    words, others = ({one["word"] for one in own.to_json()["blocks"][0]["words"]} for own in (design, second.design))
    assert len(words) == 12
    assert len(words & others) >= 11
    assert candor.guarantee(design).gamma <= candor.guarantee(FIRST).gamma
    assert candor.wave(least, 14_000, top=6, design=FIRST) == design


def test_a_second_list_has_the_cap_of_what_one_person_can_answer() -> None:
    """Of four questions with four options: with more, chances of words that nobody has would cost people."""
    options = [{"id": name, "options": ["no", "a", "b", "c"], "harmless": "no"} for name in "wxyz"]
    first = candor.Design.parse({"model": "one-of", "gamma": 19, "cap": 2, "direct": False, "items": options})
    report = {
        "patterns": [{"pattern": f"{name}={option}", "support": 0.1, "se": 0.01} for name in "wxyz" for option in "abc"]
    }

    (block,) = candor.wave(report, 10_000, top=50, design=first).to_json()["blocks"]

    (added,) = {round(word["own"] - word["base"], 6) for word in block["words"]}
    can_be_true = {
        tuple(sorted(answer.partition("=")[0] for answer in word["word"].split(","))) for word in block["words"]
    }
    assert round(block["one-of"] / added) == len(can_be_true) < len(block["words"])


def test_a_harmless_yes_is_published_as_what_is_left() -> None:
    """A report has the support of yes; the word is no."""
    items = {"id": "vote", "harmless": "1"}, {"id": "drugs", "harmless": "0"}
    first = candor.Design.parse({"model": "one-of", "gamma": 9, "cap": 2, "items": list(items)})
    report = {
        "patterns": [
            {"pattern": name, "support": share, "se": 0.01} for name, share in (("vote", 0.9), ("drugs", 0.02))
        ]
    }

    design = candor.wave(report, 1_000, top=1, design=first)

    assert [one["word"] for one in design.to_json()["blocks"][0]["words"]] == ["!vote", "drugs"]


@pytest.mark.parametrize("patterns", [[], [{"pattern": "q0", "support": 0.1, "se": None}]])
def test_figures_without_an_error_are_refused(patterns: list[object]) -> None:
    """How far a share may be off decides how much it counts."""
    assert refusal_of(lambda: candor.wave({"patterns": patterns}, 10, design=FIRST)) == (
        "report: it has no support of 'q0' with an error."
    )


def test_what_has_no_likeliest_itemset_is_refused(first: candor.Records, second: candor.Records) -> None:
    """No list, two of them, direct people, and waves that do not fit: one sentence each."""
    warner = candor.models.warner(["q0"], theta=0.8)
    coins = candor.disguise(people(10), warner, seed=1)
    twice = candor.models.one_of(["a"], gamma=4, cap=1) + candor.models.one_of(["b"], gamma=4, cap=1)
    two_lists = candor.disguise(pd.DataFrame({"a": [0], "b": [1]}), twice, seed=1)
    open_list = candor.models.one_of(NAMES, gamma=19, cap=2)
    direct = candor.disguise(people(10), open_list, direct=[True] + [False] * 9, seed=1)
    others = candor.disguise(people(10), candor.models.one_of(NAMES[:2], gamma=19, cap=1), seed=1)

    assert refusal_of(lambda: candor.likeliest(coins, 3)) == (
        "records: their design must have one list of words (a one-of block), and it has 0."
    )
    assert refusal_of(lambda: candor.likeliest(two_lists, 3)) == (
        "records: their design must have one list of words (a one-of block), and it has 2."
    )
    assert refusal_of(lambda: candor.wave(direct, 10)) == (
        "records: 1 row of direct people show no word; leave them out."
    )
    assert refusal_of(lambda: candor.likeliest(second, 3, first=direct)) == (
        "first: 1 row of direct people show no word; leave them out."
    )
    assert refusal_of(lambda: candor.likeliest(second, 3, first=others)) == (
        "first: 'q2' is not asked with the same answers as in the second wave."
    )
    assert refusal_of(lambda: candor.likeliest(first, 0)) == "top: 0 is less than 1."


SKIPPED = [{"id": f"q{n}", "options": ["no", "yes", "secret"], "harmless": "no", "alone": "secret"} for n in range(8)]


def skipping(count: int, seed: int) -> pd.DataFrame:
    """A class of people does everything more often; two of a hundred prefer not to say."""
    random = np.random.default_rng(seed)
    often = np.where(random.random((count, 1)) < 0.15, 2.8, 0.7)
    said = (random.random((count, 8)) < often * [0.12, 0.17, 0.14, 0.05, 0.04, 0.03, 0.02, 0.01]).astype(int)
    said[random.random((count, 8)) < 0.02] = 2
    return pd.DataFrame(np.array(["no", "yes", "secret"])[said], columns=[one["id"] for one in SKIPPED])


@pytest.fixture(scope="module")
def second_with_secrets() -> candor.Design:
    first = candor.Design.parse({"model": "one-of", "gamma": 19, "cap": 2, "direct": False, "items": SKIPPED})
    alone = [f"{item['id']}={said}" for item in SKIPPED for said in ("yes", "secret")]
    return candor.wave(candor.disguise(skipping(1_500, 1), first, seed=1), 3_000, top=12, both=alone, alone="secret")


def test_all_answers_to_a_question_of_a_second_wave_come_to_one(second_with_secrets: candor.Design) -> None:
    """What is given back to a yes and to silence is taken from the no, which has no word; so nobody who is silent can
    make a yes rarer."""
    said = skipping(3_000, 2)
    records = candor.disguise(said, second_with_secrets, seed=2)
    asked = [parse_pattern(f"{item}={option}", records.design) for item in said for option in ("no", "yes", "secret")]
    figures = {pattern.text(records.design): own for pattern, own in word_figures(records, 0.95, asked).items()}

    for item in said:
        no, yes, secret = (figures[f"{item}={option}"] for option in ("no", "yes", "secret"))
        assert no[0] + yes[0] + secret[0] == pytest.approx(1)
        assert no[2] < (said[item] == "no").mean() < no[3]


def test_widths_that_are_foreseen_are_those_of_surveys(second_with_secrets: candor.Design) -> None:
    """Within a sixth, on average over the words of each length: they hold what people above the cap can do."""
    shares = [
        (said == np.array([["no"], ["yes"], ["secret"]])).mean(axis=1) for said in skipping(20_000, 3).T.to_numpy()
    ]
    words = list_in(second_with_secrets, "design")[1]
    below, above = foresee_reaches(words, shares, 3_000)
    foreseen = (below + above) / 2
    widths = []
    for seed in range(10):
        records = candor.disguise(skipping(3_000, 10 + seed), second_with_secrets, seed=seed)
        low, high = ShownWords.from_records(records, "records").figures(0.95)[2:]
        widths.append((high - low) / 2)

    lengths = np.array([len(answers) for answers, _ in words.words])
    for length in (1, 2):
        own = lengths == length
        assert foreseen[own].mean() == pytest.approx(np.mean(widths, axis=0)[own].mean(), rel=1 / 6)


@pytest.fixture
def files(first: candor.Records, second: candor.Records, tmp_path: Path) -> list[str]:
    for name, records in (("first", first), ("second", second)):
        records.write(tmp_path / f"{name}.csv")
        records.design.write(tmp_path / f"{name}.json")
    return [str(tmp_path / name) for name in ("first.csv", "first.json", "second.csv", "second.json")]


def test_the_commands_print_what_the_functions_return(
    first: candor.Records, second: candor.Records, files: list[str], tmp_path: Path, shell: Shell
) -> None:
    """A survey in two waves on the command line: the design of the second is written as JSON, and read as a design."""
    one, two = files[:2], files[2:]
    found = candor.likeliest(second, 5, first=first, simultaneous=True)
    waves = ("mine", *two, "--top", "5", "--first", *one, "--simultaneous")

    assert shell.out(*waves) == f"{found}\n"
    assert shell.json(*waves, "--json") == found.to_json()
    assert shell.out("mine", *one, "--top", "5") == f"{candor.likeliest(first, 5)}\n"
    into = str(tmp_path / "design.json")
    making = ("wave", *one, "--respondents", "14000", "--top", "6", "-o", into)
    assert shell.out(*making) == f"{second.design}\n"
    report = tmp_path / "report.json"
    report.write_text(shell.out("reconstruct", *one, "--json"))
    by_report = shell.out("wave", str(report), *making[2:-2])
    assert by_report == f"{candor.wave(json.loads(report.read_text()), 14_000, top=6, design=FIRST)}\n"
    assert candor.read_design(into) == candor.Design.parse(shell.out(*making, "--json")) == second.design


def test_counted_records_of_both_waves_say_what_a_row_for_each_says(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], shell: Shell
) -> None:
    """`--counts` is about every file of records; the first wave's was read as a row for each distinct record."""
    counted = [str(tmp_path / f"counted-{number}.csv") for number in (1, 2)]
    for path, into in zip(files[::2], counted, strict=True):
        rows = pd.read_csv(path, dtype=str)
        rows.groupby(list(rows.columns)).size().rename("count").reset_index().to_csv(into, index=False)
    asked, making = ("--top", "5", "--first"), ("--respondents", "14000", "--top", "6")

    by_counts = shell.out("mine", counted[1], files[3], "--counts", *asked, counted[0], files[1])
    assert by_counts == shell.out("mine", *files[2:], *asked, *files[:2])
    made = [shell.out("wave", *one, *making) for one in ((counted[0], files[1], "--counts"), files[:2])]
    assert made[0] == made[1]
    assert main(["wave", "report.json", files[1], "--counts", *making]) == 2
    said = "--counts: a report has figures and no records; leave it out."
    assert capsys.readouterr().err == f"candor wave: {said}\n"


def test_the_second_design_replaces_no_file_of_the_first_wave(files: list[str], shell: Shell) -> None:
    """It would be lost, and with it what the records of the first wave mean."""
    assert (
        shell.refusal("wave", *files[:2], "--respondents", "10", "-o", files[1])
        == f"candor wave: {files[1]}: writing here would replace the first design.\n"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--top", "3", "--negated"], "--negated does not go with --top, which needs no search; leave it out."),
        (
            ["--top", "3", "--max-length", "2"],
            "--max-length does not go with --top, which needs no search; leave it out.",
        ),
        (["--min-support", "0.1", "--simultaneous"], "--simultaneous goes with --top; give --top N, too."),
        (["--top", "0"], "--top: 0 is less than 1."),
    ],
)
def test_options_of_the_other_search_are_refused(files: list[str], shell: Shell, options: list[str], said: str) -> None:
    """None is ignored in silence."""
    assert shell.refusal("mine", *files[:2], *options) == f"candor mine: {said}\n"


@pytest.mark.parametrize("options", [[], ["--top", "3", "--min-support", "0.1"]])
def test_one_of_both_searches_is_asked_for(
    files: list[str], capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    """Thresholds, or how many."""
    with pytest.raises(SystemExit):
        main(["mine", *files[:2], *options])
    assert "--min-support" in capsys.readouterr().err
