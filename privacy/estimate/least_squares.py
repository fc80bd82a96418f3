"""Least squares: all that the respondents of a sampled pattern say of it, each part weighed by what the others tell.

A respondent who was asked exactly the literals T of a pattern has an unbiased weight W_S for every S ⊆ T (see
`available`). Available cases take for each S the mean over everyone who was asked it; generalised least squares (Aitken
1935) also let what is known better of one S tell of another. With n_T respondents asked exactly T, the means y_T of
their weights, and the covariance C_T of the weights of one of them,

    θ̂ = (Σ_T n_T A_Tᵀ C_T⁻¹ A_T)⁻¹ Σ_T n_T A_Tᵀ C_T⁻¹ y_T,    A_T θ = (θ_S, S ⊆ T).

C_T is what it would be if answers had nothing to do with each other, at the shares that single items have. So no noise
of pairs and triples gets into it; whatever the truth is the estimate is as unbiased as any weighing, and where answers
are nearly independent nothing linear is better. The printed covariances do not rest on independence: they are those of
this sum of means, with the moments of records that available cases use.

The stratified estimator does so in each group, the pooled one with the records of both, and the combined one takes what
both groups say as being of the same people.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats
from privacy.estimate.available import (
    AvailableCases,
    Weighing,
    bounds,
    cell_shares,
    expand,
    matching,
    products,
    products_of_sets,
)
from privacy.estimate.bit_columns import DIRECT, DISGUISED
from privacy.estimate.estimators import Estimates

WORTH = 0.95  # of the error by available cases: least squares is worth a note where its error is at most this part
_RAREST = 0.02  # as rare as a single item ever counts: what never varies would count without end


@dataclass(frozen=True)
class _Stratum:
    """The respondents who were asked exactly these literals of F patterns, with the weights of their sets."""

    sets: NDArray[np.intp]
    count: Floats  # (F,)
    means: Floats  # (S, F)
    squares: Floats  # E[W_S W_T] of one respondent, (S, S, F)
    taken: Floats  # the covariance C of the weights, (S, S, F)


class LeastSquares:
    """Every sub-pattern of F patterns of L literals; what `AvailableCases` is for available cases, with its arguments.

    All literals are named, also those that are not sampled, so cells are sets of literals as well. `shares` (L, F) are
    what single literals are taken to be in C; without them it is what everyone who was asked them says.
    """

    def __init__(
        self,
        states: Floats,
        sizes: Floats,
        weighing: Weighing,
        centres: Floats,
        estimator: str,
        shares: Floats | None = None,
    ) -> None:
        by_group = "pooled" if estimator == "pooled" else "stratified"
        self._available = AvailableCases(states, sizes, weighing, centres, by_group)
        self.steepest: Floats = self._available.steepest
        if shares is None:
            shares = np.nan_to_num(self._available.support[1 << np.arange(len(centres))], nan=0.5)
        self._truth = products_of_sets(
            np.clip(shares, _RAREST, 1 - _RAREST) - centres
        )  # as if literals were independent
        self._centres = centres
        exact = _exactly(states)
        if estimator == "pooled":
            counts = exact.sum(axis=2)
            k = counts[DIRECT] / np.maximum(counts.sum(axis=0), 1)
            fit = self._fit(self._strata(exact.sum(axis=0), states.sum(axis=0), map(weighing, k)))
        else:
            tables = {DISGUISED: weighing(None), DIRECT: matching(len(exact[0]))}
            groups = [self._strata(exact[group], states[group], repeat(table)) for group, table in tables.items()]
            if estimator == "combined":
                fit = self._fit([*groups[DISGUISED], *groups[DIRECT]])
            else:
                fit = _stratify([self._fit(strata) for strata in groups], sizes)
        means, spread = fit
        self.support: Floats = expand(means, centres)
        self.covariances: Floats = expand(np.swapaxes(expand(spread, centres), 0, 1), centres)

    def estimates(self, matching: Floats, sizes: Floats, level: float) -> Estimates:
        """The printed figures of the whole patterns; `matching`: how many of each group match all literals, (2, F)."""
        return self._available.figures(self.support[-1], self.covariances[-1, -1], matching, sizes, level)

    def _strata(self, exact: Floats, states: Floats, tables: Iterable[Floats]) -> list[_Stratum]:
        """Divide records by which literals were asked: a stratum for each set of literals that somebody was asked."""
        strata, every, shares = [], np.arange(len(exact)), cell_shares(states)
        for mask, table in zip(every, tables, strict=False):
            count = exact[mask].sum(axis=0)
            if mask and count.any():
                weights = products(table, self._centres)
                sets = every[1:][every[1:] & mask == every[1:]]
                own, truth = weights[sets], self._truth[sets]
                independent = np.linalg.solve(np.moveaxis(weights, -1, 0), self._truth.T[..., None])[..., 0].T
                strata.append(
                    _Stratum(
                        sets,
                        count,
                        np.einsum("scf,cf->sf", own, exact[mask]) / np.maximum(count, 1),
                        _squares(own, shares),
                        _squares(own, np.asarray(independent, dtype=float)) - truth[:, None] * truth,
                    )
                )
        return strata

    def _fit(self, strata: list[_Stratum]) -> tuple[Floats, Floats]:
        """The estimated means of all products and their covariances; NaN where nobody was asked everything."""
        sets, patterns = self._truth.shape
        information, asked, weighed = np.zeros((patterns, sets, sets)), np.zeros(patterns), []
        for stratum in strata:
            weighed.append(np.linalg.inv(np.moveaxis(stratum.taken, -1, 0)) * stratum.count[:, None, None])
            information[:, stratum.sets[:, None], stratum.sets] += weighed[-1]
            asked += stratum.count * (stratum.sets[-1] == sets - 1)
        information[:, 0, 0] = 1  # the empty product is 1
        information[asked == 0] = np.eye(sets)
        inverse: Floats = np.linalg.inv(information).astype(float)
        inverse[:, 0, 0] = 0
        slopes = [inverse[:, :, stratum.sets] @ own for stratum, own in zip(strata, weighed, strict=True)]
        means, spread = np.zeros((sets, patterns)), np.zeros((sets, sets, patterns))
        means[0] = 1
        for stratum, slope in zip(strata, slopes, strict=True):
            means += np.einsum("fas,sf->af", slope, stratum.means)
        for stratum, slope in zip(strata, slopes, strict=True):
            own = self._covariance_part(stratum, means, np.moveaxis(inverse, 0, -1)) / np.maximum(stratum.count, 1)
            spread += np.einsum("fas,stf,fbt->abf", slope, own, slope, optimize=True)
        return np.where(asked > 0, means, np.nan), np.where(asked > 0, spread, np.nan)

    def _covariance_part(self, stratum: _Stratum, means: Floats, expected: Floats) -> Floats:
        """The covariance of one respondent's weights in a stratum, corrected twice as in `AvailableCases`."""
        own, errors = means[stratum.sets], expected[stratum.sets[:, None], stratum.sets]
        spread = stratum.squares - own[:, None] * own + errors
        places = np.arange(len(own))
        most = bounds(self._centres)[stratum.sets] ** 2
        spread[places, places] = stratum.squares[places, places] - np.clip(own**2 - 2 * errors[places, places], 0, most)
        return spread


def _stratify(fits: Sequence[tuple[Floats, Floats]], sizes: Floats) -> tuple[Floats, Floats]:
    """Join the (means, covariances) of both groups, weighed by their sizes; an empty group counts nothing."""
    n = np.broadcast_to(np.reshape(sizes, (2, -1)).astype(float), (2, fits[0][0].shape[-1]))
    everybody = np.maximum(n.sum(axis=0), 1)
    shares = n / everybody
    means, spread = np.zeros_like(fits[0][0]), np.zeros_like(fits[0][1])
    for share, (own, errors) in zip(shares, fits, strict=True):
        means += np.where(share > 0, share * own, 0.0)
        spread += np.where(share > 0, share**2 * errors, 0.0)
    between = shares[DISGUISED] * shares[DIRECT] / everybody
    apart = fits[DIRECT][0] - fits[DISGUISED][0]
    return means, spread + np.where(between > 0, between * apart[:, None] * apart, 0.0)


def _exactly(states: Floats) -> Floats:
    """How many people asked exactly each set are in each cell; `states` counts those who were asked more, too."""
    exact, cells = np.array(states), np.arange(states.shape[2])
    for bit in range(states.shape[1].bit_length() - 1):
        without = (cells >> bit & 1 == 0)[:, None]
        for mask in range(states.shape[1]):
            if not mask >> bit & 1:
                more = exact[:, mask | 1 << bit]
                exact[:, mask] -= np.where(without, more + more[:, cells ^ 1 << bit], 0)
    return exact


def _squares(weights: Floats, shares: Floats) -> Floats:
    """E[W_S W_T] of a record for all sets S and T; `shares`: how often a record is in each cell."""
    return np.einsum("scf,tcf,cf->stf", weights, weights, shares, optimize=True)
