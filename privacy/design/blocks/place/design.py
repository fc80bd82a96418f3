"""A place on a map: the square mechanism, or its form with sensitive zones, on whole cells (`privacy.location`).

A coin falls on its near side with the chance β. Then a place in a zone is sent as a cell of the square around it, each
as likely; otherwise as a cell of all zones, wherever the person is. Without zones the whole map is one. With zones, a
place outside them is sent as it is with the chance β: the zones are public, and what is sent from outside them is true.
So γ is infinite, and the odds are those of a place in a zone: they grow at most by e^ε. A zone may have an ε of its
own, below that of the block: then no report changes the odds of two places by more than e to the lesser of theirs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, floor, inf
from typing import Any, ClassVar

import numpy as np

from privacy.design import reading, recipes
from privacy.design.block import Block, Explained, Partly, Words
from privacy.design.blocks.place.shares import PlaceShares
from privacy.design.draws import Take, draw_below
from privacy.design.fields import read_map
from privacy.design.gammas import Gamma, at_least
from privacy.design.grid.distributions import Bins
from privacy.design.grid.in_bins import Cut
from privacy.design.items import Grid, Item
from privacy.design.notation import Notation
from privacy.design.rationals import LONGEST, ONE
from privacy.design.recipes import Advised, Recipe, Values
from privacy.design.sentences import Said, of_people
from privacy.errors import EntryError, InputError, to_translate
from privacy.location import CellMechanism, Rectangle, best_mechanism, log_above, mechanism_of, prepare_zones, whole_map

MOST_ZONES = 50


@dataclass(frozen=True)
class PlaceBlock(Block):
    """`width`, `height` and `cell` are in the units of the item; the mechanism is in cells."""

    items: tuple[Item, ...]
    cell: Fraction
    mechanism: CellMechanism
    zoned: bool

    mark: ClassVar[str] = "place"
    symbols: ClassVar[Mapping[str, str]] = {"epsilon": "ε"}

    @classmethod
    def read(cls, entry: Mapping[str, Any], where: str, notation: Notation) -> "PlaceBlock":
        name = reading.text(entry, "place", where)
        if name not in (SQUARE, ZONES):
            raise InputError(f"{where}.place: {name!r} is not one of {SQUARE}, {ZONES}.")
        own = ("near" if notation.exact else "epsilon", "side", *(("zones",) if name == ZONES else ()))
        reading.only_keys(entry, ("place", *own, "items"), where)
        entries = reading.read_filled_list(entry, "items", where)
        if len(entries) > 1:
            raise InputError(f"{where}.items: {len(entries)} items are given; a place needs its own block.")
        item, cell = _read_item(entries[0], f"{where}.items[0]")
        columns, rows = (len(steps) for steps in item.answers)
        map_, unit = whole_map(columns, rows), Fraction(1) if notation.exact else cell
        drawn = _read_zones(entry, where, map_, unit) if name == ZONES else (map_,)
        if notation.exact:
            side, near = (reading.whole_number(entry, key, where) for key in ("side", "near"))
            levels = _read_levels(entry, where, near, drawn) if name == ZONES else ()
            mechanism = CellMechanism(columns, rows, drawn, side, near, levels)
            if not 0 < side <= map_.narrowest or prepare_zones(drawn, map_, side, whole=True) != drawn:
                raise InputError(f"{where}.zones: they overlap, leave the map, or are narrower than the side {side}.")
            return cls((item,), cell, mechanism, name == ZONES)
        epsilon = _read_epsilon(entry, where)
        epsilons = _read_epsilons(entry, where, epsilon) if name == ZONES else (epsilon,)
        made = best_mechanism(columns, rows, drawn, epsilons, _read_side(entry, where, map_, cell))
        return cls((item,), cell, made, name == ZONES)

    def check(self, where: str, direct: bool) -> None:
        if self.mechanism.keep < 1:
            raise EntryError(
                "the epsilon is so small that no place would be kept in steps of 2^-32.", at=f"{where}.epsilon"
            )
        if self.mechanism.keep >= ONE - 1:
            raise EntryError(
                "the epsilon is so large that steps of 2^-32 cannot tell it from no disguise.", at=f"{where}.epsilon"
            )

    def entry(self, notation: Notation) -> dict[str, Any]:
        own, zones = self._in_cells() if notation.exact else self._in_units()
        entry = {"place": ZONES if self.zoned else SQUARE} | own
        return entry | ({"zones": zones} if self.zoned else {}) | {"items": [self._item]}

    def _in_units(self) -> tuple[dict[str, Any], list[Any]]:
        """The keys of the mechanism and the zones in units of the item, as people write them."""
        epsilons = self._epsilons
        levels = [[epsilon] if self.mechanism.levels else [] for epsilon in epsilons]
        zones = [zone + level for zone, level in zip(self._zones_in_units, levels, strict=True)]
        return {"epsilon": max(epsilons), "side": self.units(self.mechanism.side)}, zones

    def _in_cells(self) -> tuple[dict[str, Any], list[Any]]:
        """The keys of the mechanism and the zones in cells, as the exact notation has them."""
        levels = self.mechanism.levels or ((),) * len(self.mechanism.zones)
        zones = [[*_corner_and_size(zone), *level] for zone, level in zip(self.mechanism.zones, levels, strict=True)]
        return {"near": self.mechanism.keep, "side": self.mechanism.side}, zones

    @property
    def _item(self) -> dict[str, Any]:
        width, height = (self.units(cells) for cells in (self.mechanism.columns, self.mechanism.rows))
        return {"id": self.items[0].id, "width": width, "height": height, "cell": self.units(1)}

    def units(self, cells: float) -> int | float:
        """A length in cells as one in units of the item."""
        return reading.json_number(Fraction(cells) * self.cell)

    @property
    def _zones_in_units(self) -> list[list[int | float]]:
        return [[self.units(length) for length in _corner_and_size(zone)] for zone in self.mechanism.zones]

    @property
    def _epsilons(self) -> list[int | float]:
        """The shortest decimals of ε, one for each zone, that are read back as the same mechanism."""
        own = self.mechanism
        least = [log_above(factor) for factor in own.factors]
        for digits in range(LONGEST):
            epsilons = [Fraction(ceil(one * 10**digits), 10**digits) for one in least]
            if mechanism_of(own.columns, own.rows, own.zones, epsilons, own.side) == own:
                return [reading.json_number(epsilon) for epsilon in epsilons]
        return [float(one) for one in least]

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        rows = self.mechanism.rows
        return self.mechanism.chance(divmod(truth[0], rows), divmod(sent[0], rows))

    def certain(self, codes: np.ndarray) -> np.ndarray:
        """Say which records lie outside the zones, and so are true."""
        x, y = np.divmod(codes[:, 0].astype(np.int64), self.mechanism.rows)
        return self.mechanism.zone_numbers(x, y) < 0

    # What it promises.

    @property
    def gamma(self) -> Gamma:
        return self.mechanism.factor if self.mechanism.everywhere else inf

    @property
    def odds(self) -> Gamma:
        """Return how much the odds of a place in a zone can grow; a report from outside the zones makes them 0."""
        return self.mechanism.factor

    @property
    def figures(self) -> Mapping[str, Any]:
        squared = float(self.mechanism.error * self.cell**2)
        figures: dict[str, Any] = {"side": self.units(self.mechanism.side), "expected_squared_error": squared}
        if not self.zoned:
            return figures
        sensitive = at_least(log_above(self.mechanism.factor))
        beta = float(self.mechanism.beta)
        figures |= {"merged": self._zones_in_units, "beta": beta, "epsilon_sensitive": sensitive}
        if self.mechanism.levels:  # ε between a place of each zone and any other place, and within the zone
            factors = {"epsilon_zones": self.mechanism.factors, "epsilon_within": self.mechanism.odds_in_zones}
            figures |= {name: [at_least(log_above(factor)) for factor in own] for name, own in factors.items()}
        return figures


def _read_item(entry: Any, where: str) -> tuple[Item, Fraction]:
    entry = reading.mapping(entry, where)
    reading.only_keys(entry, ("id", "width", "height", "cell"), where)
    steps, cell = read_map(entry, where)
    return Item(reading.text(entry, "id", where), (), grid=Grid(steps, steps)), cell


def _read_epsilon(entry: Mapping[str, Any], where: str) -> Fraction:
    epsilon = reading.number(entry, "epsilon", where)
    if epsilon <= 0:
        raise EntryError(
            "epsilon {epsilon:g} is not above 0, so every place would be equally likely.",
            at=f"{where}.epsilon",
            epsilon=float(epsilon),
        )
    return epsilon


def _read_side(entry: Mapping[str, Any], where: str, map_: Rectangle, cell: Fraction) -> int | None:
    """The side of the square in whole cells, the nearest; None where none is given, so that the best one is taken."""
    if "side" not in entry:
        return None
    side = reading.number(entry, "side", where)
    most = int(map_.narrowest)
    if not 0 < side <= most * cell:
        raise EntryError(
            "the side {side:g} is not above 0 and at most {most:g}, the shorter side of the map.",
            at=f"{where}.side",
            side=float(side),
            most=float(most * cell),
        )
    return min(max(floor(side / cell + Fraction(1, 2)), 1), most)


def _read_zones(entry: Mapping[str, Any], where: str, map_: Rectangle, unit: Fraction) -> tuple[Rectangle, ...]:
    """Zones in cells, from [left, bottom, width, height] where a cell is `unit` wide; borders in cells move outward."""
    entries = reading.read_filled_list(entry, "zones", where)
    if len(entries) > MOST_ZONES:
        raise EntryError(
            "{count} zones are more than {most}.", at=f"{where}.zones", count=len(entries), most=MOST_ZONES
        )
    more = 2 if "near" in entry else 1
    return tuple(_read_zone(zone, f"{where}.zones[{index}]", map_, unit, more) for index, zone in enumerate(entries))


def _read_zone(entry: Any, where: str, map_: Rectangle, unit: Fraction, more: int) -> Rectangle:
    """One zone in cells; `more`: how many numbers a zone with an ε or level of its own has after the four."""
    lengths = reading.items(entry, where)
    if len(lengths) not in (4, 4 + more):
        raise EntryError("a zone has four numbers: left, bottom, width and height.", at=where)
    left, bottom, width, height = (
        reading.number({"": length}, "", f"{where}[{index}]") / unit for index, length in enumerate(lengths[:4])
    )
    if min(width, height) <= 0:
        raise EntryError("a zone has a width and a height above 0.", at=where)
    if left >= map_.width or bottom >= map_.height or left + width <= 0 or bottom + height <= 0:
        raise EntryError("the zone lies outside the map.", at=where)
    return Rectangle(left, bottom, width, height).outward  # type: ignore[arg-type]


def _read_epsilons(entry: Mapping[str, Any], where: str, epsilon: Fraction) -> tuple[Fraction, ...]:
    """The ε of each zone: its fifth number, or that of the block."""
    epsilons = []
    for index, zone in enumerate(entry["zones"]):
        at = f"{where}.zones[{index}][4]"
        own = reading.number({"": zone[4]}, "", at) if len(zone) > 4 else epsilon
        if not 0 < own <= epsilon:
            raise EntryError(
                "the epsilon {own:g} of a zone is not above 0 and at most {epsilon:g}, that of the block.",
                at=at,
                own=float(own),
                epsilon=float(epsilon),
            )
        epsilons.append(own)
    return tuple(epsilons)


def _read_levels(
    entry: Mapping[str, Any], where: str, near: int, drawn: Sequence[Rectangle]
) -> tuple[tuple[int, int], ...]:
    """The coin and the weight of each zone in the exact notation; none where zones have no ε of their own."""
    written = [zone[4:] for zone in entry["zones"]]
    if not any(written):
        return ()
    levels = []
    for index, level in enumerate(written):
        at = f"{where}.zones[{index}]"
        if len(level) != 2:
            raise InputError(f"{at}: a coin and a weight are missing, which other zones have.")
        keep, weight = (reading.whole_number({"": one}, "", at) for one in level)
        levels.append((keep, weight))
    drawn_from = sum(int(zone.area) * weight for zone, (_, weight) in zip(drawn, levels, strict=True))
    if min(keep for keep, _ in levels) < 0 or max(keep for keep, _ in levels) != near:
        raise InputError(f"{where}.near: it is not the largest coin of its zones.")
    if min(weight for _, weight in levels) < 1 or drawn_from >= ONE:
        raise InputError(f"{where}.zones: their weights are not above 0, or too large.")
    return tuple(levels)


def _corner_and_size(zone: Rectangle) -> list[int]:
    return [int(length) for length in (zone.left, zone.bottom, zone.width, zone.height)]


def distribution(block: PlaceBlock, bins: Bins | None, heaps: Sequence[Fraction] = ()) -> PlaceShares:
    """The distribution of the place in a grid of `bins` (columns, rows), 16 × 16 where None."""
    if heaps:
        raise InputError(f"heaps: {block.items[0].id!r} is a place; only numbers have heaps.")
    return PlaceShares.from_grid(block.items[0].id, block.mechanism, block.cell, block.zoned, bins)


def cut(block: PlaceBlock, texts: Sequence[str]) -> Cut:
    """Cut a map into its zones and the rest; the coin alone decides between these."""
    name, zones = block.items[0].id, block.mechanism.zones
    if not block.zoned or list(texts) != [ZONES]:
        raise EntryError(
            "{name!r} is a place; its only bins are its sensitive zones: write {name}=zones.", at="bins", name=name
        )
    labels = [f"zone {number}" for number in range(1, len(zones) + 1)]
    kinds = len(zones) if block.mechanism.everywhere else len(zones) + 1

    def zone_of(codes: np.ndarray) -> np.ndarray:
        numbers = block.mechanism.zone_numbers(*np.divmod(codes.astype(np.int64), block.mechanism.rows))
        return np.where(numbers < 0, len(zones), numbers)

    names = (*labels, "elsewhere")[:kinds]
    starts = tuple(range(kinds + 1))
    channel = block.mechanism.zone_channel[:kinds, :kinds]
    return Cut(names, starts, channel, np.arange(kinds), zone_of, zone_of, np.eye(kinds))


def disguise(block: PlaceBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """Take one word for the coin, two for the cell of the square and one for the cell of all zones, used or not."""
    del here  # a place is asked everybody
    mechanism, count = block.mechanism, len(truth)
    x, y = np.divmod(truth[:, 0].astype(np.int64), mechanism.rows)
    near = take(count) < np.array([*mechanism.keeps, mechanism.keep])[mechanism.zone_numbers(x, y)]
    across, up = (draw_below(mechanism.side, count, take).astype(np.int64) for _ in range(2))
    anywhere = draw_below(mechanism.draw_size, count, take).astype(np.int64)
    close, far = mechanism.near_cells(x, y, across, up), mechanism.far(anywhere)
    x, y = (np.where(near, one, other) for one, other in zip(close, far, strict=True))
    return (x * mechanism.rows + y)[:, np.newaxis].astype(truth.dtype)


_SQUARE = to_translate(
    "Of {of} people, {some} send a random place from the whole map. The others send one from a square of {side} by "
    "{side} around their own."
)
_IN_ZONES = to_translate(
    "In the shaded zones: of {of} people, {some} send a place drawn from all zones. The others send one from a square "
    "of {side} by {side} that holds their own."
)
_IN_LEVELS = to_translate(
    "In the shaded zones: of {of} people, {some} to {most} send a place drawn from all zones. Most do where zones "
    "hide best. The others send one from a square of {side} by {side} that holds their own."
)
_OUTSIDE = to_translate(
    "Outside the shaded zones a place is not hidden. Of {of} people there, about {some} send a place in a zone "
    "instead. The others send exactly their own. Reports show no place there with few people. But anyone who reads the "
    "stored answers sees each place."
)
_TOGETHER = to_translate(
    "A place that is sent from outside the shaded zones is true. Say half of a crowd would give your answer, a "
    "place in a zone. The other half would give another. Take {of} people in it with the same stored answers. Up to "
    "{most} would give your answer. At least {some} would give another."
)
_BELIEVED = to_translate(
    "A place that is sent from outside the shaded zones is true. If someone is {prior} % sure that a respondent is at "
    "some place in a zone, the stored answer cannot make them surer than {posterior} %."
)
_NOTE = (
    "Outside its zones a place is not protected: gamma is infinite, and what is sent from there is true. The odds\n"
    "of a place in a zone, against any other, grow at most by the odds named here."
)
_ADVICE = to_translate(
    "The odds of a place can grow more than this site’s limit of {limit} times. Take a smaller epsilon."
)


def _explain(blocks: Sequence[PlaceBlock]) -> Explained:
    return [([block], _of_one(block)) for block in blocks]


def _of_one(block: PlaceBlock) -> list[Said]:
    """Say how often a random place is sent, how far near places are from the true one, and what is not hidden."""
    of, (some,) = of_people([1 - block.mechanism.beta])
    side = f"{block.units(block.mechanism.side):g}"
    if block.mechanism.everywhere:
        return [Said(_SQUARE, {"of": of, "some": some, "side": side})]
    outside = Said(_OUTSIDE, {"of": of, "some": some})
    if (least := min(block.mechanism.keeps)) < block.mechanism.keep:
        of, (some, most) = of_people([1 - Fraction(keep, ONE) for keep in (block.mechanism.keep, least)])
        return [Said(_IN_LEVELS, {"of": of, "some": some, "most": most, "side": side}), outside]
    return [Said(_IN_ZONES, {"of": of, "some": some, "side": side}), outside]


WORDS = Words(_ADVICE, _explain, Partly(_TOGETHER, _BELIEVED, _NOTE))


SQUARE, ZONES = "square", "zones"  # in a design, and the names of the two recipes


def _block_entries(values: Values, items: Sequence[dict[str, Any]], *, name: str) -> list[dict[str, Any]]:
    own = {"place": name, "epsilon": recipes.require_setting(values, "epsilon")}
    if values.get("side") is not None:
        own["side"] = values["side"]
    return [_entry(own, **item) for item in items]


def _entry(own: dict[str, Any], *, zones: Any = None, **item: Any) -> dict[str, Any]:
    """A block's JSON from its settings and one item; the zones of the item are moved to the block."""
    return own | ({} if zones is None else {"zones": zones}) | {"items": [item]}


_KEYS = ("width", "height", "cell", "zones")

RECIPES: tuple[Recipe, ...] = (
    Recipe(
        name=SQUARE,
        takes=lambda item: "width" in item.scale,
        write=partial(_block_entries, name=SQUARE),
        advised=Advised(_KEYS, lambda entry: "width" in entry and "zones" not in entry, recipes.of_epsilon),
    ),
    Recipe(
        name=ZONES,
        takes=lambda item: "width" in item.scale,
        write_item=lambda values, item: recipes.bare_item(values, item) | {"zones": item.values["zones"]},
        write=partial(_block_entries, name=ZONES),
        advised=Advised(_KEYS, lambda entry: "width" in entry and "zones" in entry, recipes.of_epsilon),
    ),
)
