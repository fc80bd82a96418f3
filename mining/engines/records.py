"""Itemsets and rules of records: what analysts call."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from mining.engines.findings import Mined, findings
from mining.engines.literals import literals_of
from mining.engines.options import MINE
from mining.engines.request import MiningRequest, require_cells
from privacy.choices import Cases, Engine, Estimator
from privacy.design import Design, arguments
from privacy.design.reading import entries, quote
from privacy.errors import InputError
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.options import check_arguments
from privacy.records import Records, read_records
from privacy.records.count_tables import CountTables
from privacy.records.parquet import source_of
from privacy.records.read import NOT_COUNTED, batches_or_tables
from privacy.records.records import design_of, require_records


@check_arguments(MINE)
def mine(
    records: Any,
    min_support: float,
    min_confidence: float = 0.5,
    *,
    max_length: int = 3,
    negated: bool = False,
    estimator: Estimator = "stratified",
    engine: Engine = "auto",
    cases: Cases = "available",
    least: int = 100,
    sample: Sample | None = None,
    bins: str | Mapping[str, str | Sequence[float]] = "",
    design: Design | None = None,
    counts: bool = False,
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
        Both find the same: mlxtend joins candidates in place of our own join, and takes longer. It comes with ``pip
        install 'candor-survey[mining]'``.
    cases : {'available', 'complete'}
        As in `candor.reconstruct`.
    least : int
        Nothing is reported about an itemset that fewer respondents were asked all of, and a direct group of which
        fewer were is left out.
    sample : Sample, optional
        How respondents were drawn and what is known of the population, as in `candor.reconstruct`. Figures are then
        those of the population, with the errors of such a sample, and the groups are not compared.
    bins : str or mapping, optional
        Numbers and places that stand in itemsets as bins, such as ``{"age": [18, 30, 50], "home": "zones"}`` or
        ``"age=18,30,50;home=zones"``: a number by the edges between its bins, a place by its zones. Errors
        know that people of one bin differ in what else they answer; not to be had by the pooled estimator.
    design : Design, optional
        The design of records that are still to be read.
    counts : bool
        Whether they are counts, as in `candor.reconstruct`; counts of tables tell nothing of figures after selection.

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
    design = design_of(records, design)
    thresholds = (min_support, min_confidence, max_length)
    request = MiningRequest(*thresholds, negated, estimator, engine, cases, least, _bins_as_text(bins))
    if isinstance(records, Records):
        if counts:
            raise InputError(NOT_COUNTED)
        return _mine_in_memory(records, request, sample)
    return mine_records(source_of(records), design, request, sample, counts=counts)


def mine_records(
    source: Any, design: Design, request: MiningRequest, sample: Sample | None = None, *, counts: bool = False
) -> Mined:
    """Mine a file or a table: some rows at a time, or all at once where columns name a `sample`.

    >>> import tempfile
    >>> design = Design.parse({"model": "warner", "theta": 0.9, "items": ["drugs"]})
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("direct,drugs\\n" + "0,1\\n0,0\\n" * 500)
    ...     file.flush()
    ...     mine_records(file.name, design, MiningRequest(0.1, 0.5)).summary["n"]
    1000
    """
    literals = literals_of(design, request.negated, request.bins)
    if literals.by_cells:
        require_cells(literals.bins, request)  # before a record is read
    if sample is not None:
        found = _mine_in_memory(read_records(source, design, open_columns=True, counts=counts), request, sample)
    else:
        batches = batches_or_tables(source, design, counts=counts)
        if isinstance(batches, CountTables):
            batches.require_length(request.max_length)
        found = findings(batches, design, request)
    if not found.summary["n"] + found.summary["left_out"]:
        name = source if isinstance(source, str | os.PathLike) else "table"
        raise InputError(f"{name}: there are no records in it.")
    return found


def _mine_in_memory(records: Records, request: MiningRequest, sample: Sample | None) -> Mined:
    require_records(records)
    sampling = Sampling.of(sample, records.open_columns, len(records))
    return findings([(records.codes, records.direct)], records.design, request, sampling=sampling)


def _bins_as_text(bins: str | Mapping[str, str | Sequence[float]]) -> str:
    if isinstance(bins, str):
        return bins
    if not isinstance(bins, Mapping):
        raise InputError(f"bins: {quote(bins)} is neither a text nor a mapping, such as {{'age': [18, 30, 50]}}.")
    return ";".join(f"{name}={_edges_as_text(own, f'bins[{name!r}]')}" for name, own in bins.items())


def _edges_as_text(own: str | Sequence[float], name: str) -> str:
    if isinstance(own, str):
        return own
    edges = entries(own)
    if edges is None:
        raise InputError(f"{name}: {quote(own)} is neither text nor a list of numbers.")
    return ",".join(f"{arguments.number(edge, name):.15g}" for edge in edges)
