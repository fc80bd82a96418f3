"""Respondents with known truth for tests of regressions."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.records import Records
from privacy.regress import Respondents


def disguised(
    block: Mapping[str, Any] | Design,
    truth: Mapping[str, np.ndarray],
    columns: Mapping[str, np.ndarray],
    seed: int,
    direct: np.ndarray | None = None,
) -> Respondents:
    """Disguise true codes, by item, under one block; the columns stay open.

    Coins come from another seed, as truths are mostly drawn from this one.
    """
    design = block if isinstance(block, Design) else Design.parse({"direct": direct is not None, "blocks": [block]})
    codes = np.column_stack([truth[item.id] for item in design.items]).astype(design.code_type)
    group = np.zeros(len(codes), bool) if direct is None else direct
    records = disguise(design, codes, group, words_from_seed(seed + 1_000_000))
    return Respondents.of_records(Records(design, records.codes, records.direct, columns))
