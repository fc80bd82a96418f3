"""Rows of the paper on grouped unrelated questions."""

from itertools import pairwise
from math import inf

from papers.rows.row import Row, Tables, claim
from privacy.design import Design
from privacy.reconstruct import reconstruct_counts

POOLED = "candor reconstruct --estimator pooled"
_MODEL = {"model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ["a", "b", "c"]}
_TRIPLE = {"": (80_000, 20_000), "a,b,c": (13_296, 1_000)}  # .3 · .05 + .7 · .6³ of the disguised ones
_COUNTS = {  # disguised and direct records where a and b are each true of 3 in 10, both of 1 in 10, k = .2
    "": (80_000, 20_000), "a": (40_800, 6_000), "!a": (39_200, 14_000),
    "a,b": (22_560, 2_000), "!a,!b": (20_960, 10_000), "a,!b": (18_240, 4_000), "!a,b": (18_240, 4_000),
}  # fmt: skip


def _figure(pattern: str, name: str = "support", counts: dict[str, tuple[int, int]] = _COUNTS) -> float:
    design = Design.parse(_MODEL | {"direct": True})
    (figures,) = reconstruct_counts(design, pattern, counts, estimator="pooled").patterns
    return float(getattr(figures, name))


def _support_of_unrelated() -> str:
    return f"{reconstruct_counts(Design.parse(_MODEL), 'a', {'': (1000, 0), 'a': (510, 0)}).patterns[0].support:.2f}"


def _gamma(model: str, p: float = 0.3) -> float:
    return float(Design.parse(_MODEL | {"model": model, "p": p}).gamma)


def _mean_error_w(tables: Tables) -> float:
    """The mean distance of reconstructed supports from the true ones."""
    asked = {"reading": "direct", "varied": "p", "value": "0.3", "estimator": "pooled"}
    return next(float(row["w"]) for row in tables("experiment") if asked.items() <= row.items())


def _warner_pi() -> float:
    design = Design.parse({"model": "warner", "theta": 0.7, "items": ["a"]})
    return reconstruct_counts(design, "a", {"": (1000, 0), "a": (420, 0)}).patterns[0].support or 0.0


def _fall_of_w(tables: Tables, varied: str) -> str:
    own = [
        float(row["w"])
        for row in tables("experiment")
        if (row["reading"], row["varied"], row["estimator"]) == ("direct", varied, "pooled")
    ]
    rises = sum(later > earlier * 1.1 for earlier, later in pairwise(own))
    return claim(own[-1] == 0 and not rises, "falls to 0")


TENTH = {name: (first // 10, second // 10) for name, (first, second) in _COUNTS.items()}
GROUPED = [
    Row("grouped", "(1): π of 42 % yes, θ = .7", "candor reconstruct", lambda _: f"{_warner_pi():.2f}", worked="0.30"),
    Row("grouped", "(3), (4), (8): π of λ = .468, k = .2", POOLED, lambda _: f"{_figure('a'):.2f}", worked="0.30"),
    Row(
        "grouped", "(6): the error of π̂, n = 10 000", f"{POOLED}: se by (6)",
        lambda _: f"{_figure('a', 'se_printed', TENTH):.5f}".removeprefix("0"), worked=".01134",
    ),
    Row(
        "grouped", "(6): the same, knowing who answered directly", f"{POOLED}: se",
        lambda _: f"{_figure('a', 'se', TENTH):.5f}".removeprefix("0"), worked=".01134", instead=".01118",
        why="sharper: k is known and not drawn, so that what lies between the groups is no error",
    ),
    Row("grouped", "(9): π of the opposite", POOLED, lambda _: f"{_figure('!a'):.2f}", worked="0.70"),
    Row("grouped", "(10)–(12), (14): a pair, k = .2", POOLED, lambda _: f"{_figure('a,b'):.2f}", worked="0.10"),
    Row("grouped", "(15): neither of a pair", POOLED, lambda _: f"{_figure('!a,!b'):.2f}", worked="0.50"),
    Row(
        "grouped", "figure 1: W by p, k = .2", "python -m papers: experiment.csv",
        lambda tables: _fall_of_w(tables, "p"), "falls to 0", reads=True,
    ),
    Row(
        "grouped", "section 4: W by k, p = .3", "python -m papers: experiment.csv",
        lambda tables: _fall_of_w(tables, "k"), worked="falls to 0",
        why="so where k answer directly, as in (7)–(16); section 4 swaps its meaning", reads=True,
    ),
    Row(
        "grouped", "(2): π of the unrelated question, λ = .51", "candor reconstruct", lambda _: _support_of_unrelated(),
        worked="0.30",
    ),
    Row(
        "grouped", "2: what a mixed answer of the older grouped model tells", "candor guarantee",
        lambda _: claim(_gamma("grouped") == inf, "the truth"), "the truth",
    ),
    Row(
        "grouped", "3: γ of the improved model, three questions, p = .3", "candor guarantee",
        lambda _: f"{_gamma('improved-grouped'):.2f}",
    ),
    Row("grouped", "(16): one of a pair alone", POOLED, lambda _: f"{_figure('a,!b'):.2f}", worked="0.20"),
    Row(
        "grouped", "(11): all four of a pair sum to 1", POOLED,
        lambda _: f"{sum(_figure(one) for one in ('a,b', 'a,!b', '!a,b', '!a,!b')):.2f}", worked="1.00",
    ),
    Row("grouped", "(12): a triple", POOLED, lambda _: f"{_figure('a,b,c', counts=_TRIPLE):.2f}", worked="0.05"),
    Row(
        "grouped", "3: support and confidence of a ⇒ b", "candor mine",
        lambda _: f"{_figure('a,b'):.2f}, {_figure('a,b') / _figure('a'):.2f}", worked="0.10, 0.33",
    ),
    Row(
        "grouped", "figure 1: privacy as p nears 1", "candor guarantee",
        lambda _: claim(_gamma("improved-grouped", 0.9) > 10 * _gamma("improved-grouped"), "the worst"), "the worst",
    ),
    Row(
        "grouped", "section 4: W of 10 000 people and three items, p = .3, k = .2", "python -m papers: experiment.csv",
        lambda tables: f"{_mean_error_w(tables):.4f}".removeprefix("0"), reads=True,
    ),
]  # fmt: skip
