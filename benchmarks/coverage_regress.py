"""How often 95 % intervals of regressions on disguised answers hold what is true, and how far off coefficients are.

    python benchmarks/coverage_regress.py [surveys [case …]]

Every case simulates surveys (4 000 unless said otherwise) with known coefficients: logistic or linear, the outcome, a
predictor or both disguised, by one coin over three items, flips, or a sampled block that asks two of them; also with
weights, and with clusters whose members answer alike. Of each coefficient it prints how often its interval held the
truth; between 93.5 and 96.5 of 100 is right. Surveys that were refused, because they cannot tell a coefficient, are
counted apart.

Cases named `population` ask the same of a disguised predictor whose undisguised outcome is one of six: a scale from 1
to 5, a count, normal with a spread that the predictor moves, exponential, normal, and 0 or 1; each also where the
predictor has no effect. They print the bias in standard errors, too: at most a third is right. The family ordinal is
asked about an outcome that is as it takes for granted, also in clusters of ten who answer alike.
"""

import sys
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from scipy.special import expit

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.output import as_table
from privacy.reconstruct.shares_and_rules import figure
from privacy.records import Records
from privacy.regress import Respondents, regression_of

SURVEYS = 4_000
ITEMS = [{"id": "outcome", "theta": 0.5}, {"id": "predictor", "theta": 0.5}, {"id": "other", "theta": 0.5}]
DESIGNS = {
    "one coin": {"keep": 0.6, "items": ITEMS},
    "flips": {"flips": [0.7, 0.2, 0.07, 0.03], "items": [{"id": item["id"]} for item in ITEMS]},
    "sampled": {"keep": 0.75, "ask": 2, "items": ITEMS},
}
ROLES = {"outcome": ("outcome", "disguised"), "predictor": ("answered", "predictor"), "both": ("outcome", "predictor")}
LOGISTIC, LINEAR, SHARES = (-0.4, 0.8, 0.5), (1.0, 0.8, 0.5), (0.3, 0.25, 0.1)
Survey = tuple[Records, dict[str, Any], tuple[float, ...]]


def plain(family: str, role: str, kind: str, n: int, random: np.random.Generator) -> Survey:
    """Everybody drawn alike. The predictor depends on the open covariate, so that leaving that out would bias."""
    z = random.integers(-1, 2, n).astype(float)
    predictor = random.random(n) < expit(-0.2 + 0.5 * z)
    return _survey(family, role, kind, z, predictor, {}, random)


def draw_weighted(family: str, role: str, kind: str, n: int, random: np.random.Generator) -> Survey:
    """Of those with z = 1 half are missed, of carriers of the outcome a third: weights put both right."""
    z = random.integers(-1, 2, 3 * n).astype(float)
    predictor = random.random(3 * n) < expit(-0.2 + 0.5 * z)
    chance = np.where(z == 1, 0.5, 1.0) * np.where(predictor, 0.7, 1.0)
    drawn = np.flatnonzero(random.random(3 * n) < chance)[:n]
    return _survey(family, role, kind, z[drawn], predictor[drawn], {"w": 1 / chance[drawn]}, random)


def draw_clustered(family: str, role: str, kind: str, n: int, random: np.random.Generator) -> Survey:
    """Groups of ten share z and, nearly, the predictor and what else moves the outcome."""
    group = np.repeat(np.arange(n // 10), 10)
    z = random.integers(-1, 2, n // 10).astype(float)[group]
    common = random.random(n // 10)[group]
    own = np.where(random.random(n) < 0.7, common, random.random(n))
    predictor = own < expit(-0.2 + 0.5 * z)
    return _survey(family, role, kind, z, predictor, {"c": group.astype(float)}, random, group)


def _survey(
    family: str,
    role: str,
    kind: str,
    z: np.ndarray,
    predictor: np.ndarray,
    columns: dict[str, np.ndarray],
    random: np.random.Generator,
    group: np.ndarray | None = None,
) -> Survey:
    n = len(z)

    def uniform() -> np.ndarray:
        """Shared by most of a group, where there are groups."""
        own = random.random(n)
        return own if group is None else np.where(random.random(n) < 0.6, random.random(n)[group], own)

    truth = LOGISTIC
    if family == "logistic":
        answer = uniform() < expit(LOGISTIC[0] + LOGISTIC[1] * predictor + LOGISTIC[2] * z)
        given = answer.astype(float)
    elif role == "predictor":
        truth = LINEAR
        answer = random.random(n) < 0.3
        given = LINEAR[0] + LINEAR[1] * predictor + LINEAR[2] * z + random.normal(size=n)
    else:
        truth = SHARES
        answer = uniform() < SHARES[0] + SHARES[1] * predictor + SHARES[2] * z
        given = answer.astype(float)
    design = Design.parse({"blocks": [DESIGNS[kind]]})
    codes = np.column_stack([answer, predictor, random.random(n) < 0.3]).astype(np.uint8)
    records = disguise(design, codes, np.zeros(n, bool), words_from_seed(int(random.integers(2**62))))
    beside = {"z": z, "disguised": predictor.astype(float), "answered": given, **columns}
    all_records = Records(design, records.codes, records.direct, beside)
    return all_records, {"weights": "w" if "w" in columns else None, "cluster": "c" if "c" in columns else None}, truth


def proportional(eta: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A scale from 1 to 5 with proportional odds: more than 1 to 4 with the odds e^(η − 0, 1, 2, 3)."""
    return 1.0 + (eta + random.logistic(size=len(eta)) > np.arange(4.0)[:, np.newaxis]).sum(axis=0)


# For each outcome its family, the coefficients, and a draw of it from the line in them and the predictor.
Draw = Callable[[np.ndarray, np.ndarray, np.random.Generator], np.ndarray]
OUTCOMES: dict[str, tuple[str, tuple[float, float, float], Draw]] = {
    "scale": ("linear", (2.2, 1.2, 0.2), lambda line, _x, random: 1.0 + random.binomial(4, (line - 1) / 4)),
    "count": ("linear", (2.0, 1.5, 0.3), lambda line, _x, random: random.poisson(line).astype(float)),
    "unequal": ("linear", (1.0, 1.5, 0.5), lambda line, x, random: line + random.normal(size=len(x)) * (1 + 2 * x)),
    "exponential": ("linear", (1.0, 1.5, 0.3), lambda line, x, random: line * random.exponential(size=len(x))),
    "normal": ("linear", (1.0, 0.8, 0.5), lambda line, x, random: line + random.normal(size=len(x))),
    "zero or one": ("linear", (0.3, 0.3, 0.1), lambda line, x, random: (random.random(len(x)) < line).astype(float)),
    "as ordinal": ("ordinal", (0.5, 1.0, 0.4), lambda line, _x, random: proportional(line, random)),
}


def with_outcome(
    name: str, effect: bool, n: int, surveys: int, clusters: bool = False
) -> tuple[np.ndarray, np.ndarray, int]:
    """Of each coefficient how often its interval held the truth and its bias in standard errors; refused surveys.

    In clusters ten people share z, and about six of them give the answers of the first.
    """
    family, given, draw = OUTCOMES[name]
    truth = np.array([given[0], given[1] * effect, given[2]])
    random = np.random.default_rng([*name.encode(), effect, n])
    design = Design.parse({"blocks": [DESIGNS["one coin"]]})
    first = np.arange(n) // 10 * 10 if clusters else np.arange(n)
    fits = []
    for _ in range(surveys):
        z = random.integers(-1, 2, n).astype(float)[first]
        x = random.random(n) < expit(-0.2 + 0.5 * z)
        given_answers = draw(truth @ [np.ones(n), x, z], x, random)
        if clusters:
            like = np.where(random.random(n) < 0.6, first, np.arange(n))
            x, given_answers = x[like], given_answers[like]
        codes = np.column_stack([random.random(n) < 0.3, x, random.random(n) < 0.3]).astype(np.uint8)
        records = disguise(design, codes, np.zeros(n, bool), words_from_seed(int(random.integers(2**62))))
        open_columns = {"z": z, "answered": given_answers, "c": first}
        people = Respondents.of_records(Records(design, records.codes, records.direct, open_columns))
        try:
            sample = Sample(cluster="c") if clusters else None
            fits.append(regression_of(people, "answered", ["predictor", "z"], family, sample=sample).coefficients)
        except InputError:
            continue
    held = np.mean([[a.ci[0] <= t <= a.ci[1] for a, t in zip(fit, truth, strict=True)] for fit in fits], axis=0)
    estimates = np.array([[one.estimate for one in fit] for fit in fits])
    return held, (estimates.mean(axis=0) - truth) / estimates.std(axis=0), surveys - len(fits)


SAMPLES: dict[str, Callable[[str, str, str, int, np.random.Generator], Survey]] = {
    "": plain,
    "weights": draw_weighted,
    "clusters": draw_clustered,
}


def coverage(sample: str, family: str, role: str, kind: str, n: int, surveys: int) -> tuple[np.ndarray, int]:
    """How often each coefficient's interval held the truth, and how many surveys were refused."""
    random = np.random.default_rng([len(sample), len(family), len(role), len(kind), n])
    outcome, predictor = ROLES[role]
    held, refused = np.zeros(3), 0
    for _ in range(surveys):
        records, drawn, truth = SAMPLES[sample](family, role, kind, n, random)
        try:
            coefficients = regression_of(
                Respondents.of_records(records), outcome, [predictor, "z"], family, sample=Sample(**drawn)
            ).coefficients
        except InputError:
            refused += 1
            continue
        held += [one.ci[0] <= true <= one.ci[1] for one, true in zip(coefficients, truth, strict=True)]
    return held / max(surveys - refused, 1), refused


def figures(sample: str, n: int, surveys: int) -> tuple[np.ndarray, int]:
    """The same of a share, of a rule's confidence and of their difference, through `candor compare`."""
    z = np.array([-1, 0, 1])
    carriers = expit(-0.2 + 0.5 * z)
    share = SHARES[0] + SHARES[1] * carriers.mean()
    confidence = float((carriers * (SHARES[0] + SHARES[1] + SHARES[2] * z)).sum() / carriers.sum())
    random = np.random.default_rng([len(sample), n])
    held, refused = np.zeros(3), 0
    for _ in range(surveys):
        records, drawn, _ = SAMPLES[sample]("linear", "both", "one coin", n, random)
        sampling = Sampling.from_columns(records.open_columns, n, Sample(**drawn))
        try:
            one, rule = (figure(records, text, sampling) for text in ("outcome", "predictor => outcome"))
        except InputError:
            refused += 1
            continue
        intervals = [each.estimate(sampling).ci for each in (one, rule, rule.minus(one))]
        truth = (share, confidence, confidence - share)
        held += [low <= true <= high for (low, high), true in zip(intervals, truth, strict=True)]
    return held / max(surveys - refused, 1), refused


def main() -> None:
    surveys = int(sys.argv[1]) if len(sys.argv) > 1 else SURVEYS
    chosen = sys.argv[2:]
    cases = [("", *case) for case in product(("logistic", "linear"), ROLES, DESIGNS, (500, 5000))]
    cases += [
        (sample, family, role, kind, n)
        for sample in ("weights", "clusters")
        for family, role, kind, n in product(("logistic", "linear"), ("outcome", "both"), ("one coin",), (500, 5000))
    ]
    table: list[list[object]] = []
    for case in cases:
        name = " ".join(str(part) for part in case if part)
        if all(part in name for part in chosen):
            held, refused = coverage(*case, surveys)
            table.append([name, *(round(100 * float(share), 2) for share in held), refused])
            print(*table[-1], flush=True)
    print(as_table(["", "intercept", "predictor", "z", "refused"], table))
    others: list[list[object]] = []
    for sample, n in product(SAMPLES, (500, 5000)):
        name = f"figures {sample} {n}"
        if all(part in name for part in chosen):
            held, refused = figures(sample, n, surveys)
            others.append([name, *(round(100 * float(share), 2) for share in held), refused])
            print(*others[-1], flush=True)
    print(as_table(["", "share", "confidence", "difference", "refused"], others))
    outcomes: list[list[object]] = []
    drawn = [*((one, False) for one in OUTCOMES), ("as ordinal", True)]
    for (one, clusters), effect, n in product(drawn, (True, False), (300, 1000, 5000)):
        name = f"population {one} {'clusters ' * clusters}{'effect' if effect else 'none'} {n}"
        if all(part in name for part in chosen):
            held, bias, refused = with_outcome(one, effect, n, surveys, clusters)
            figures_of_it = [*(round(100 * float(share), 2) for share in held), *(round(float(far), 2) for far in bias)]
            outcomes.append([name, *figures_of_it, refused])
            print(*outcomes[-1], flush=True)
    print(as_table(["", "intercept", "predictor", "z", *["bias"] * 3, "refused"], outcomes))


if __name__ == "__main__":
    main()
