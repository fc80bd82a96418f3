"""Numbers and places stand in itemsets as bins, by the channel of their own block."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import candor
from candor.commands import main
from mining.domain.request import request_run
from mining.engines.bins import Bins, check_bins
from mining.engines.findings import Mined, findings
from mining.engines.request import MiningRequest
from mining.models import MiningRun
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.reconstruct.distribution import distribution
from privacy.records import Records, write_records
from privacy.records.packing import pack
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append
from surveys.models import Survey
from tests.cases import every, first
from tests.mining.surveys import sealed_places
from tests.refusals import refusal_of
from tests.surveys.making import add_block, add_question, town_survey

AGE = {"number": "square-wave", "epsilon": 2, "items": [{"id": "age", "min": 0, "max": 99}]}
HOME = {
    "place": "zones",
    "epsilon": 2,
    "zones": [[10, 10, 20, 20], [60, 60, 20, 20]],
    "items": [{"id": "home", "width": 100, "height": 80}],
}
COIN = {"keep": 0.6, "items": [{"id": "drugs", "theta": 0.5}]}
DESIGN = Design.parse({"direct": True, "blocks": [COIN, AGE, HOME]})
BINS = "age=18,30,50;home=zones"
N = 8000


def people(seed: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """True answers as codes, and who matches each literal: the young take drugs, and many of these live in a zone."""
    chance = np.random.default_rng(seed)
    age = np.clip(chance.gamma(4, 9, N), 0, 99).astype(int)
    drugs = chance.random(N) < np.where(age < 30, 0.5, 0.1)
    x, y = chance.integers(0, 100, N), chance.integers(0, 80, N)
    near = chance.random(N) < np.where(drugs, 0.6, 0.2)
    x, y = (np.where(near, chance.integers(10, 30, N), at) for at in (x, y))
    grid = DESIGN.items[1].grid
    assert grid is not None
    codes = np.column_stack([drugs, grid.firsts[0] + age, x * 80 + y]).astype(DESIGN.code_type)
    bins, zone = np.digitize(age, [18, 30, 50]), DESIGN.blocks[2].mechanism.zone_numbers(x, y)
    true = {"drugs": drugs, "home=zone 1": zone == 0, "home=zone 2": zone == 1, "home=elsewhere": zone < 0}
    return codes, true | {f"age={name}": bins == place for place, name in enumerate(NAMES)}


NAMES = ("0…17", "18…29", "30…49", "50…99")


def mine_records(records: Records, **asked: Any) -> Mined:
    request = MiningRequest(**{"min_support": 0.02, "min_confidence": 0.3, "bins": BINS} | asked)
    return findings([(records.codes, records.direct)], records.design, request)


def send_records(seed: int, direct: float = 0.2) -> tuple[Records, dict[str, np.ndarray]]:
    codes, true = people(seed)
    return disguise(DESIGN, codes, np.random.default_rng(seed).random(N) < direct, words_from_seed(seed)), true


@pytest.mark.parametrize(("estimator", "surveys"), first(1, [("stratified", 3), ("stratified", 6), ("combined", 6)]))
def test_supports_of_bins_are_those_of_the_truth_within_their_errors(estimator: str, surveys: int) -> None:
    """Over six surveys, single bins, pairs and triples: no bias beyond 4.5 errors of the mean, and errors that hold."""
    z = []
    for seed in range(surveys):
        records, true = send_records(seed)
        columns = mine_records(records, estimator=estimator).columns
        names = [columns.names(place) for place in range(len(columns.items))]
        truth = np.array([np.logical_and.reduce([true[one] for one in own]).mean() for own in names])
        z.append((columns.itemsets["support"] - truth) / columns.itemsets["se"])
        assert ["age=18…29", "drugs"] in [sorted(own) for own in names]
    z = np.concatenate(z)
    assert abs(z.mean()) < 1
    assert 0.6 < np.sqrt((z**2).mean()) < 1.3


def test_a_zone_has_the_share_that_its_counts_tell() -> None:
    """The same as the distribution of the place tells of each zone, whose formula is another."""
    records, _ = send_records(1)
    zones = distribution(records, "home").figures["zones"]

    columns = mine_records(records, bins="home=zones", max_length=1, min_support=0.001).columns

    places = {columns.names(place)[0]: place for place in range(len(columns.items))}
    for name, zone in zip(("zone 1", "zone 2", "elsewhere"), zones, strict=True):
        place = places[f"home={name}"]
        assert columns.itemsets["support"][place] == pytest.approx(zone["share"], rel=1e-9)
        assert columns.itemsets["se"][place] == pytest.approx(zone["se"], rel=1e-3)


def test_a_pair_is_inverted_by_both_channels() -> None:
    """Drugs beside the zones, from the table of records and the inverse of the whole channel, worked out apart."""
    records, _ = send_records(2, direct=0)
    place = DESIGN.blocks[2]
    coin = np.array([[0.8, 0.2], [0.2, 0.8]])
    beta, areas = float(place.mechanism.beta), np.array([400, 400, 0]) / 800
    whole = np.kron(coin, beta * np.eye(3) + (1 - beta) * areas)
    zone = place.mechanism.zone_numbers(*np.divmod(records.codes[:, 2].astype(int), 80))
    seen = np.bincount(records.codes[:, 0].astype(int) * 3 + np.where(zone < 0, 2, zone), minlength=6) / N

    columns = mine_records(records, bins="home=zones", max_length=2, min_support=0.001).columns

    shares = seen @ np.linalg.inv(whole)
    supports = {
        ",".join(sorted(columns.names(at))): columns.itemsets["support"][at] for at in range(len(columns.items))
    }
    for at, name in enumerate(("zone 1", "zone 2", "elsewhere")):
        assert supports.get(f"drugs,home={name}", shares[3 + at]) == pytest.approx(shares[3 + at], abs=1e-8)
    assert "drugs,home=zone 1" in supports


def test_weights_of_bins_invert_the_exact_channel() -> None:
    """A person who is spread in a bin as people are there is counted in it once on average, and in no other bin."""
    design = Design.parse(
        {"blocks": [{"number": "square-wave", "epsilon": 1, "items": [{"id": "age", "min": 0, "max": 11}]}]}
    )
    (own,), field = design.blocks, design.fields[0]
    first = own.items[0].grid.firsts[0]
    rng = np.random.default_rng(3)
    codes = disguise(
        design, (first + rng.integers(0, 12, (3000, 1))).astype(design.code_type), take=words_from_seed(3)
    ).codes
    every = np.arange(field.size)[:, np.newaxis]
    cut = own.cut(("3", "8"))
    counts = np.bincount(cut.classes(codes[:, 0]), minlength=cut.channel.shape[1])
    inverted = Bins(design, "age=3,8").invert(0, counts.astype(float))
    from privacy.reconstruct.smoothing import smoothest

    within = smoothest(cut.channel, counts.astype(float), cut.rows, cut.free).shares
    for true, (start, stop) in enumerate(((0, 3), (3, 8), (8, 12))):
        mean = np.zeros(3)
        for step in range(start, stop):
            chances = [own.chance([0], [first + step], [code]) for code in every[:, 0].tolist()]
            assert sum(chances) == Fraction(1)
            weights = inverted.weights[:, cut.classes(every[:, 0])]
            mean += within[step] / within[start:stop].sum() * (weights @ np.array(chances, float))
        assert mean == pytest.approx(np.eye(3)[true], abs=1e-9)


@pytest.mark.parametrize(
    ("bins", "said"),
    every(
        4,
        [
            ("age", "bins: 'age' is not written like age=18,30,50 or home=zones."),
            ("age=18;age=20", "bins: 'age' is given twice."),
            ("age=30,18", "bins: the edges 30, 18 of 'age' do not rise."),
            ("age=x", "bins: 'x' is not a number; 'age' has edges such as 18,30,50."),
            ("age=nan", "bins: 'nan' is not a number; 'age' has edges such as 18,30,50."),
            ("age=18,inf", "bins: 'inf' is not a number; 'age' has edges such as 18,30,50."),
            ("age=1e3000000", "bins: '1e3000000' is not a number; 'age' has edges such as 18,30,50."),
            ("age=1e-3000000", "bins: '1e-3000000' is not a number; 'age' has edges such as 18,30,50."),
            ("age=1/0", "bins: '1/0' is not a number; 'age' has edges such as 18,30,50."),
            ("age=1/3", "bins: 1/3 is no step of 'age' above 0 and up to 99."),
            ("age=17.5", "bins: 17.5 is no step of 'age' above 0 and up to 99."),
            ("age=0", "bins: 0 is no step of 'age' above 0 and up to 99."),
            ("drugs=1", "bins: 'drugs' has options; only numbers and places can have bins."),
            ("home=3", "bins: 'home' is a place; its only bins are its sensitive zones: write home=zones."),
            ("nobody=3", "There is no item 'nobody' in this design; its items are drugs, age, home."),
            (
                f"age={','.join(map(str, range(1, 60)))}",
                "bins: the disguise of 'age' shows too little for this many bins; use fewer or wider ones.",
            ),
        ],
    ),
)
def test_bins_that_cannot_be_had_are_refused(bins: str, said: str) -> None:
    assert refusal_of(lambda: check_bins(Bins(DESIGN, MiningRequest(0.1, 0.5, bins=bins).bins))) == said


def test_the_pooled_estimator_is_refused_with_bins() -> None:
    records, _ = send_records(1)

    with pytest.raises(InputError, match="numbers and places have none; use stratified or combined"):
        mine_records(records, estimator="pooled")


def test_the_command_and_the_library_take_bins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rules between a number, a place and another answer, the same by both."""
    records, _ = send_records(1)
    paths = [str(tmp_path / name) for name in ("records.csv", "design.json")]
    write_records(records, paths[0])
    Path(paths[1]).write_bytes(DESIGN.canonical())

    status = main(["mine", *paths, "--min-support", "0.05", "--min-confidence", "0.3", "--bins", BINS, "--json"])

    printed_json = json.loads(capsys.readouterr().out)
    assert (status, printed_json["engine"]) == (0, "bitset")
    ours = candor.mine(records, 0.05, 0.3, bins={"age": [18, 30, 50], "home": "zones"}).rules
    assert [rule["confidence"] for rule in printed_json["rules"]] == pytest.approx(
        ours["confidence"].tolist(), rel=1e-12
    )
    assert ("age=18…29", "drugs") in zip(ours["antecedent"], ours["consequent"], strict=True)


@pytest.mark.long
def test_intervals_of_bins_hold_as_often_as_they_say() -> None:
    """Over 120 surveys of 8 000 people: .95 of all intervals, and of each itemset nine in ten."""
    held: dict[str, list[bool]] = {}
    shares = np.mean([np.array([row.mean() for row in people(seed)[1].values()]) for seed in range(40)], axis=0)
    expected = dict(zip(people(0)[1], shares, strict=True))
    for seed in range(120):
        records, _ = send_records(seed)
        columns = mine_records(records, max_length=1, min_support=0.001).columns
        for place in range(len(columns.items)):
            (name,) = columns.names(place)
            low, high = (columns.itemsets[end][place] for end in ("low", "high"))
            held.setdefault(name, []).append(bool(low <= expected[name] <= high))
    assert min(np.mean(own) for own in held.values()) > 0.88
    assert 0.92 < np.mean([one for own in held.values() for one in own]) < 0.98


@pytest.mark.parametrize(("alone", "longest", "are_mined"), [(1, 3, False), (1, 1, True), (60, 3, True)])
def test_true_places_are_mined_beside_true_answers_that_a_crowd_sent(alone: int, longest: int, are_mined: bool) -> None:
    """One person alone says no to both one-sided questions: an itemset of these and the place would tell theirs."""
    survey = town_survey()
    Survey.objects.filter(pk=survey.pk).update(least=20, override_by="Tests", override_reason="a place beside")
    survey.refresh_from_db()
    add_block(survey, "calm", kind="one-sided", settings={"turned": 0.2})
    for name in ("a", "b"):
        add_question(survey, name, block="calm", settings={"harmless": "0"})
    version = publish(survey)
    n = 400 + alone
    said = np.array([[1, 1], [1, 0], [0, 1]])[np.arange(n) // 2 % 3]
    said[400:] = 0
    home = np.where(np.arange(n) % 2, 50 * 80 + 40, 0)
    codes = np.column_stack([home, said]).astype(version.design.code_type)
    append(version, pack(Records(version.design, codes, np.zeros(n, bool))), [b""] * n)
    Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    survey.refresh_from_db()
    asked = MiningRequest(0.1, 0.5, bins="home=zones", max_length=longest)
    if are_mined:
        assert request_run(survey, asked).bins == "home=zones"
    else:
        with pytest.raises(InputError, match="fewer than 20 people share the same true answers beside 'home'"):
            request_run(survey, asked)


def test_the_site_refuses_the_pooled_estimator_beside_bins_before_a_run_is_made() -> None:
    survey = sealed_places(200, closed_at="2026-01-01T00:00Z")
    with pytest.raises(InputError, match="bins: the pooled estimator works for coins"):
        request_run(survey, MiningRequest(0.1, 0.5, estimator="pooled", bins="home=zones"))

    assert not MiningRun.objects.exists()


def test_places_of_enough_people_are_mined_once_the_version_has_closed() -> None:
    run = request_run(sealed_places(200, closed_at="2026-01-01T00:00Z"), MiningRequest(0.1, 0.5, bins="home=zones"))

    assert run.bins == "home=zones"
