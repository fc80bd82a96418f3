"""A patterned block: which yes/no answers are turned over is drawn from a table over all sets of places in an order.

The answers asked stand in a public order (see `privacy.design.channels.orders`), and `patterned` holds the chances of
the 2^s sets of places that may be turned over: bit j of the number of a set is the place j. Flips are the tables in
which these chances depend on the number of places alone. With `ask`, only that many of the items, drawn per respondent,
are asked.

A product of answers written ±1 at the places T keeps its expectation up to λ_T = Σ_m table[m]·(−1)^|m∩T|, as in the
randomised binary matrices of Warner's model (Walsh–Hadamard; Cormode, Kulkarni and Srivastava, Marginal release under
local differential privacy, 2018, section 4). Another order puts the same answers at other places, so each record counts
by its own λ (`privacy.reconstruct.by_order`). Two records that hold the same answers at the places in which two truths
differ have chances whose quotient is at most γ = max table / min table, and some have.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, comb, floor, inf
from typing import Any, ClassVar

import numpy as np

from privacy.design import reading, sentences
from privacy.design.block import Judge, Plan, Planned, Unproposed
from privacy.design.blocks.patterned.form import FORMS
from privacy.design.blocks.patterned.tables import likelier, of_typical, shared, walsh
from privacy.design.brief import Brief, ExpectedItem
from privacy.design.channels import ByOrder, Floats, Literal, Squares, by_size, turning
from privacy.design.channels.orders import MOST_ORDERED, ordered_places
from privacy.design.draws import Take, draw, spread
from privacy.design.forms import Form
from privacy.design.gammas import Gamma
from privacy.design.items import Item
from privacy.design.notation import Notation, check_ask, read_ask, read_bare_items, write_ask, write_item
from privacy.design.rationals import ONE, apportion_within, decimals
from privacy.design.sentences import Said, paired
from privacy.errors import EntryError, InputError, to_translate

Entry = Mapping[str, Any]

_ANSWERS = (sentences.YES, sentences.NO)
_TURNED = [(sentences.STORED, {"said": one, "stored": other}) for one, other in (_ANSWERS, _ANSWERS[::-1])]


@dataclass(frozen=True)
class PatternedBlock(Unproposed):
    items: tuple[Item, ...]
    table: tuple[int, ...]
    ask: int | None = None

    mark: ClassVar[str] = "patterned"
    symbols: ClassVar[Mapping[str, str]] = {}
    leaks: ClassVar[bool] = False
    arms: ClassVar[None] = None

    @classmethod
    def read(cls, entry: Entry, where: str, notation: Notation) -> "PatternedBlock":
        reading.only_keys(entry, ("patterned", "items", "ask"), where)
        items = read_bare_items(entry, where)
        return cls(items, notation.shares(entry["patterned"], f"{where}.patterned"), read_ask(entry, where))

    def check(self, where: str, direct: bool) -> None:
        check_ask(self.ask, len(self.items), where)
        if self.asked > MOST_ORDERED:
            raise EntryError(
                "{count} answers in an order are more than {most}; ask fewer.",
                at=f"{where}.ask",
                count=self.asked,
                most=MOST_ORDERED,
            )
        for place, item in enumerate(self.items):
            if not item.boolean or item.noise is not None:
                raise InputError(
                    f"{where}.items[{place}]: {item.id!r} is not a yes/no item without noise, as patterns need."
                )
        if len(self.table) != 2**self.asked or min(self.table) < 0 or sum(self.table) != ONE:
            raise EntryError(
                "{count} shares do not say how likely each set of {size} answers is turned over; "
                "give {needed} shares that sum to 1.",
                at=f"{where}.patterned",
                count=len(self.table),
                size=self.asked,
                needed=2**self.asked,
            )
        mostly = [place for place, turned in enumerate(self._turned) if turned > ONE // 2 + len(self.table)]
        if mostly:
            raise EntryError(
                "the answer at place {place} is turned over more often than not; turn it over in the other sets.",
                at=f"{where}.patterned",
                place=mostly[0],
            )
        if not direct and not self.ordered.strengths[1:].any():
            raise EntryError(
                "this table leaves nothing of any answer, so nothing could be recovered.", at=f"{where}.patterned"
            )

    def friendly_entry(self) -> dict[str, Any]:
        return (
            {"patterned": decimals(self.table)}
            | write_ask(self.ask)
            | {"items": [{"id": item.id} for item in self.items]}
        )

    def exact_entry(self) -> dict[str, Any]:
        return {"patterned": list(self.table), "items": [write_item(item) for item in self.items]} | write_ask(self.ask)

    @property
    def asked(self) -> int:
        return self.ask or len(self.items)

    @property
    def _turned(self) -> list[int]:
        """How often the answer at each place of the order is turned over."""
        return [sum(share for mask, share in enumerate(self.table) if mask >> place & 1) for place in range(self.asked)]

    @property
    def gamma(self) -> Gamma:
        """Every set of places lies between what was sent and some truth."""
        return Fraction(max(self.table), min(self.table)) if min(self.table) else inf

    @property
    def odds(self) -> Gamma:
        return self.gamma

    def item_gamma(self, place: int) -> Gamma:
        """γ of one answer, wherever it stands in the order."""
        del place
        seldom = min(min(turned, ONE - turned) for turned in self._turned)
        return Fraction(ONE - seldom, seldom) if seldom else inf

    def item_odds(self, place: int) -> Gamma:
        return self.item_gamma(place)

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        asked = np.isin(np.arange(len(self.items)), here)[np.newaxis]
        places = ordered_places(asked, self.asked)[0, list(here)].tolist()
        turned = sum(1 << place for place, a, b in zip(places, truth, sent, strict=True) if a != b)
        return Fraction(self.table[turned], ONE)

    def certain(self, codes: np.ndarray) -> np.ndarray:
        return np.zeros(len(codes), dtype=bool)

    def disguise(self, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
        """One word for the set of places that is turned over."""
        turned = draw(self.table, take(len(truth)))
        places = ordered_places(here, self.asked)[here].reshape(len(truth), self.asked)
        return truth ^ spread((turned[:, np.newaxis] >> places & 1).astype(truth.dtype).ravel(), here)

    blanket: ClassVar[None] = None  # not worked out: which places two truths differ in depends on what was asked
    figures: ClassVar[Mapping[str, Any]] = {}

    # What people are told of it.

    @classmethod
    def explain(cls, blocks: Sequence["PatternedBlock"]) -> list[tuple[Sequence["PatternedBlock"], list[Said]]]:
        """How often one answer is turned over, at the place of the order that hides it least."""
        shares = [Fraction(turned, ONE) for block in blocks for turned in block._turned]
        return [(blocks, paired(_TURNED, [(share, share) for share in shares]))]

    together: ClassVar[str] = sentences.TOGETHER
    believed: ClassVar[str] = sentences.BELIEVED
    note: ClassVar[str] = ""
    advice: ClassVar[str] = to_translate(
        "γ is above this site’s limit of {limit}. Disguise more (a smaller γ), or ask fewer questions of a block."
    )

    # How it is inverted: by the strength at the places where each record has its answers.

    coin: ClassVar[None] = None
    apart: ClassVar[bool] = False

    @cached_property
    def ordered(self) -> ByOrder:
        """What is left of products of answers, by the set of their places; 0 where it is only rounding of the table."""
        strengths = walsh(np.array(self.table, dtype=float) / ONE)
        return ByOrder(np.where(abs(strengths) > len(self.table) / ONE, strengths, 0.0), self.asked)

    def factors(self, first: int, literals: Sequence[Literal]) -> list[turning.Factor]:
        """As flips whose strengths are root mean squares over all places: how well orders tell of it on average."""
        del first
        strengths = tuple(self.ordered.typical[: len(literals) + 1].tolist())
        return [_Typical(self.items, tuple((literal,) for literal in literals), strengths)]

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> list[turning.OfTable]:
        """Of one answer the mean over all places, for whoever does not look at the order; of several there is none."""
        del shape
        if len(axes) > 1:
            names = ", ".join(repr(self.items[place].id) for place in places)
            raise InputError(f"{names} stand in a public order, which this does not look at; ask for their patterns.")
        return [turning.OfTable(tuple(axes), self.ordered.mean[: len(axes) + 1])]

    def literal_noise(self, place: int, option: int, positive: bool) -> float:
        """No noise stands in place of an answer."""
        del place, option, positive
        return np.nan

    def of_patterns(self, yes: np.ndarray) -> turning.OfPatterns:
        count, length = yes.shape
        strengths = np.zeros(length + 1)  # longer than what one respondent is asked: nothing
        strengths[: self.asked + 1] = self.ordered.typical[: length + 1]
        return turning.OfPatterns(np.tile(strengths, (count, 1)))

    distribution: ClassVar[None] = None
    cut: ClassVar[None] = None

    # What the advisor may vary: how many are asked, and the table (`privacy.design.blocks.patterned.tables`).

    def sketch(self, items: tuple[int, ...]) -> "PatternedSketch":
        return PatternedSketch(items, tuple(share / ONE for share in self.table))

    @staticmethod
    def plans(
        items: Sequence[int], brief: Brief, odds: float, thorough: bool, judge: Judge
    ) -> Iterator[tuple[str, Plan]]:
        """One sampled block of all items, under the best table for patterns of each length."""
        del odds, thorough, judge
        if not all(brief.questions[item].boolean for item in items):
            return
        for ask in range(2, min(MOST_ORDERED, len(items) - 1, brief.asked) + 1):
            if ask >= brief.length and comb(len(items) - brief.length, ask - brief.length) >= _SETS:
                for length in range(2, brief.length + 1):
                    yield PATTERNED, (PatternedPlan(tuple(items), ask, length),)

    # No proposals: the lead begins with more respondents than questionnaires have, and reports tell less of them.

    forms: ClassVar[tuple[Form, ...]] = FORMS


class _Typical(turning.Factor):
    """What errors are planned with; records are not read so."""

    @staticmethod
    def together(factors: Sequence[turning.Factor]) -> "_TypicalOfPatterns":
        return _TypicalOfPatterns(np.array([factor.strengths for factor in factors]))


class _TypicalOfPatterns(turning.OfPatterns):
    def line(self) -> tuple[Floats, Floats]:
        raise InputError("Answers in a public order show no share of records that leads to theirs; ask for patterns.")


PATTERNED = "patterned, sampled"
_SETS = 50  # asked sets that hold a pattern: of fewer, some patterns would stand at much worse places than others


@dataclass(frozen=True)
class PatternedSketch:
    """A patterned block in floats.

    Its errors are those of flips with the same typical strengths, but for what two products of answers `share`.
    """

    items: tuple[int, ...]
    table: tuple[float, ...]

    @property
    def ask(self) -> int:
        return len(self.table).bit_length() - 1

    @property
    def noise(self) -> tuple[tuple[float, ...], ...]:
        return ((0.0, 0.0),) * len(self.items)

    @property
    def odds(self) -> float:
        return max(self.table) / min(self.table) if min(self.table) else inf

    @property
    def channel(self) -> "PatternedSketch":
        return replace(self, items=())

    @property
    def _flips(self) -> Floats:
        return of_typical(np.sqrt(by_size(walsh(np.array(self.table)) ** 2)))[np.newaxis]

    def squares(self, shares: Floats, noise: Floats) -> Squares:
        del noise
        square, hit, miss = turning.squares(self._flips, shares)
        return square[0], hit[0], miss[0]

    def chances(self, noise: Floats) -> Floats:
        return np.tile(turning.chances(self._flips, noise.shape[1]), (len(noise), 1, 1))

    def shared(self, size: int) -> Floats:
        return shared(self.table, size)

    def rounded(self, questions: Sequence[ExpectedItem], limit: Fraction) -> PatternedBlock | None:
        """Every share lies between unit and γ·unit, so that γ holds whatever the rounding."""
        tilt = [min(Fraction(share / min(self.table)), limit) for share in self.table]
        unit = Fraction(ONE) / sum(tilt)
        least, most = [ceil(unit)] * len(tilt), [floor(limit * unit)] * len(tilt)
        table = apportion_within([unit * value for value in tilt], least, most, tilt)
        if table is None or len(set(table)) == 1:
            return None
        items = tuple(Item(questions[place].id) for place in self.items)
        return PatternedBlock(items, table, self.ask if self.ask < len(items) else None)


@dataclass(frozen=True)
class PatternedPlan:
    """A patterned block under the best table for patterns up to a length."""

    items: tuple[int, ...]
    ask: int
    length: int
    weight: float = 1.0

    stepped: ClassVar[str] = PATTERNED

    def under(self, questions: Sequence[ExpectedItem], odds: float) -> PatternedSketch:
        del questions
        high = likelier(len(self.items), self.ask, odds, min(self.length, self.ask))
        table = np.array([odds if mask in high else 1.0 for mask in range(2**self.ask)])
        return PatternedSketch(self.items, tuple((table / table.sum()).tolist()))

    def asking(self, ask: int) -> "PatternedPlan":
        return replace(self, ask=min(ask, MOST_ORDERED))

    def changes(self, brief: Brief) -> Iterator[Planned]:
        del brief
        return iter(())

    def takes(self, question: ExpectedItem) -> bool:
        return question.boolean

    def merged(self, other: Any) -> Iterator[Planned]:
        del other
        return iter(())

    def entered(self, made: PatternedBlock) -> tuple[str, Mapping[str, Any]]:
        return "patterned", {"patterned": decimals(made.table), **write_ask(made.ask)}
