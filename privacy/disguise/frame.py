"""The disguise of a DataFrame of true answers: what analysts call."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import isinf
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from privacy.design import Design, arguments
from privacy.design.design import require_design
from privacy.design.rationals import numerator
from privacy.design.reading import quote
from privacy.disguise.table import disguise as disguise_codes, system_words, words_from_seed
from privacy.errors import InputError, InputWarning
from privacy.records import Records, check_codes
from privacy.records.frames import codes_of_frame, open_column
from privacy.result import DataFrame

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def disguise(
    frame: DataFrame,
    design: Design,
    *,
    direct: "float | ArrayLike" = 0.0,
    seed: int | None = None,
    open_columns: Sequence[str] = (),
) -> Records:
    """Disguise a table of true answers, as each respondent's browser does with one row.

    Parameters
    ----------
    frame : DataFrame
        A row per respondent and a column per item: bool, 0/1 or yes/no for yes/no items, an option's label otherwise.
        Answers for a sampled block are complete, or missing wherever a respondent was not asked. Other columns and
        the index are not looked at: who somebody is must not come along unseen.
    design : Design
        What happens to the answers.
    direct : float or array of bool
        The chance that a respondent answers undisguised, or who did; a Series has the index of the frame.
    seed : int, optional
        Makes the randomness repeatable, which is right for a study and must not protect anybody. Without it the
        randomness is the operating system's.
    open_columns : sequence of str
        Columns of the frame that are kept beside the answers, undisguised: a weight, a group, an age; dates as texts.

    Raises
    ------
    InputError
        Where a column is missing or a value is not one of its item; the sentence names the row and the column.

    Warns
    -----
    InputWarning
        Where the design gives true answers away: its gamma is infinite, and nothing else limits what a record tells.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"drugs": [True, False] * 500, "cheating": [1, 0, 0, 0] * 250})
    >>> design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    >>> candor.disguise(frame, design, direct=0.2, seed=7)
    1000 records of 2 items, 194 of them direct
    direct  drugs  cheating
         0      1         1
         0      0         1
         0      1         0
         0      0         1
         0      1         0
    …
    """
    import pandas as pd

    frame, design = arguments.frame(frame), require_design(design)
    if isinstance(direct, pd.Series):
        if not direct.index.equals(frame.index):
            raise InputError("direct: a Series has the index of the frame; an array goes by the order of its rows.")
        direct = arguments.column(direct)
    kept = {}
    for name in arguments.texts(open_columns, "open_columns"):
        if name in ("direct", *(field.name for field in (*design.fields, *design.answer_fields))):
            raise InputError(f"open_columns: {quote(name)} is disguised and cannot be kept as it is.")
        if name not in frame.columns:
            raise InputError(f"open_columns: the frame has no column {quote(name)}.")
        kept[name] = open_column(frame, name)
    codes = codes_of_frame(frame, design, design.answer_fields)
    check_codes(design, codes, may_be_complete=True, source="frame", row_names=frame.index.tolist())
    records = disguise_rows(design, codes, direct, seed)
    return replace(records, open_columns={**records.open_columns, **kept})


def disguise_rows(
    design: Design,
    codes: np.ndarray,
    direct: "float | Fraction | ArrayLike",
    seed: int | None,
    source: object = "design",
) -> Records:
    """Disguise a table of codes; `direct` says who answers directly, or with which chance, which is drawn first.

    A design that protects nobody is used, with a warning that names `source`.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> disguise_rows(design, np.array([[1], [0], [1], [1]]), 0, seed=7).codes.ravel().tolist()
    [0, 0, 0, 1]
    """
    take = system_words() if seed is None else words_from_seed(arguments.seed(seed))
    if isinstance(direct, Real) and not isinstance(direct, bool | np.bool_):
        share = arguments.exact_number(direct, "direct")
        if not 0 <= share <= 1:
            raise InputError(f"direct: {float(share):g} is not a share from 0 to 1.")
        if share and not design.direct:
            raise InputError("direct: this design allows no direct answers.")
        group = take(len(codes)) < numerator(share)
    else:
        try:
            group = np.asarray(direct)
            sound = group.dtype == bool or bool(np.isin(group, (0, 1)).all())
        except (TypeError, ValueError):  # rows of several lengths, or what is neither true nor false
            sound = False
        if not sound:
            raise InputError("direct: an array needs True or False for every respondent.")
    if design.leaks or isinf(design.odds):
        warnings.warn(
            f"{source}: this design gives true answers away (gamma is infinite): the records protect nobody.",
            InputWarning,
            stacklevel=3,
        )
    return disguise_codes(design, codes, group.astype(bool), take, source="frame")
