"""The grouped unrelated-question model of 2010: the truth with the chance `keep`, else all yes (`theta`) or all no.

A record that mixes yes and no can only be the truth, so γ = ∞. For study; a live survey refuses it. The improved
grouped model, whose noise says yes or no to each item apart, is a coin block.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any, ClassVar

import numpy as np

from privacy.design import gammas, reading, sentences
from privacy.design.block import Sketched, Unadvised
from privacy.design.channels import Literal, replacing
from privacy.design.draws import Take
from privacy.design.forms import Form
from privacy.design.gammas import Gamma
from privacy.design.items import Item
from privacy.design.notation import Notation, check_numerator, read_bare_items, write_item
from privacy.design.rationals import ONE, decimal
from privacy.design.sentences import Said, paired
from privacy.errors import EntryError, InputError, to_translate

Entry = Mapping[str, Any]


_YES_NO = (
    (sentences.STORED, {"said": sentences.YES, "stored": sentences.NO}),
    (sentences.STORED, {"said": sentences.NO, "stored": sentences.YES}),
)
_MIXED = to_translate(
    "But chance says the same to all questions. So stored answers that hold both “yes” and “no” are true, and hidden "
    "from nobody."
)


@dataclass(frozen=True)
class GroupedBlock(Unadvised):
    items: tuple[Item, ...]
    keep: int
    theta: int

    mark: ClassVar[str] = "theta"  # only this kind names theta for the whole block
    symbols: ClassVar[Mapping[str, str]] = {"theta": "θ"}
    leaks: ClassVar[bool] = True
    arms: ClassVar[None] = None

    @classmethod
    def read(cls, entry: Entry, where: str, notation: Notation) -> "GroupedBlock":
        keep = notation.share(entry, "keep", where)
        reading.only_keys(entry, ("keep", "theta", "items"), where)
        return cls(read_bare_items(entry, where), keep, notation.share(entry, "theta", where))

    def check(self, where: str, direct: bool) -> None:
        check_numerator(self.keep, f"{where}.keep")
        check_numerator(self.theta, f"{where}.theta")
        if not all(item.boolean and item.noise is None for item in self.items):
            raise InputError(f"{where}.items: the grouped model has yes/no items without noise of their own.")
        if self.keep == 0 and not direct:
            raise EntryError(
                "0 keeps no answer, so without a direct group nothing could be recovered.", at=f"{where}.keep"
            )

    def friendly_entry(self) -> dict[str, Any]:
        model: dict[str, Any] = {"model": "grouped", "p": decimal(self.keep), "theta": decimal(self.theta)}
        return model | {"items": [{"id": item.id} for item in self.items]}

    def exact_entry(self) -> dict[str, Any]:
        return {"keep": self.keep, "theta": self.theta, "items": [write_item(item) for item in self.items]}

    @property
    def asked(self) -> int:
        return len(self.items)

    @property
    def gamma(self) -> Gamma:
        """Infinite from two items on: a record that mixes yes and no is the truth."""
        if self.keep > 0 and len(self.items) > 1:
            return inf
        return self.item_gamma(0)

    @property
    def odds(self) -> Gamma:
        return self.gamma

    def item_gamma(self, place: int) -> Gamma:
        del place
        return gammas.of_coin(self.keep, Fraction(min(self.theta, ONE - self.theta), ONE))

    def item_odds(self, place: int) -> Gamma:
        return self.item_gamma(place)

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        del here
        keep, theta = Fraction(self.keep, ONE), Fraction(self.theta, ONE)
        return keep * (truth == sent) + (1 - keep) * (theta * all(sent) + (1 - theta) * (not any(sent)))

    def certain(self, codes: np.ndarray) -> np.ndarray:
        """The mixed ones: neither all yes nor all no."""
        return np.logical_and(codes.any(axis=1), ~codes.all(axis=1))

    def disguise(self, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
        """One word for the coin, one for the common answer (a browser never has such a block)."""
        kept = take(len(truth)) < self.keep
        common = take(len(truth)) >= ONE - self.theta
        return np.where(kept[:, np.newaxis] | ~here, truth, common[:, np.newaxis])

    blanket: ClassVar[None] = None
    figures: ClassVar[Mapping[str, Any]] = {}

    # What people are told of it.

    @classmethod
    def explain(cls, blocks: Sequence["GroupedBlock"]) -> list[tuple[Sequence["GroupedBlock"], list[Said]]]:
        """One answer comes as the other one by noise alone; several that differ in a record are true."""
        pairs = [
            (
                Fraction((ONE - block.keep) * (ONE - block.theta), ONE**2),
                Fraction((ONE - block.keep) * block.theta, ONE**2),
            )
            for block in blocks
        ]
        mixed = [Said(_MIXED, {})] if any(block.gamma == inf for block in blocks) else []
        return [(blocks, [*paired(_YES_NO, pairs), *mixed])]

    together: ClassVar[str] = sentences.TOGETHER
    believed: ClassVar[str] = sentences.BELIEVED
    note: ClassVar[str] = ""
    advice: ClassVar[str] = to_translate("This model is for study alone: it gives answers away.")

    # How it is inverted: one coin, and noise that says all yes or all no, (3)–(6) of the paper.

    @property
    def coin(self) -> float | None:
        return self.keep / ONE

    apart: ClassVar[bool] = False

    def factors(self, first: int, literals: Sequence[Literal]) -> list[replacing.Factor]:
        del first
        yes, no = all(1 in options for _, options in literals), all(0 in options for _, options in literals)
        noise = (self.theta * yes + (ONE - self.theta) * no) / ONE
        return [replacing.Factor(self.items, (tuple(literals),), self.keep / ONE, noise)]

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> list[replacing.OfTable]:
        del places
        noise = np.zeros((2,) * len(axes))
        noise.flat[0], noise.flat[-1] = 1 - self.theta / ONE, self.theta / ONE
        return [replacing.OfTable.over(axes, self.keep / ONE, noise, shape)]

    def literal_noise(self, place: int, option: int, positive: bool) -> float:
        del place
        return (self.theta if positive == (option == 1) else ONE - self.theta) / ONE

    def of_patterns(self, yes: np.ndarray) -> replacing.OfPatterns:
        """Noise matches where it says what all the literals say, and never where these differ."""
        said = np.where(yes[:, 0], self.theta / ONE, (ONE - self.theta) / ONE)
        noise = np.where((yes == yes[:, :1]).all(axis=1), said, 0.0)
        return replacing.OfPatterns.of(np.full(len(yes), self.keep / ONE), noise)

    ordered: ClassVar[None] = None
    distribution: ClassVar[None] = None
    cut: ClassVar[None] = None

    # No advice and no form: it leaks.

    def sketch(self, items: tuple[int, ...]) -> Sketched:
        del items
        raise InputError("The grouped model leaks and has no place in advice.")

    forms: ClassVar[tuple[Form, ...]] = ()
