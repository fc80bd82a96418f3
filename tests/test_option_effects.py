"""Each option of an analysis changes what comes out: a small case, and two values that give two results."""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import candor
from candor.commands import ANALYSES
from privacy.options import Option
from privacy.options.option import Flag, OneOf
from tests.cases import every

N = 600
Cases = dict[str, tuple[Any, ...]]  # by option: its two values, and what else both calls are given


def _people() -> pd.DataFrame:
    """Drugs and cheating go together; w weighs, c are drawn together, s are the groups they are drawn from."""
    place = np.arange(N)
    drugs = place % 3 == 0
    return pd.DataFrame(
        {
            "drugs": drugs.astype(int),
            "cheating": (drugs & (place % 2 == 0) | (place % 7 == 0)).astype(int),
            "sex": np.where(place % 5 < 2, "f", "m"),
            "w": 1.0 + (drugs | (place % 4 == 0)),
            "c": place // 20,
            "s": place // 300,
            "never": 0,
            "hours": place % 50,
            "arm": np.where(place % 2, "one", "two"),
        }
    )


PEOPLE = _people()
OPEN = ["sex", "w", "c", "s", "arm"]
COIN = candor.models.improved_grouped(["drugs", "cheating"], p=0.6, theta=0.3)
SAMPLED = candor.models.improved_grouped(["drugs", "cheating", "never"], 0.6, 0.3, ask=2)
HOURS = [{"number": "square-wave", "epsilon": 2, "items": [{"id": "hours", "min": 0, "max": 60}]}]
NUMBER = COIN + candor.Design.parse({"direct": True, "blocks": HOURS})
ILLS = ["flu", "cold", "flu", "flu", "cold", "hiv"]
TABLE = pd.DataFrame({"age": [30, 30, 40, 40, 50, 50], "sex": list("ffmmfm"), "ill": ILLS})
YOUNG = [["30", "young", "*"], ["40", "young", "*"], ["50", "50", "*"]]
RELEASE = TABLE.assign(age=["young"] * 4 + ["50"] * 2)
SPEC = {
    "attributes": {
        "age": {"role": "quasi", "hierarchy": [["30", "*"], ["40", "*"], ["50", "*"]]},
        "sex": {"role": "quasi", "hierarchy": [["f", "*"], ["m", "*"]]},
        "ill": {"role": "sensitive"},
    },
    "model": {"k": 2},
}


@cache
def records(design: candor.Design = COIN, direct: float = 0.3) -> candor.Records:
    return candor.disguise(PEOPLE, design, direct=direct, seed=7, open_columns=OPEN)


MARGINS = {"margins": {"sex": {"f": 0.5, "m": 0.5}, "s": {"0": 0.6, "1": 0.4}}}
OF_SAMPLE: Cases = {
    "weights": (None, "w"),
    "cluster": (None, "c"),
    "strata": (None, "s"),
    "margins": (None, MARGINS),
    "trim": (None, (0.5, 1.45), {"margins": MARGINS}),
}
SAMPLING: Cases = {"sample": (None, candor.Sample(weights="w"))}
LEVEL: Cases = {"level": (0.95, 0.5)}
ESTIMATOR: Cases = {"estimator": ("stratified", "combined")}
ASKED: Cases = {"cases": ("available", "complete", {"records": SAMPLED})}
WORDS = candor.models.one_of(["drugs", "cheating"], gamma=9, cap=1, direct=False)
LISTED = candor.models.one_of([f"q{number}" for number in range(8)], gamma=19, cap=3, direct=False)
STRONGER = candor.models.improved_grouped(["drugs", "cheating"], p=0.4, theta=0.3)
SAMPLED_ANCHORS = candor.models.improved_grouped(["drugs", "cheating", "never", "always"], 0.6, 0.3, ask=3)
WARNER = candor.models.warner(["drugs", "never", "always"], theta=0.8)


@cache
def anchored(design: candor.Design = WARNER, direct: float = 0.3) -> candor.Records:
    """A fifth presses yes, whatever is asked; there are two looks, and two questions of known answer."""
    place = np.arange(N)
    said = PEOPLE.assign(
        never=0, always=1, look=place % 2, one=place % 10 > 0, two=place % 20 == 0, three=place % 9 == 0
    )
    said.loc[::5, ["drugs", "never"]] = 1
    return candor.disguise(said, design, direct=direct, seed=3, open_columns=[*OPEN, "look", "one", "two", "three"])


@cache
def wave_records(many: int, seed: int, second: bool = False) -> candor.Records:
    chance = np.random.default_rng(seed)
    yes = chance.random((many, 8)) < 0.25 / np.arange(1, 9) ** 0.7
    design = candor.wave(wave_records(many, 1), many, top=6, both=["q0"]) if second else LISTED
    return candor.disguise(
        pd.DataFrame(yes.astype(int), columns=[f"q{number}" for number in range(8)]), design, seed=seed
    )


def first_wave() -> candor.Records:
    return wave_records(4000, 1)


@cache
def secretive() -> candor.Records:
    """Who skips one question skips others."""
    chance = np.random.default_rng(1)
    said = np.where(chance.random((4000, 3)) < 0.1, "yes", "no").astype(object)
    said[chance.random(4000) < 0.2] = "secret"
    design = candor.models.one_of({name: ["no", "yes", "secret"] for name in "abc"}, gamma=19, cap=2, direct=False)
    return candor.disguise(pd.DataFrame(said, columns=[*"abc"]), design, seed=1)


CHANNEL, PRIOR = [["3/4", "1/4"], ["1/4", "3/4"]], ["9/10", "1/10"]
POINTS = pd.DataFrame({"x": np.arange(40) % 8, "y": np.arange(40) // 8, "u": np.arange(40) % 5, "v": np.arange(40) % 7})
SECRET = {"party": ["left", "right", "secret"], "vote": ["no", "yes", "secret"]}
EXPECTED = {item: dict(zip(options, (0.45, 0.45, 0.1), strict=True)) for item, options in SECRET.items()}
ALONE = {"item": "drugs", "p": 0.7, "t": 0.9}


def of_records(function: Callable[..., Any], **usual: Any) -> Callable[..., Any]:
    """The function on records; `records_of` is the design of others, or a file."""

    def call(records_of: candor.Design | str = COIN, **options: Any) -> Any:
        if isinstance(records_of, str):
            return function(records_of, design=COIN, **usual | options)
        return function(records(records_of), **usual | options)

    return call


CALLS: dict[str, Callable[..., Any]] = {
    "mine": of_records(candor.mine, min_support=0.1, least=1, engine="bitset"),
    "likeliest": lambda top=3, **more: candor.likeliest(wave_records(4000, 2, second=True), top, **more),
    "wave": lambda respondents=4000, first=None, **more: candor.wave(
        first or first_wave(), respondents, **{"top": 4} | more
    ),
    "reconstruct": of_records(candor.reconstruct),
    "reconstruct_counts": lambda **more: candor.reconstruct_counts(
        COIN, "drugs", {"": (400, 200), "drugs": (180, 80)}, **more
    ),
    "table": of_records(candor.table, items=["drugs", "cheating"]),
    "compare": of_records(candor.compare, figures="drugs", by="sex"),
    "regress": lambda **more: candor.regress(
        PEOPLE.assign(direct=0) if {"designs", "model"} & more.keys() else records(), **{"outcome": "drugs"} | more
    ),
    "guarantee": lambda design=COIN, **more: candor.guarantee(design, **more),
    "ledger": lambda **more: candor.ledger([("first", COIN), ("second", COIN)], **more),
    "breach": lambda channel=CHANNEL, prior=PRIOR, **more: candor.breach(channel, prior, **more),
    "lot": lambda share=0.3, **more: candor.lot(records(), share, **more),
    "careless": lambda design=WARNER, direct=0.3, **more: candor.careless(
        anchored(design, direct), **{"anchors": {"never": 0, "always": (0.99, 1)}} | more
    ),
    "measure": lambda **more: candor.measure(TABLE, **{"quasi": ["age"], "sensitive": "ill"} | more),
    "link": lambda **more: candor.link(TABLE.assign(who=list("abcdef"))[::-1], RELEASE, **more),
    "counts": lambda **more: candor.counts(TABLE, **{"values": {"sex": ["f", "m"]}, "epsilon": 1} | more),
    "places": lambda **more: candor.places(POINTS, **{"epsilons": [8], "cell": 1} | more),
    "advise": lambda items=2, respondents=1000, **more: candor.advise(items, respondents, 19, **more),
    "anonymize": lambda **more: candor.anonymize(TABLE, SPEC, **more),
    "disguise": lambda **more: candor.disguise(PEOPLE, COIN, **{"seed": 1} | more),
}

EFFECTS: dict[str, Cases] = {
    "mine": {
        "min_support": (0.1, 0.3),
        "min_confidence": (0.1, 0.9),
        "max_length": (1, 2),
        "negated": (False, True),
        **ESTIMATOR,
        "engine": ("bitset", "mlxtend"),
        "cases": ("available", "complete", {"records_of": SAMPLED}),
        "bins": ("", "hours=10,20,40", {"records_of": NUMBER, "engine": "auto"}),
        **SAMPLING,
        "counts": (False, True, {"records_of": "counted.csv"}),
        "least": (1, 500),
    },
    "likeliest": {
        "top": (2, 3),
        "first": (None, first_wave),
        "both": ((), ("q0",), {"first": first_wave}),
        "simultaneous": (False, True),
    },
    "wave": {
        "respondents": (50, 200_000, {"top": 8}),
        "top": (2, 6),
        "both": ((), ("q7",)),
        "alone": (None, "secret", {"first": secretive}),
    },
    "reconstruct": {
        "patterns": ("drugs", "cheating"),
        "counts": (False, True, {"records_of": "counted.csv"}),
        **ESTIMATOR,
        "cases": ("available", "complete", {"records_of": SAMPLED, "patterns": "drugs"}),
        **SAMPLING,
        **LEVEL,
    },
    "reconstruct_counts": {**ESTIMATOR, **LEVEL},
    "table": {
        "items": (["drugs"], ["cheating"]),
        "counts": (False, True, {"records_of": "counted.csv"}),
        **ESTIMATOR,
        "cases": ("available", "complete", {"records_of": SAMPLED}),
        **SAMPLING,
    },
    "compare": {
        "figures": ("drugs", "cheating"),
        "by": ("sex", "arm"),
        "measure": ("confidence", "lift", {"figures": "drugs => cheating"}),
        **ESTIMATOR,
        **SAMPLING,
        "least": (1, 400),
        "cases": ("available", "complete", {"records_of": SAMPLED, "figures": "drugs => cheating"}),
        **LEVEL,
    },
    "regress": {
        "outcome": ("drugs", "cheating"),
        "on": ("sex=f", "cheating"),
        "family": ("logistic", "linear"),
        **SAMPLING,
        "robust": (False, True, {"on": "cheating"}),
        "designs": (dict.fromkeys(("one", "two"), COIN), {"one": COIN, "two": STRONGER}, {"design_column": "arm"}),
        "design_column": ("arm", "sex", {"designs": {"one": COIN, "two": STRONGER, "f": COIN, "m": STRONGER}}),
        "model_options": (ALONE, ALONE | {"p": 0.75}, {"model": "sld"}),
        **LEVEL,
    },
    "guarantee": {"prior": (0.05, 0.2), "respondents": (None, 50), "delta": (1e-6, 1e-3, {"respondents": 50})},
    "ledger": {"budget": (19, 40)},
    "breach": {
        "prior": (None, PRIOR),
        "rho": (None, ("1/7", "1/2")),
        "properties": ((), ("1",)),
        "plain": ((), ("0",)),
        "measures": (False, True),
    },
    "lot": {"share": (0.3, 0.2), "least": (1, 500)},
    "careless": {
        "figures": ("drugs", "!drugs"),
        "anchors": ({"never": 0, "always": 1}, {"never": 0, "always": (0.96, 1)}),
        "disguiser": ("device", "person", {"direct": 0.0}),
        "cases": ("available", "complete", {"design": SAMPLED_ANCHORS, "figures": "drugs,cheating"}),
        **ESTIMATOR,
        **LEVEL,
        **SAMPLING,
    },
    "measure": {
        "quasi": (["age"], ["sex"]),
        "sensitive": ("ill", "sex"),
        "subsets": (0, 1, {"quasi": ["age", "sex"]}),
        "distance": ("equal", "ordered", {"sensitive": "age", "quasi": ["sex"]}),
        "hierarchy": ("one.csv", "other.csv", {"distance": "hierarchical"}),
        "rows": (False, True),
        "belief": (None, ("flu", "1/7")),
        "population": (20, pd.concat([TABLE, TABLE])),
        "count": (None, "age", {"population": pd.concat([TABLE, TABLE])}),
        "weight": (None, "age", {"quasi": ["sex"]}),
        "safe_harbour": (False, True),
    },
    "link": {
        "spec": (None, {"attributes": {"age": {"role": "quasi", "hierarchy": YOUNG}}, "model": {"k": 2}}),
        "on": (["age"], ["age", "sex"]),
        "name": ("who", "ill", {"on": ["age"]}),
        "in_order": (False, True, {"on": ["age", "sex"]}),
    },
    "counts": {
        "values": ({"sex": ["f", "m"]}, {"ill": ["flu", "cold", "hiv"]}),
        "epsilon": (1, 2),
        "delta": (1e-6, 1e-3, {"noise": "gaussian"}),
        "noise": ("laplace", "gaussian", {"delta": 1e-6}),
        "tables": (None, [["sex", "ill"]], {"values": {"sex": ["f", "m"], "ill": ["flu", "cold", "hiv"]}}),
    },
    "places": {
        "columns": (("x", "y"), ("u", "v")),
        "map": ("-1,-1,9,9", "0,0,20,20"),
        "crs": ("planar", "EPSG:4326", {"cell": None}),
        "cell": (1, 0.5),
        "epsilons": ((8,), (4,)),
        "zones": ((), ("1,1,4,4",)),
        "track": (1, 2),
    },
    "advise": {
        "respondents": (500, 2000),
        "length": (1, 2),
        "prevalence": (None, 0.1),
        "alone": (None, "secret", {"items": SECRET, "prevalence": EXPECTED}),
        "direct_share": (0.0, 0.3),
        "most_asked": (None, 2, {"items": 4}),
        "by": ("device", "person"),
    },
    "anonymize": {"path": (False, True), "compare": ((), ["age"])},
    "disguise": {"direct": (0.0, 0.5), "seed": (1, 2)},
}


FILES = {
    "counted.csv": "direct,drugs,cheating,count\n0,1,0,30\n0,0,1,40\n1,0,0,9\n",
    "one.csv": "flu;lungs;*\ncold;lungs;*\nhiv;blood;*\n",
    "other.csv": "flu;lungs;*\ncold;nose;*\nhiv;nose;*\n",
}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        Path(name).write_text(content, encoding="utf-8")


def printed(function: str, **options: Any) -> str:
    found = CALLS[function](**{name: one() if callable(one) else one for name, one in options.items()})
    return found.to_frame().to_csv() if isinstance(found, candor.Records) else f"{found}\n{json.dumps(found.to_json())}"


@pytest.mark.parametrize(
    ("function", "option"), every(9, [(function, option) for function, cases in EFFECTS.items() for option in cases])
)
def test_an_option_changes_the_result(function: str, option: str) -> None:
    """Two values print two results, on the same records."""
    one, other, *more = EFFECTS[function][option]
    usual = more[0] if more else {}

    assert printed(function, **usual | {option: one}) != printed(function, **usual | {option: other})


@pytest.mark.parametrize("name", OF_SAMPLE)
@pytest.mark.parametrize("function", every(4, [name for name, cases in EFFECTS.items() if "sample" in cases]))
def test_a_field_of_a_sample_changes_the_result(function: str, name: str) -> None:
    """However respondents were drawn, each analysis knows."""
    one, other, *more = OF_SAMPLE[name]
    usual = more[0] if more else {}

    samples = (candor.Sample(**usual | {name: value}) for value in (one, other))

    assert len({printed(function, sample=sample) for sample in samples}) == 2


def test_every_option_is_tried() -> None:
    """A person who adds one adds the two values that tell what it does."""
    declared = {f"{table.of} {one.name}" for table in ANALYSES for one in table.for_place("library")}

    tried = {f"{function} {option}" for function, cases in EFFECTS.items() for option in cases}
    assert (declared - tried, tried - declared) == ({"regress model"}, set())  # which has one value alone


CHOSEN = [
    (table.of, one) for table in ANALYSES for one in table.for_place("library") if isinstance(one.kind, Flag | OneOf)
]
NO_WORDS = (["stratified"], pd.NA, np.array(["a", "b"]), TABLE)


@pytest.mark.parametrize(("function", "option"), CHOSEN, ids=[f"{name} {one.name}" for name, one in CHOSEN])
def test_a_flag_and_a_word_of_a_list_are_nothing_else(function: str, option: Option) -> None:
    """Text, a number or a table in their place is refused; a truth value of numpy means what Python's own does."""
    is_flag = isinstance(option.kind, Flag)
    values = ("x", 1, float("nan"), None, [], pd.NA) if is_flag else ("nope", *NO_WORDS)
    usual = (EFFECTS[function].get(option.name, ())[2:] or ({},))[0]

    for value in values:
        rule = "true or false" if is_flag else r"one of \w.*" if isinstance(value, str) else "text"
        with pytest.raises(candor.InputError, match=rf"^\w+: .* is not {rule}\.$"):
            printed(function, **usual | {option.name: value})
    if is_flag:
        one, other = (printed(function, **usual | {option.name: value}) for value in (np.bool_(True), True))
        assert re.sub('"seconds": .*?,', "", one) == re.sub('"seconds": .*?,', "", other)


@pytest.mark.parametrize("flag", ["counts", "open_columns"])
def test_a_flag_of_a_file_is_true_or_false(flag: str) -> None:
    with pytest.raises(candor.InputError, match=rf"^{flag}: 'x' is not true or false\.$"):
        candor.read_records("counted.csv", COIN, **{flag: "x"})  # type: ignore[arg-type]
