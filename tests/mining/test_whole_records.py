"""Mining words of a list: figures are those that `reconstruct` and `compare` give for the same records."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from candor.commands import main
from mining.engines.bins import Bins
from mining.engines.findings import Mined, findings
from mining.engines.request import MiningRequest, require_cells
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import EntryError, InputError
from privacy.estimate.sampling import Sampling
from privacy.reconstruct import reconstruct
from privacy.reconstruct.shares_and_rules import figure
from privacy.records import Records
from privacy.records.bits import Batch
from tests.cases import first

DESIGN = Design.parse(
    {"direct": True, "model": "one-of", "gamma": 100, "cap": 4, "longest": 3, "items": [*"abcdefghi"]}
)


AGE = {"number": "square-wave", "epsilon": 2, "items": [{"id": "age", "min": 0, "max": 99}]}
BESIDE = Design.parse({"direct": True, "blocks": [*DESIGN.to_json()["blocks"], AGE]})
JOINED = "bins: 'age' in bins cannot share an itemset with 'a', of which each record is read whole"


def records() -> Records:
    rng = np.random.default_rng(3)
    yes = rng.random((6_000, 9)) < [0.5, 0.6, 0.4, 0.5, 0.7, 0.3, 0.4, 0.5, 0.6]
    yes[:, 1] |= yes[:, 0]
    return disguise(DESIGN, yes.astype(np.uint8), rng.random(6_000) < 0.2, words_from_seed(3))


def mine_records(one: Records, **options: object) -> Mined:
    asked = {"min_support": 0.2, "min_confidence": 0.5, "max_length": 3} | options
    request = MiningRequest(**asked)  # type: ignore[arg-type]
    return findings([(one.codes, one.direct)], DESIGN, request)


@pytest.mark.parametrize("cases", first(1, ["available", "complete"]))
def test_one_share_by_every_path(cases: str) -> None:
    """Every itemset, with its error, to rounding; the sum over respondents divides by n − 1 as samples do."""
    one = records()
    columns = mine_records(one, cases=cases).columns

    names = [",".join(columns.names(place)) for place in range(len(columns.items))]
    report = reconstruct(one, names, cases=cases)

    assert len(names) > 10
    rows = [(row.n, row.support, row.se) for row in report.patterns]
    figures = zip(*(columns.itemsets[name].tolist() for name in ("n", "support", "se")), strict=True)
    np.testing.assert_allclose(list(figures), np.array(rows, dtype=float), rtol=1e-3)


def test_rules_have_the_errors_of_the_sum() -> None:
    """Confidence with every covariance of its parts, as the figure of one rule has it."""
    one = records()
    columns = mine_records(one, min_support=0.05, min_confidence=0.2).columns
    rule = next(place for place, own in enumerate(columns.itemset) if len(columns.literals(int(own))) == 3)
    names = columns.names(int(columns.itemset[rule]))
    inside = [bool(int(columns.antecedent[rule]) >> bit & 1) for bit in range(3)]
    sides = [",".join(name for name, here in zip(names, inside, strict=True) if here == side) for side in (True, False)]

    linearised = figure(one, " => ".join(sides), Sampling.simple(len(one)))
    expected = linearised.estimate(Sampling.simple(len(one)))

    assert columns.rules["confidence"][rule] == pytest.approx(linearised.value)
    assert columns.rules["confidence se"][rule] == pytest.approx(expected.se, rel=1e-3)


def test_the_pooled_estimator_is_refused_of_words() -> None:
    """One sentence, and no error of the program."""
    codes = np.zeros((4, len(DESIGN.items)), np.uint8)
    direct = np.ones(4, bool)

    with pytest.raises(InputError) as refused:
        mine_records(Records(DESIGN, codes, direct), estimator="pooled")

    assert (
        str(refused.value)
        == "estimator: pooled cannot weigh answers of which each record is read whole; use stratified or combined."
    )


def unread() -> Iterator[Batch]:
    """Records that nobody may ask for."""
    pytest.fail("the records were read")
    yield


@pytest.mark.parametrize("engine", ["auto", "bitset", "mlxtend"])
@pytest.mark.parametrize("sampling", [None, Sampling.simple(10)])
def test_bins_beside_words_are_refused_before_a_record_is_read(engine: str, sampling: Sampling | None) -> None:
    """No pattern of both is inverted, and reading a large file to learn that takes long."""
    with pytest.raises(InputError, match=JOINED):
        findings(unread(), BESIDE, MiningRequest(0.1, 0.5, engine=engine, bins="age=30,50"), sampling=sampling)


@pytest.mark.parametrize("more", [[], ["--weights", "w"]])
def test_the_command_refuses_bins_beside_words_before_it_looks_for_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    """There is not a file of records."""
    (tmp_path / "design.json").write_text(json.dumps(BESIDE.to_json()))
    asked = ["--min-support", "0.1", "--min-confidence", "0.5", "--bins", "age=30,50", *more]

    assert main(["mine", str(tmp_path / "records.csv"), str(tmp_path / "design.json"), *asked]) == 2
    assert JOINED in capsys.readouterr().err


def test_bins_beside_words_are_refused_before_a_run_is_made() -> None:
    """By what a request of the site checks; single items are not joined, and may be asked for."""
    bins = Bins(BESIDE, "age=30,50")
    require_cells(bins, MiningRequest(0.1, 0.5, bins=bins.text, max_length=1))
    with pytest.raises(EntryError, match=JOINED) as refused:
        require_cells(bins, MiningRequest(0.1, 0.5, bins=bins.text, max_length=2))
    assert refused.value.at == "bins"
