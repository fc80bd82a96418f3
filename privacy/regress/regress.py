"""One answer explained by others: what analysts call, with records or a DataFrame."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from privacy.choices import Family
from privacy.design import Design, arguments
from privacy.design.design import require_design
from privacy.errors import InputError
from privacy.estimate.sample import Sample
from privacy.options import check_arguments, tables
from privacy.records import Records
from privacy.regress.regression import Regression, regression_of
from privacy.regress.respondents import Respondents, read_model
from privacy.result import DataFrame

if TYPE_CHECKING:
    import pandas as pd


@check_arguments(tables.REGRESS)
def regress(
    records: Records | DataFrame,
    outcome: str,
    on: str | Iterable[str] = (),
    *,
    family: Family = "logistic",
    sample: Sample | None = None,
    robust: bool = False,
    level: float = 0.95,
    design: Design | None = None,
    designs: Mapping[str, Design] | None = None,
    design_column: str | None = None,
    model: str | None = None,
    model_options: Mapping[str, Any] | None = None,
) -> Regression:
    """Explain one answer by others, where any of them may be disguised.

    Parameters
    ----------
    records : Records or DataFrame
        Records with their undisguised columns, as `Records.from_frame` keeps them; or a DataFrame of both, for
        `design`, `designs` or `model`.
    outcome : str
        An undisguised column, or a literal: ``drugs``, ``age=50+``.
    on : str or iterable of str
        The predictors, in one text between commas or one by one: undisguised numbers, literals, ``direct`` (1 for those
        who answered directly), and products ``a:b`` of them.
    family : {'logistic', 'linear', 'ordinal', 'normal'}
        What is a line in the predictors: the log odds of the outcome; the outcome itself, by least squares; the log
        odds of more than each value of the outcome; or the mean of a normal outcome.
    sample : Sample, optional
        How respondents were drawn and what is known of the population, as in `candor.reconstruct`; errors are then
        those of such a sample.
    robust : bool
        Whether errors should hold even if the model of the outcome's spread does not.
    level : float
        Of the confidence intervals.
    design : Design, optional
        What disguised the records of a DataFrame.
    designs : mapping of str to Design, optional
        Several designs, by the value that `design_column` holds for the respondents of each.
    model, model_options : str and mapping, optional
        The stochastic lie detector, sld, for one item; docs/groups.md lists the options.

    Raises
    ------
    InputError
        Where a name is unknown, or the records cannot tell a coefficient; the sentence says which and why.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"drugs": [1, 0, 0, 0] * 2500, "young": [1, 0] * 5000})
    >>> records = candor.disguise(frame, candor.models.warner(["drugs"], theta=0.8), seed=7)
    >>> both = records.to_frame().assign(young=frame["young"])
    >>> candor.regress(both, "drugs", "young", design=records.design, family="linear")
    linear regression of drugs: 10000 respondents, 0 of them direct
                  estimate          se         low       high            p
    (intercept)  0.0206667  0.00964086  0.00176865  0.0395647    0.0320846
    young            0.478   0.0152266    0.448153   0.507847  2.1385e-206
    errors: robust
    Least squares on unbiased weights: the errors include the spread of the weights; there is no likelihood.
    """
    people = _read_respondents(records, design, designs, design_column, model, model_options)
    return regression_of(
        people,
        arguments.text(outcome, "outcome"),
        arguments.names(on, "on"),
        family,
        sample=sample,
        robust=robust,
        level=level,
    )


def _read_respondents(
    records: Any,
    design: Design | None,
    designs: Mapping[str, Design] | None,
    design_column: str | None,
    model: str | None,
    options: Mapping[str, Any] | None,
) -> Respondents:
    if (designs is None) != (design_column is None):
        raise InputError(
            "designs: several designs need a column that names the design, and such a column needs several designs."
        )
    if (model is None) != (options is None):
        raise InputError("model: a model needs options, and options need a model.")
    if isinstance(records, Records):
        if design is not None or designs is not None or model is not None:
            raise InputError("records: these records have a design; give a DataFrame for other designs or a model.")
        return Respondents.of_records(records)
    frame = arguments.frame(records, "records")
    if design is None and designs is None and model is None:
        raise InputError("records: a DataFrame needs a design, designs or a model.")
    if design is not None and designs is not None:
        raise InputError("designs: give one design or several, not both.")
    one = None if design is None else require_design(design)
    several = None if designs is None or design_column is None else (_read_designs(designs), design_column)
    return Respondents.of_columns(
        _columns(frame, [one] if one else several[0].values() if several else ()),
        "records",
        one,
        several,
        None if model is None or options is None else read_model(model, options),
    )


def _columns(frame: DataFrame, designs: Iterable[Design]) -> dict[str, np.ndarray]:
    """The columns of the frame; answers to items with options are values as files hold them."""
    options = {item.id for design in designs for item in design.items if item.has_options}
    return {
        str(name): _answers(frame[name]) if str(name) in options else arguments.column(frame[name])
        for name in frame.columns
    }


def _answers(column: "pd.Series[Any]") -> np.ndarray:
    """The column's answers: None for missing ones, and 1 where pandas made 1.0 of it."""
    there = zip(column.tolist(), column.isna().tolist(), strict=True)
    plain = (None if missing else value for value, missing in there)
    return np.fromiter(
        (int(value) if isinstance(value, float) and value.is_integer() else value for value in plain),
        object,
        len(column),
    )


def _read_designs(value: Any) -> dict[str, Design]:
    named = arguments.by_name(value, "designs")
    return {name: require_design(each, f"designs[{name!r}]") for name, each in named.items()}
