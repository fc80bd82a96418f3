"""The joint table of some items: what analysts call."""

from collections.abc import Sequence

from privacy.choices import CASES, ESTIMATORS
from privacy.design import arguments
from privacy.reconstruct.sampling import Sampling
from privacy.reconstruct.tables import JointTable, reconstruct_table
from privacy.records import Records
from privacy.records.records import require_records

__all__ = ["table"]


def table(
    records: Records,
    items: Sequence[str],
    *,
    estimator: str = "stratified",
    feasible: bool = True,
    cases: str = "available",
    weights: str | None = None,
    cluster: str | None = None,
    strata: str | None = None,
) -> JointTable:
    """Estimate the share of every combination of answers to some items.

    Parameters
    ----------
    records : Records
        What `candor.disguise` or `candor.read_records` gave.
    items : sequence of str
        The items of the table, which may have 2^20 cells.
    estimator : {'stratified', 'combined', 'pooled'}
        As in `candor.reconstruct`.
    feasible : bool
        Whether to fit the most likely table that real answers could have, too.
    cases : {'available', 'complete'}
        As in `candor.reconstruct`.
    weights, cluster, strata : str, optional
        As in `candor.reconstruct`; such a table has up to 4096 cells.

    Returns
    -------
    JointTable

    Raises
    ------
    InputError
        Where an item is unknown or named twice, the table is too large, or the disguise leaves nothing of it.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"drugs": [1, 0, 0, 0] * 2500, "cheating": [1, 0] * 5000})
    >>> design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    >>> records = candor.disguise(frame, design, direct=0.2, seed=7)
    >>> candor.table(records, ["drugs", "cheating"])
    10000 respondents asked all of drugs, cheating; stratified estimator
    drugs  cheating    support         se  feasible
    0      0          0.502585  0.0133402    0.4988
    0      1          0.244261  0.0129124    0.2408
    1      0         -0.012072  0.0110514         0
    1      1          0.265225  0.0142152    0.2604
    """
    require_records(records)
    chosen = arguments.texts(items, "items")
    estimator, feasible = arguments.choice(estimator, "estimator", ESTIMATORS), arguments.flag(feasible, "feasible")
    cases = arguments.choice(cases, "cases", CASES)
    sampling = Sampling.named(records.open_columns, len(records), weights, cluster, strata)
    return reconstruct_table(records, chosen, estimator, feasible=feasible, cases=cases, sampling=sampling)
