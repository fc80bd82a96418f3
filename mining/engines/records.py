"""Itemsets and rules of records: what analysts call."""

from collections.abc import Mapping, Sequence
from typing import Any

from mining.engines.findings import Mined, findings
from mining.engines.request import ENGINES, MiningRequest
from privacy.choices import ESTIMATORS, EVERY_CASES
from privacy.design import Design, arguments
from privacy.design.design import require_design
from privacy.design.reading import entries, shown
from privacy.errors import InputError
from privacy.reconstruct.sampling import Sampling
from privacy.records import Records, read_batch, read_records, record_blocks
from privacy.records.parquet import source_of
from privacy.records.records import require_records


def mine(
    records: Any,
    min_support: float,
    min_confidence: float = 0.5,
    *,
    max_length: int = 3,
    negated: bool = False,
    estimator: str = "stratified",
    engine: str = "auto",
    cases: str = "available",
    least: int = 100,
    weights: str | None = None,
    cluster: str | None = None,
    strata: str | None = None,
    bins: str | Mapping[str, str | Sequence[float]] = "",
    design: Design | None = None,
    client: Any = None,
    allow: Sequence[str] = (),
) -> Mined:
    """Find the itemsets and rules above thresholds, by reconstructed support.

    Parameters
    ----------
    records : Records, or a path or a table with `design`
        What `candor.disguise` or `candor.read_records` gave, or what `candor.read_records` takes: it is then read
        some rows at a time, and may be larger than the memory.
    min_support : float
        The smallest support, above 0.
    min_confidence : float
        The smallest confidence.
    max_length : int
        The longest itemset, 1 to 6.
    negated : bool
        Whether to mine what people do not do, too: ``!drugs``.
    estimator : {'stratified', 'combined', 'pooled'}
        As in `candor.reconstruct`.
    engine : {'auto', 'bitset', 'mlxtend'}
        Both find the same. mlxtend comes with ``pip install 'candor-survey[mining]'``.
    cases : {'available', 'complete', 'least-squares'}
        As in `candor.reconstruct`. By least squares there are no shrunken figures, and no weights, clusters and strata.
    least : int
        Nothing is reported about an itemset that fewer respondents were asked all of, and a direct group of which
        fewer were is left out.
    weights, cluster, strata : str, optional
        Open columns that say how respondents were drawn. Figures are then those of the population, with the errors of
        such a sample; no feasible values are fitted, and the groups are not compared. The engine is bitset.
    bins : str or mapping, optional
        Numbers and places that stand in itemsets as bins, such as ``{"age": [18, 30, 50], "home": "zones"}`` or
        ``"age=18,30,50;home=zones"``: a number by the edges between its bins, a place by its zones. Inside a bin people
        are taken to be spread as the number is among all; not to be had by the pooled estimator.
    design : Design, optional
        The design of records that are still to be read.
    client : distributed.Client, optional
        A client of a Dask cluster: its workers read and count `records`, the path of Parquet files that they know by
        the same name; the answer is the same to the last bit. Needs ``pip install 'candor-survey[dask]'``.
    allow : sequence of {'spill', 'http'}
        What the workers of that cluster may do: write records to disks, which are encrypted, or answer HTTP.

    Returns
    -------
    Mined
        Its `rules` and `itemsets` are DataFrames. In `rules` the standard errors are the columns ``support se``,
        ``confidence se``, ``lift se`` and ``leverage se``; the ends of the 95 % intervals are ``support low`` and
        ``support high``, ``confidence low`` and ``confidence high``, ``lift low`` and ``lift high``, ``leverage low``
        and ``leverage high``; ``q`` is the false discovery rate. In `itemsets` they are ``se``, ``low`` and ``high``.
        ``shrunken support``, ``shrunken confidence`` and ``shrunken lift``, each with ``se``, ``low`` and ``high``,
        stay true after selection.

    Raises
    ------
    InputError
        Where a threshold makes no sense or there are no records.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"drugs": [1, 0, 0, 0] * 2500, "cheating": [1, 0] * 5000})
    >>> design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    >>> records = candor.disguise(frame, design, direct=0.2, seed=7)
    >>> rules = candor.mine(records, min_support=0.05, engine="bitset").rules
    >>> rules[["antecedent", "consequent", "confidence", "confidence se", "q"]].round(3)
      antecedent consequent  confidence  confidence se    q
    0      drugs   cheating       1.048          0.045  0.0
    1   cheating      drugs       0.521          0.022  0.0
    """
    if client is not None:
        if weights or cluster or strata or isinstance(records, Records):
            raise InputError("client: weights, clusters, strata and records in memory are counted in one process.")
    elif design is None or isinstance(records, Records):
        require_records(records)
    elif weights or cluster or strata:
        records = require_records(read_records(records, design, open_columns=True))
    request = MiningRequest(
        arguments.number(min_support, "min_support"),
        arguments.number(min_confidence, "min_confidence"),
        arguments.whole(max_length, "max_length"),
        arguments.flag(negated, "negated"),
        arguments.choice(estimator, "estimator", ESTIMATORS),
        arguments.choice(engine, "engine", ENGINES),
        arguments.choice(cases, "cases", EVERY_CASES),
        arguments.whole(least, "least"),
        bins=_written(bins),
    )
    if not isinstance(records, Records):
        design = require_design(design)
        if client is not None:
            from mining.engines.cluster import findings_on  # who has a client has Dask

            return findings_on(client, records, design, request, allow)
        batches = (read_batch(block, design) for block in record_blocks(source_of(records)))
        mined = findings(batches, design, request)
        if not mined.summary["n"] + mined.summary["left_out"]:
            raise InputError("There are no records, so there is nothing to estimate.")
        return mined
    sampling = Sampling.named(records.open_columns, len(records), weights, cluster, strata)
    return findings([(records.codes, records.direct)], records.design, request, sampling=sampling)


def _written(bins: str | Mapping[str, str | Sequence[float]]) -> str:
    if isinstance(bins, str):
        return bins
    if not isinstance(bins, Mapping):
        raise InputError(f"bins: {shown(bins)} is neither a text nor a mapping, such as {{'age': [18, 30, 50]}}.")
    return ";".join(f"{name}={_edges(own, f'bins[{name!r}]')}" for name, own in bins.items())


def _edges(own: str | Sequence[float], name: str) -> str:
    if isinstance(own, str):
        return own
    edges = entries(own)
    if edges is None:
        raise InputError(f"{name}: {shown(own)} is neither text nor a list of numbers.")
    return ",".join(f"{arguments.number(edge, name):.15g}" for edge in edges)
