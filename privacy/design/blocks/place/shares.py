"""The distribution of a place: its answers in the bins of a grid, and what records tell of them and of the zones.

People are not spread evenly over a wide bin, and a bin may lie across the border of a zone, where the channel changes.
So shares are fitted to *pieces*: bins are divided into tiles, and a piece is the part of a tile in one zone, or outside
them all. Records are counted by pieces, too. Inside a piece all places count as equally likely. A square lies along
each axis by itself, so a zone has one kernel for each axis, and a step of the EM is two small products for every zone.

In which zone a record lies depends on nothing but in which its place does: P(record in zone j) is
β·P(place in zone j) + (1 − β)·S_j/S, with levels by each zone's β and weight. So the shares of zones come from counts
alone, without bias and with their errors.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from privacy.design.brief import WIDE
from privacy.design.channels import Floats
from privacy.design.grid.distributions import Bins, Counted, error_of_mixture
from privacy.design.sentences import Said, three_digits
from privacy.errors import InputError, to_translate
from privacy.location import CellMechanism, Rectangle

_AWAY = to_translate("Reported places are {distance} away from true ones (root mean square) if people live evenly.")
_OF_ZONES = to_translate("The share of people in a zone is found to ±{share} points or better.")
USUAL_BINS = 16
MOST_BINS = 128
LEAST_TILES = 16  # along each axis


@dataclass(frozen=True)
class _Part:
    """The tiles that a zone reaches: from which column and row, and the chances of each along both axes."""

    columns: slice
    rows: slice
    pieces: slice
    across: Floats  # P(sent in this column of the zone | place in that one)
    up: Floats
    areas: Floats  # of its pieces, in cells
    coin: float  # β of its places
    far: Floats  # how likely the far side is in each piece


@dataclass(frozen=True)
class PlaceShares:
    """`x` and `y` are the first cells of the columns and rows of tiles, and after them how many cells there are.

    A bin has `across` × `up` tiles. `laid`: where the map lies in other coordinates, left and bottom, and how wide and
    high a cell is there; edges and zones are then in these.
    """

    mechanism: CellMechanism
    cell: Fraction
    zoned: bool
    x: tuple[int, ...]
    y: tuple[int, ...]
    across: int
    up: int
    laid: tuple[float, float, float, float] | None = None

    rows: ClassVar[None] = None
    free: ClassVar[tuple[()]] = ()

    @classmethod
    def from_grid(
        cls, name: str, mechanism: CellMechanism, cell: Fraction, zoned: bool, bins: Bins | None
    ) -> "PlaceShares":
        """The distribution over a grid of `bins` (columns, rows); None: at most 16 × 16."""
        lengths = (mechanism.columns, mechanism.rows)
        counts = bins or tuple(min(length, USUAL_BINS) for length in lengths)
        if len(counts) != 2:
            raise InputError(f"{name!r} is a place: it has a grid of columns and rows, such as 16x16, and no bins.")
        for count, length in zip(counts, lengths, strict=True):
            if not 1 <= count <= min(length, MOST_BINS):
                raise InputError(f"grid: {count} of {name!r} is outside 1 to {min(length, MOST_BINS)}.")
        across, up = (_tiles_along(count, length) for count, length in zip(counts, lengths, strict=True))
        x, y = (_starts(*each) for each in zip(counts, (across, up), lengths, strict=True))
        return cls(mechanism, cell, zoned, x, y, across, up)

    @property
    def bins(self) -> tuple[int, int]:
        """How many bins there are: rows from the bottom, and columns."""
        rows, columns = self._tile_counts
        return rows // self.up, columns // self.across

    @property
    def _tile_counts(self) -> tuple[int, int]:
        return len(self.y) - 1, len(self.x) - 1

    @property
    def shape(self) -> tuple[int, ...]:
        return (self._areas.size,)

    @property
    def edges(self) -> dict[str, list[float]]:
        return {"x": self._units(self.x[:: self.across], 0), "y": self._units(self.y[:: self.up], 1)}

    def bin_shares(self, shares: Floats) -> Floats:
        """The shares of the bins, rows × columns, from those of pieces."""
        table = np.zeros((*shares.shape[:-1], *self._tile_counts))
        for part in self._parts:
            table[..., part.rows, part.columns] += self._zone_table(shares, part)
        flat = table.reshape(*shares.shape[:-1], -1)
        flat[..., self._outside] += shares[..., self._first_outside :]
        return self._sum_tiles(table)

    @property
    def sets_in_report(self) -> Sequence[Floats]:
        size = self._areas.size
        zones = np.array([np.isin(np.arange(size), np.r_[piece]) for piece in self._pieces_of_zones], float)
        return [self.bin_shares(np.eye(size)).reshape(size, -1).T, *([zones] if self.zoned else [])]

    @property
    def _pieces_of_zones(self) -> list[slice]:
        """The pieces of each zone, and of the rest of the map."""
        return [*(part.pieces for part in self._parts), slice(self._first_outside, self._areas.size)]

    def _sum_tiles(self, tiles: Floats) -> Floats:
        """Add up the values of tiles (rows and columns on the last two axes) in each bin."""
        rows, columns = self.bins
        return tiles.reshape(*tiles.shape[:-2], rows, self.up, columns, self.across).sum(axis=(-3, -1))

    def count_records(self, codes: np.ndarray, weights: Floats | None = None) -> Floats:
        """The number of codes in each piece, or the sum of their weights."""
        x, y = np.divmod(codes.astype(np.int64), self.mechanism.rows)
        column, row = (np.searchsorted(starts, at, side="right") - 1 for starts, at in ((self.x, x), (self.y, y)))
        numbers = self.mechanism.zone_numbers(x, y)
        pieces = self._first_outside + np.searchsorted(self._outside, row * self._tile_counts[1] + column)
        for number, part in enumerate(self._parts):
            inside = numbers == number
            wide = part.columns.stop - part.columns.start
            pieces[inside] = part.pieces.start + (
                (row[inside] - part.rows.start) * wide + column[inside] - part.columns.start
            )
        return np.bincount(pieces, weights, minlength=self._areas.size).astype(float)

    count_direct = count_records

    def forward(self, shares: Floats) -> Floats:
        table = self._coins * shares
        far = (shares @ (1 - self._coins))[..., np.newaxis]
        for part in self._parts:
            near = part.up.T @ self._zone_table(shares, part) @ part.across
            table[..., part.pieces] = part.coin * near.reshape(*shares.shape[:-1], -1) + far * part.far
        return table

    def back(self, ratios: Floats) -> Floats:
        table = self._coins * ratios
        for part in self._parts:
            near = part.up @ self._zone_table(ratios, part) @ part.across.T
            table[..., part.pieces] = part.coin * near.reshape(*ratios.shape[:-1], -1)
        far = ratios[..., : self._first_outside] @ np.concatenate([part.far for part in self._parts])
        return table + (1 - self._coins) * far[..., np.newaxis]

    def in_zones(self, counted: Counted) -> list[dict[str, Any]]:
        """The share of each zone, and of the rest of the map, with its error about the population.

        Stratified, as patterns are: k·P₀ + (1 − k)·P₁. A share may come out below 0 and is reported as it is. Its error
        is NaN where in each group all or none of the records lie in the zone: they do not show how they vary.
        """
        seen, placed = counted
        direct, disguised = placed.sum(), seen.sum()
        k = direct / (direct + disguised)
        pieces = self._pieces_of_zones
        share, variance, alike = np.zeros(len(pieces)), np.zeros(len(pieces)), np.ones(len(pieces), bool)
        groups = []
        for counts, count, weight, back in (
            (placed, direct, k, np.eye(len(pieces))),
            (seen, disguised, 1 - k, self._zones_back),
        ):
            if not count:
                continue
            observed = np.array([counts[piece].sum() for piece in pieces]) / count
            groups.append(back @ observed)
            share += weight * groups[-1]
            variance += weight**2 * (back**2 @ observed - groups[-1] ** 2) / max(count - 1, 1)
            alike &= observed * (1 - observed) == 0
        if len(groups) == 2:  # k is chance, too
            variance += k * (1 - k) * (groups[0] - groups[1]) ** 2 / (direct + disguised)
        se = np.where(alike, np.nan, np.sqrt(np.maximum(variance, 0)))
        names = [*map(self._rectangle_in_units, self.mechanism.zones), *(["elsewhere"] if len(self._outside) else [])]
        return [
            {"zone": zone, "share": float(share[number]), "se": float(se[number])} for number, zone in enumerate(names)
        ]

    @property
    def _zones_back(self) -> Floats:
        """The matrix by which shares of records in the zones and outside become those of people."""
        return np.asarray(np.linalg.inv(self.mechanism.zone_channel.T))

    def accuracy(self, respondents: int) -> Sequence[Said]:
        """How far reports are away, and what the 95 % interval of a zone reaches in which half of the people are."""
        away = Said(_AWAY, {"distance": three_digits(float(self.mechanism.error) ** 0.5 * float(self.cell))})
        if not self.zoned:
            return [away]
        reach = WIDE * self._zone_error / respondents**0.5
        return [away, Said(_OF_ZONES, {"share": f"{100 * reach:.2g}"})]

    @property
    def half_error(self) -> float:
        """Return the standard error of the half of the map that records show best; with zones that of a zone's share.

        Records may tell nothing of halves along an axis on which the square is as wide as the map.
        """
        if self.zoned:
            return self._zone_error
        rows, columns = np.indices(self._tile_counts)
        sides = [2 * columns < self._tile_counts[1], 2 * rows < self._tile_counts[0]]
        errors = []
        for inside in (self._areas * self._pieces_of(side) for side in sides if not side.all()):
            outside = self._areas - inside
            errors.append(error_of_mixture(*(self.forward(people / people.sum()) for people in (inside, outside))))
        return max(min(errors, default=np.inf), 0.5)

    def _pieces_of(self, tiles: np.ndarray) -> Floats:
        """The value of each tile for every piece of it, in the order of pieces."""
        zones = [tiles[part.rows, part.columns].ravel() for part in self._parts]
        return np.concatenate([*zones, tiles.ravel()[self._outside]]).astype(float)

    @property
    def _zone_error(self) -> float:
        """The standard error, from one respondent, of the share of a zone in which half of the people are."""
        between = self.mechanism.zone_channel
        seen = (between[:-1] + between[-1]) / 2  # with the other half outside
        spread = np.diag(seen @ self._zones_back.T[:, :-1] ** 2) - 0.25
        return float(spread.max() ** 0.5)

    def people_in_sight(self, counted: Counted) -> Floats:
        """Count the people known to be in each bin outside the zones; infinity where zones cover the bin."""
        seen, placed = counted
        counts, area = np.zeros(self._left_over.size), self._left_over.ravel()
        counts[self._outside] = (seen + placed)[self._first_outside :]
        known, bare = (self._sum_tiles(values.reshape(self._tile_counts)) for values in (counts, area))
        return np.where(bare > 0, known, np.inf)

    @property
    def unseen(self) -> NDArray[np.bool_]:
        """The bins that cut a zone along an axis on which it is little longer than the square."""
        unseen = np.zeros(self.bins, bool)
        for zone in self.mechanism.zones:
            in_x, cut_x = self._cut(np.array(self.x[:: self.across]), int(zone.left), int(zone.right))
            in_y, cut_y = self._cut(np.array(self.y[:: self.up]), int(zone.bottom), int(zone.top))
            unseen |= np.outer(in_y, cut_x) | np.outer(cut_y, in_x)
        return unseen

    def _cut(self, starts: NDArray[np.intp], low: int, high: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which bins along an axis reach into low … high, and which of them hold a part of it that no report tells.

        All places up to half a square from an end are sent from the same square. Of a zone shorter than a square and a
        half these are two thirds or more.
        """
        inside = (starts[:-1] < high) & (starts[1:] > low)
        partly = (starts[:-1] > low) | (starts[1:] < high)
        return inside, inside & partly & (2 * (high - low) < 3 * self.mechanism.side)

    def figures(
        self, counted: Counted, pieces: Floats, level: float, redrawn: Sequence[Counted] = ()
    ) -> dict[str, Any]:
        if not self.zoned:
            return {}
        zones = self.in_zones(counted)
        if redrawn:
            repeated = [[zone["share"] for zone in self.in_zones(each)] for each in redrawn]
            for zone, se in zip(zones, np.std(repeated, axis=0, ddof=1).tolist(), strict=True):
                zone["se"] = np.nan if np.isnan(zone["se"]) else se
        return {"zones": zones}

    def table(self, shares: Floats, se: Floats) -> tuple[Sequence[str], list[Sequence[object]]]:
        x, y = self.edges["x"], self.edges["y"]
        rows: list[Sequence[object]] = [
            [x[column], x[column + 1], y[row], y[row + 1], float(shares[row, column]), float(se[row, column])]
            for row in range(self.bins[0])
            for column in range(self.bins[1])
        ]
        return ["x from", "x below", "y from", "y below", "share", "se"], rows

    def summary(self, figures: dict[str, Any]) -> Sequence[str]:
        lines = [
            f"{_bin_name(entry['zone'])}: {entry['share']:.6g}, standard error {_share_text(entry['se'])}"
            for entry in figures.get("zones", ())
        ]
        if self.unseen.any():
            lines.append(
                "Bins that cut a zone little longer than the square have no standard error: records do not tell where "
                "in it people are."
            )
        narrowest = min(int(np.diff(starts).min()) for starts in (self.x[:: self.across], self.y[:: self.up]))
        if narrowest * self.cell < (side := self.mechanism.side * self.cell):
            lines.append(
                f"Where places are hidden, records show nothing finer than a square of {float(side):g} by "
                f"{float(side):g}. These bins are narrower, so their errors may be larger than shown."
            )
        return lines

    @cached_property
    def _parts(self) -> tuple[_Part, ...]:
        parts: list[_Part] = []
        begin = 0
        for zone, coin, weight in zip(
            self.mechanism.zones, self.mechanism.coins[:-1].tolist(), self.mechanism.weights, strict=True
        ):
            columns, across, wide = _along(self.x, int(zone.left), int(zone.right), self.mechanism.side)
            rows, up, high = _along(self.y, int(zone.bottom), int(zone.top), self.mechanism.side)
            areas = np.multiply.outer(high, wide).ravel()
            far = areas * weight / self.mechanism.draw_size
            parts.append(_Part(columns, rows, slice(begin, begin + areas.size), across, up, areas, coin, far))
            begin += areas.size
        return tuple(parts)

    @cached_property
    def _left_over(self) -> Floats:
        """The area of each tile outside all zones, in cells."""
        area = np.multiply.outer(np.diff(self.y), np.diff(self.x)).astype(float)
        for part in self._parts:
            area[part.rows, part.columns] -= self._zone_table(part.areas, part, whole=True)
        return np.round(area)

    @cached_property
    def _outside(self) -> np.ndarray:
        """The tiles that lie wholly or partly outside the zones, by their numbers row by row."""
        return np.flatnonzero(self._left_over.ravel() > 0)

    @cached_property
    def _areas(self) -> Floats:
        """The area of each piece, in cells."""
        return np.concatenate([*(part.areas for part in self._parts), self._left_over.ravel()[self._outside]])

    @cached_property
    def _coins(self) -> Floats:
        """β of the places in each piece."""
        coins = np.full(self._areas.size, float(self.mechanism.beta))
        for part in self._parts:
            coins[part.pieces] = part.coin
        return coins

    @property
    def _first_outside(self) -> int:
        """The number of the first piece outside the zones; those in zones come before."""
        return self._parts[-1].pieces.stop

    def _zone_table(self, values: Floats, part: _Part, whole: bool = False) -> Floats:
        """The values of a zone's pieces as a table of rows and columns."""
        own = values if whole else values[..., part.pieces]
        return own.reshape(*own.shape[:-1], len(part.up), len(part.across))

    def _units(self, cells: Sequence[int], axis: int) -> list[float]:
        """Return where cells begin along an axis, in units of the item."""
        if self.laid is None:
            return [float(cell * self.cell) for cell in cells]
        begin, step = self.laid[axis], self.laid[2 + axis]
        return [begin + step * cell for cell in cells]

    def _rectangle_in_units(self, zone: Rectangle) -> list[float]:
        left, right = self._units([int(zone.left), int(zone.right)], 0)
        bottom, top = self._units([int(zone.bottom), int(zone.top)], 1)
        return [left, bottom, right - left, top - bottom]


def _tiles_along(count: int, length: int) -> int:
    """How many tiles each of `count` bins has along an axis of `length` cells, so that tiles are enough in all."""
    return max(min(-(-LEAST_TILES // count), length // count), 1)


def _starts(count: int, parts: int, length: int) -> tuple[int, ...]:
    """The first cell of each tile, and the number of cells: `count` equal bins, each of `parts` tiles."""
    begins = [index * length // count for index in range(count + 1)]
    tiles = [low + part * (high - low) // parts for low, high in pairwise(begins) for part in range(parts)]
    return (*tiles, length)


def _along(starts: Sequence[int], begin: int, end: int, side: int) -> tuple[slice, Floats, Floats]:
    """The tiles that [begin, end) reaches, the channel between their parts in it, and how many cells each part has."""
    inner = sorted({begin, end, *(start for start in starts if begin < start < end)})
    first = int(np.searchsorted(starts, begin, side="right")) - 1
    low, high = np.array(inner[:-1]), np.array(inner[1:])
    corner = np.clip(np.arange(begin, end) - side // 2, begin, end - side)[:, np.newaxis]
    shared = np.clip(np.minimum(corner + side, high) - np.maximum(corner, low), 0, None) / side
    summed = np.add.reduceat(shared, low - begin, axis=0)
    sizes = (high - low).astype(float)
    return slice(first, first + len(low)), summed / sizes[:, np.newaxis], sizes


def _share_text(se: float) -> str:
    return "not known" if np.isnan(se) else f"{se:.3g}"


def _bin_name(zone: Any) -> str:
    return "elsewhere" if zone == "elsewhere" else "zone {:g}, {:g}, {:g} × {:g}".format(*zone)
