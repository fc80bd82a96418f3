"""Whether two arms of different strength tell the same shares, and what follows if not.

In a design with arms each device draws by chance which of two strengths disguises its record, and says which. Honest
devices then lead to the same shares in both arms, whatever is true of the people: with d_r the part of an answer that
arm r keeps and c_r what noise alone says, (mean − c_r)/d_r is unbiased for the share π in each. Two kinds of devices do
not. Of a share b of them

    who send true answers undisguised       move the share of arm r by b(π − c_r − d_r π)/d_r,
    who send records drawn at random        by b(½ − c_r − d_r π)/d_r,

and d_r differs between the arms. People who answer at random on honest devices move both arms alike: an answer of known
share finds them, and arms do not. Wald's test of all differences together decides (as Hotelling's T², because the
covariances are estimated); beside it stands each answer, corrected by Holm. Both arms together tell an answer best by
inverse variance.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from privacy.arrays import Floats
from privacy.design import ARM, ARMS, Design
from privacy.design.patterns import Pattern
from privacy.errors import InputError
from privacy.estimate.intervals import standard_errors, two_sided
from privacy.estimate.weights import channel_of, factors
from privacy.options import check_arguments, tables
from privacy.output import count_of, to_json_value
from privacy.reconstruct.group_difference import LEVEL, check_least, comparable, holm
from privacy.records.records import Records, require_records
from privacy.result import DataFrame, Result, TextColumns

POWER = 0.8
_ITERATIONS = 8


@dataclass(frozen=True)
class AnswerOfTwo:
    """One answer of two groups: its share in each, and of both together; p is corrected for all answers (Holm)."""

    answer: str
    first: float
    second: float
    difference: float
    se: float
    ci: tuple[float, float]
    p: float
    share: float
    share_se: float

    def to_json(self) -> dict[str, Any]:
        figures = {"answer": self.answer, "weaker": self.first, "stronger": self.second, "difference": self.difference}
        both = {"share": self.share, "se": self.share_se}
        return figures | {"se": self.se, "ci": list(self.ci), "p": self.p, "both": both}


@dataclass(frozen=True, repr=False)
class Arms(Result):
    """A comparison of two arms; `candor.arms` makes it.

    `drawn` is how likely chance shares them out so unevenly or more so; `p` that all answers together differ so much.
    `bypass` and `noise` are the least shares of devices that do not disguise, and that send records drawn at random,
    which are found in four surveys of five; None where not even all would be.
    """

    n: tuple[int, int]
    drawn: float
    p: float
    answers: tuple[AnswerOfTwo, ...]
    bypass: float | None
    noise: float | None

    @property
    def alike(self) -> bool | None:
        """Whether nothing speaks against one share in both; None where there is nothing to compare."""
        return self.p >= LEVEL if self.answers else None

    @property
    def differing(self) -> tuple[AnswerOfTwo, ...]:
        return tuple(answer for answer in self.answers if answer.p < LEVEL)

    def contents(self) -> Iterator[str | TextColumns]:
        yield f"{count_of(self.n[0], 'record')} of the weaker arm, {self.n[1]} of the stronger one"
        if self.drawn < LEVEL:
            yield f"Chance makes such uneven arms in few surveys (p = {self.drawn:.2g})."
        if not self.answers:
            yield "There are not two arms to compare."
            return
        rows = [
            [one.answer, one.first, one.second, one.difference, *one.ci, one.p, one.share, one.share_se]
            for one in self.answers
        ]
        headings = ["answer", "weaker", "stronger", "difference", "from", "to", "corrected p", "of both", "se"]
        yield TextColumns(headings, rows)
        yield ""
        yield f"All answers together: p = {self.p:.3g}."
        kinds = [("devices that do not disguise", self.bypass), ("records drawn at random", self.noise)]
        parts = [f"{kind} from {math.ceil(round(100 * share, 2))} % on" for kind, share in kinds if share is not None]
        yield f"Such a test finds {' and '.join(parts) or 'nothing'} in four of five surveys."
        yield ""
        if not self.alike:
            yield "The arms give different shares: some devices do not disguise as agreed, or responses are forged."
        else:
            yield "The arms agree. People who answer at random change both alike, so this test does not see them."

    def picture(self) -> str:
        """The difference of the arms in each answer, with its interval."""
        from privacy.draw import named_rows

        answers = self.answers[: named_rows.MOST_ROWS]
        return named_rows.differences(
            "Weaker less stronger arm, with its interval",
            [one.answer for one in answers],
            [one.difference for one in answers],
            [one.ci for one in answers],
        )

    def to_frame(self) -> DataFrame:
        """Return a row for each answer."""
        import pandas as pd

        return pd.json_normalize(self.to_json()["answers"])

    def to_json(self) -> dict[str, Any]:
        figures = {"n": dict(zip(ARMS, self.n, strict=True)), "drawn": self.drawn, "p": self.p, "alike": self.alike}
        powers = {"bypass": self.bypass, "noise": self.noise}
        return to_json_value(figures | powers | {"answers": [answer.to_json() for answer in self.answers]})


@check_arguments(tables.ARMS)
def arms(records: Records, *, least: int = 1) -> Arms:
    """Say whether the two arms of a design tell the same shares, as honest devices do.

    Parameters
    ----------
    records : Records
        With the undisguised column ``arm``, as `candor.disguise` makes it and ``read_records(…, open_columns=True)``
        reads it.
    least : int
        Answers that fewer of either arm were asked are left out.

    Returns
    -------
    Arms
        Of each answer both shares, their difference with its interval, and what both arms tell together; p of all
        differences, and what such a test can find.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> block = {"keep": 0.6, "stronger": 0.5, "items": [{"id": "drugs", "theta": 0.5}]}
    >>> design = candor.Design.parse({"blocks": [block]})
    >>> frame = pd.DataFrame({"drugs": [1] * 600 + [0] * 1400})
    >>> candor.arms(candor.disguise(frame, design, seed=3)).alike
    True
    """
    from scipy.special import bdtr

    require_records(records)
    check_least(least)
    design = records.design
    if design.arms is None:
        raise InputError("the design has no two arms to compare.")
    if ARM not in records.open_columns:
        raise InputError(f"the column {ARM!r} is missing; it names the arm of each record.")
    column = records.open_columns[ARM]
    unknown = [value for value in dict.fromkeys(column.tolist()) if value not in ARMS]
    if unknown:
        raise InputError(f"{ARM}: {unknown[0]!r} is not one of {', '.join(ARMS)}.")
    inside = [~records.direct & (column == name) for name in ARMS]
    n = tuple(int(own.sum()) for own in inside)
    drawn = min(2 * float(bdtr(min(n), sum(n), 0.5)), 1.0)
    codes = [records.codes[own] for own in inside]
    patterns = well_asked(design, _answers(design), codes, least)
    detected = detectable(design, sum(n))
    if not patterns:
        return Arms((n[0], n[1]), drawn, 1.0, (), *detected)
    (_, weaker, v), (_, stronger, w) = (
        shares_of(arm, own, patterns) for arm, own in zip(design.arms, codes, strict=True)
    )
    p = _together(weaker - stronger, v + w, sum(n))
    each = compare_each(design, patterns, (weaker, np.diag(v)), (stronger, np.diag(w)))
    return Arms((n[0], n[1]), drawn, p, each, *detected)


def _answers(design: Design) -> list[Pattern]:
    """The answers, a pattern of one literal each, that are compared: those to blocks with arms."""
    both = comparable(design)
    return [pattern for pattern in both if design.blocks[design.place(pattern.columns[0])[0]].arms]


def well_asked(design: Design, patterns: Sequence[Pattern], codes: Sequence[np.ndarray], least: int) -> list[Pattern]:
    """The answers that so many of each group were asked."""
    return [
        pattern
        for pattern in patterns
        if all((own[:, pattern.columns[0]] != design.not_asked).sum() >= max(least, 2) for own in codes)
    ]


def shares_of(design: Design, codes: np.ndarray, patterns: Sequence[Pattern]) -> tuple[Floats, Floats, Floats]:
    """Of each answer in one group how many were asked, its share, and the covariance of shares."""
    asked, matches = np.zeros((2, len(codes), len(patterns)))
    for place, pattern in enumerate(patterns):
        ((column, options),) = pattern.literals
        asked[:, place] = codes[:, column] != design.not_asked
        matches[:, place] = np.isin(codes[:, column], sorted(options))
    c, d = _lines(design, patterns)
    n, both = asked.sum(axis=0), asked.T @ asked
    seen = matches.sum(axis=0) / n
    means = np.divide(matches.T @ matches, both, out=np.outer(seen, seen), where=both > 0)
    covariance = both / np.outer(n, n) * (means - np.outer(seen, seen))
    smooth = (n * seen + 0.5) / (n + 1)  # an answer that all records say, or none, is not known without error
    np.fill_diagonal(covariance, smooth * (1 - smooth) / n)
    return n, (seen - c) / d, covariance / np.outer(d, d)


def compare_each(
    design: Design,
    patterns: Sequence[Pattern],
    first: tuple[Floats, Floats],
    second: tuple[Floats, Floats],
    people: tuple[Floats, Floats] | None = None,
    off: Floats | float = 0.0,
) -> tuple[AnswerOfTwo, ...]:
    """Compare two groups answer by answer, the first less the second; each is given as shares and their variances.

    Both together tell a share by inverse variance, which is right where both are alike; or as strata of so many
    `people`, which is right whether or not they are. A difference may be `off` by so much, over which its interval
    and its p reach.
    """
    (one, v), (two, w) = first, second
    apart, se, part, between = one - two, np.sqrt(v + w), w / (v + w), np.zeros_like(v)
    if people is not None:
        part = people[0] / sum(people)
        between = part * (1 - part) * apart**2 / sum(people)
    corrected, half = holm(two_sided(np.maximum(abs(apart) - off, 0) / se)), standard_errors(1 - LEVEL) * se + off
    share_se = np.sqrt(part**2 * v + (1 - part) ** 2 * w + between)
    share = part * one + (1 - part) * two
    rows = np.array([one, two, apart, se, apart - half, apart + half, corrected, share, share_se]).T.tolist()
    return tuple(
        AnswerOfTwo(pattern.text(design), a, b, difference, error, (low, high), p, mean, mean_error)
        for pattern, (a, b, difference, error, low, high, p, mean, mean_error) in zip(patterns, rows, strict=True)
    )


def _together(differences: Floats, covariance: Floats, n: int) -> float:
    """Test all differences at once by Hotelling's T²; return p."""
    from scipy.special import fdtrc

    values, vectors = np.linalg.eigh(covariance)
    known = values > 1e-9 * values.max(initial=0)  # the shares of all options of an item sum to 1
    free, left = int(known.sum()), n - 1 - int(known.sum())
    if not free or left < 1:
        return 1.0
    square = float(((vectors.T @ differences)[known] ** 2 / values[known]).sum())
    return float(fdtrc(free, left, square * left / (free * (n - 2))))


@lru_cache(maxsize=64)
def detectable(design: Design, respondents: int, support: float = 0.3) -> tuple[float | None, float | None]:
    """The least shares of devices that two arms find in four of five surveys.

    Those that do not disguise, and those that send records drawn at random; None: not even all are found. `respondents`
    answer disguised in both arms, and the share `support` says yes to each yes/no question, independently; options of a
    choice are equally common.

    >>> items = [{"id": name, "theta": 0.6} for name in "abc"]
    >>> design = Design.parse({"blocks": [{"keep": 0.5, "stronger": 0.4, "items": items}]})
    >>> [round(share, 2) for share in detectable(design, 2000)]
    [0.19, 0.56]
    """
    from scipy.special import chdtri, chndtrinc

    patterns = _answers(design)
    if design.arms is None or not patterns or respondents < 2:
        return None, None
    yes_no = [design.items[pattern.columns[0]].boolean for pattern in patterns]
    answers = [literal for pattern in patterns for literal in pattern.literals]
    at_random = np.array([len(options) / len(design.items[column].options) for column, options in answers])
    truth = np.where(yes_no, support, at_random)
    lines = [_lines(arm, patterns) for arm in design.arms]
    seen = [c + d * truth for c, d in lines]
    both = [_chance_of_both(arm, patterns, truth) for arm in design.arms]
    joined = _overlap(design, patterns) / (respondents / 2)
    shares: list[float | None] = []
    for sent in (truth, at_random):
        moved = np.subtract(*((sent - own) / d for own, (_, d) in zip(seen, lines, strict=True)))
        share = 0.0
        for _ in range(_ITERATIONS):  # such devices change the errors, too
            covariance = np.zeros_like(joined)
            for own, pairs, (_c, d) in zip(seen, both, lines, strict=True):
                mean = own + share * (sent - own)
                match = pairs + share * (_if_independent(patterns, sent) - pairs)
                covariance += joined * (match - np.outer(mean, mean)) / np.outer(d, d)
            free = int(np.linalg.matrix_rank(covariance, tol=1e-9 * np.abs(covariance).max(), hermitian=True))
            square = float(moved @ np.linalg.pinv(covariance, rcond=1e-9, hermitian=True) @ moved)
            needed = float(chndtrinc(chdtri(free, LEVEL), free, 1 - POWER))  # the noncentrality that is found so often
            share = min(math.sqrt(needed / square), 1.0) if square > 0 else 1.0
        shares.append(share if share < 1 else None)
    return shares[0], shares[1]


def _lines(design: Design, patterns: Sequence[Pattern]) -> tuple[Floats, Floats]:
    """Of each pattern c and d of P(record matches) = c + d·π, where π is the true share and c what noise makes."""
    lines = [channel_of([factors(design, pattern)]).line() for pattern in patterns]
    c, d = (np.concatenate(part) for part in zip(*lines, strict=True))
    return c, d


def _overlap(design: Design, patterns: Sequence[Pattern]) -> Floats:
    """For each two answers a and b n·n_ab/(n_a·n_b), where n_a of n people are asked a, n_b b, and n_ab both."""
    block = design.blocks[design.place(patterns[0].columns[0])[0]]
    size, ask = len(block.items), block.items_per_person
    columns = np.array([pattern.columns[0] for pattern in patterns])
    share = ask / size
    two = share if size == 1 else share * (ask - 1) / (size - 1)
    return np.where(columns[:, None] == columns, share, two) / share**2


def _if_independent(patterns: Sequence[Pattern], shares: Floats) -> Floats:
    """For each two answers the chance that a record matches both, where different questions are independent."""
    columns = np.array([pattern.columns[0] for pattern in patterns])
    return np.where(columns[:, None] == columns, np.diag(shares), np.outer(shares, shares))


def _chance_of_both(design: Design, patterns: Sequence[Pattern], truth: Floats) -> Floats:
    """For each two answers the chance that a disguised record matches both; `truth`: their independent shares."""
    c, d = _lines(design, patterns)
    both = _if_independent(patterns, c + d * truth)
    for a, b in combinations(range(len(patterns)), 2):
        if patterns[a].columns != patterns[b].columns:
            both[a, b] = both[b, a] = _chance_of_match(design, (patterns[a], patterns[b]), truth[[a, b]])
    return both


def _chance_of_match(design: Design, pair: tuple[Pattern, Pattern], truth: Floats) -> float:
    """The chance that a disguised record matches both answers, of one block, whose true shares are `truth`."""
    literals = [literal for pattern in pair for literal in pattern.literals]
    table = np.ones(())
    for (column, options), share in zip(literals, truth, strict=True):
        chosen = np.isin(np.arange(len(design.items[column].options)), sorted(options))
        table = np.multiply.outer(table, np.where(chosen, share / chosen.sum(), (1 - share) / (~chosen).sum()))
    places = [design.place(column)[1] for column, _ in literals]
    for part in design.blocks[design.place(literals[0][0])[0]].patterns.along([0, 1], places, table.shape):
        table = part.disguise(table)
    return float(table[np.ix_(*(sorted(options) for _, options in literals))].sum())
