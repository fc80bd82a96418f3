"""What disguised columns of a release tell, all of it worked out from the release and its design.

Who finds the row of a person learns what one coin lets through, which γ bounds. Who knows only the class of a person
reads all its rows: they tell how common each value is in the class, and no γ and no k bounds that.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.design import Design
from privacy.design.gammas import Gamma, outward
from privacy.design.rationals import ONE
from privacy.design.sentences import Said, three_digits
from privacy.errors import to_translate
from privacy.guarantee import epsilon, posterior_bound
from privacy.output import to_json_value
from privacy.release.pram import ChannelSpec
from privacy.release.sensitive import encode

NODES = 201  # of the integral over the share of a class: exact for classes of up to 400 rows
PRIOR = Fraction(1, 20)

OWN = to_translate(
    "“{secret}” is disguised: many rows show another value than the true one. Somebody who gave something a chance of "
    "{prior} gives it at most {posterior} after finding the person's row."
)
OF_CLASS = to_translate(
    "Rows of a group together tell more than one. Somebody who knows only that a person is one of {size} alike goes "
    "from {before} to {after} about “{value}” of “{secret}”. Neither γ nor k limits that."
)
TOGETHER = to_translate(
    "The disguised columns of one row together multiply the odds of anything by at most {gamma}, the product of their "
    "γ."
)
SHARES = to_translate(
    "The design of “{secret}” tells how often each value occurs. Somebody who knows the value of everybody else learns "
    "the last one from it, whatever γ is."
)
LISTED = to_translate(
    "The values of “{secret}” were read from the table, so the design tells that each of them occurs."
)
AGAIN = to_translate("To disguise the same rows once more would multiply γ. Publish them once.")


@dataclass(frozen=True)
class ClassBelief:
    """What somebody believes of a value before the rows of a class and after them."""

    value: str
    before: float
    after: float
    size: int

    @property
    def growth(self) -> float:
        return self.after / (1 - self.after) * (1 - self.before) / self.before


@dataclass(frozen=True)
class DisguisedColumn:
    """A column of the release that is disguised, and what it tells.

    `error`: the standard error of a reconstructed share, at most. `of_class` is the belief whose odds the rows of a
    class raise most, None where every value or none is certain.
    """

    name: str
    values: tuple[str, ...]
    gamma: Gamma
    keep: float
    invariant: bool
    listed: bool
    error: float
    of_class: ClassBelief | None

    def sentences(self) -> list[Said]:
        own = ceil(100 * posterior_bound(PRIOR, self.gamma))
        said = [Said(OWN, {"secret": self.name, "prior": f"{int(100 * PRIOR)} %", "posterior": f"{own} %"})]
        if found := self.of_class:
            before, after = (f"{three_digits(100 * belief)} %" for belief in (found.before, found.after))
            about: dict[str, int | str] = {"secret": self.name, "value": found.value, "size": found.size}
            said.append(Said(OF_CLASS, about | {"before": before, "after": after}))
        said += [Said(SHARES, {"secret": self.name})] if self.invariant else []
        return said + ([Said(LISTED, {"secret": self.name})] if self.listed else [])

    def to_json(self) -> dict[str, Any]:
        """An entry of the member `disguised` of the report."""
        found = self.of_class
        return {
            "column": self.name,
            "values": list(self.values),
            "gamma": to_json_value(outward(self.gamma)),
            "epsilon": to_json_value(epsilon(self.gamma)),
            "keep": self.keep,
            "invariant": self.invariant,
            "error": self.error,
            "class": found and {"value": found.value, "before": found.before, "after": found.after, "size": found.size},
        }


def judge_columns(
    design: Design, columns: Mapping[str, Sequence[str]], asked: Mapping[str, ChannelSpec], member: Ints
) -> tuple[DisguisedColumn, ...]:
    """Say what each disguised column of a release tells; `member` is the class of each row."""
    judged = []
    for block in design.blocks:
        (item,) = block.items
        codes = encode(columns[item.id], item.options)
        keep, noise = block.keep / ONE, np.array(item.noise) / ONE  # type: ignore[attr-defined]
        judged.append(
            DisguisedColumn(
                item.id,
                item.options,
                block.gamma,
                keep,
                asked[item.id].invariant,
                asked[item.id].options is None,
                0.5 / keep / len(codes) ** 0.5,
                _largest_rise(item.options, codes, member, keep, noise),
            )
        )
    return tuple(judged)


def say_columns(judged: Sequence[DisguisedColumn], design: Design) -> list[Said]:
    """Say what γ and k promise together of disguised columns, and what they do not."""
    said = [sentence for one in judged for sentence in one.sentences()]
    if len(judged) > 1:
        said.append(Said(TOGETHER, {"gamma": three_digits(outward(design.gamma))}))
    return [*said, Said(AGAIN, {})]


def _largest_rise(values: Sequence[str], codes: Ints, member: Ints, keep: float, noise: Floats) -> ClassBelief | None:
    """The belief whose odds grow most by the rows of a class, of values that at least one row should have."""
    rows, sizes = len(codes), np.bincount(member)
    raw = np.clip((np.bincount(codes, minlength=len(values)) / rows - (1 - keep) * noise) / keep, 0, None)
    shares = raw / raw.sum()
    found: list[ClassBelief] = []
    for code, share in enumerate(shares.tolist()):
        if not 1 / rows <= share < 1:
            continue
        seen = np.bincount(member[codes == code], minlength=len(sizes))
        pairs = np.unique(np.stack([sizes, seen]), axis=1)
        after = class_beliefs(pairs[0], pairs[1], share, keep, float(noise[code]))
        place = int(after.argmax())
        found.append(ClassBelief(values[code], share, float(after[place]), int(pairs[0, place])))
    return max(found, key=lambda one: one.growth, default=None)


def class_beliefs(sizes: Ints, seen: Ints, share: float, keep: float, noise: float) -> Floats:
    """How likely a person of a class is to have a value, to somebody who reads its rows and knows the channel.

    `seen` of the `sizes` rows show the value. The reader thinks it as common in a class as in the table, `share`, and
    knows no more of the class: its share p there is Beta(share, 1 − share), the weight of one row. What a class then
    tells is an integral over p of a polynomial of degree `sizes`, which Gauss and Jacobi's rule gives exactly. Of
    larger classes the reconstructed share is taken.

    >>> class_beliefs(np.array([1, 50]), np.array([1, 45]), 0.5, 0.8, 0.5).round(3).tolist()
    [0.9, 0.978]
    """
    from scipy.special import roots_jacobi  # a site that takes answers needs no scipy

    with np.errstate(invalid="ignore"):  # of a branch that is not taken, where the powers sum to −1 as here
        points, weights = roots_jacobi(min(int(sizes.max()) // 2 + 1, NODES), -share, share - 1)
    p = (points + 1) / 2
    other = (1 - keep) * noise  # the chance that a row shows it which has another value
    shows = other + keep * p
    size, count = sizes[:, None], seen[:, None]
    chances = count * np.log(shows) + (size - count) * np.log1p(-shows)
    chances = np.exp(chances - chances.max(axis=1, keepdims=True)) * weights
    own = count * p * (other + keep) / shows + (size - count) * p * (1 - other - keep) / (1 - shows)
    exact = (chances * own).sum(axis=1) / chances.sum(axis=1) / sizes
    large = np.clip((seen / sizes - other) / keep, 0, 1)
    return np.asarray(np.where(sizes < 2 * NODES, exact, (large * sizes + share) / (sizes + 1)))
