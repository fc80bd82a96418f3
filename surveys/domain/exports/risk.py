"""What the undisguised answers of a file tell of people: who stands alone with them, and what direct answers then
tell.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from privacy.release import classes_of, measure
from surveys.domain.exports.sheet import is_apart, refusal, sheet_of
from surveys.domain.responses import disclosure
from surveys.models import Snapshot

FEW = 5  # respondents with the same undisguised answers: fewer are easily found


@dataclass(frozen=True)
class FileRisk:
    """`k`: the smallest group with the same undisguised answers; `alone` and `few`: respondents in groups of 1, and
    below FEW.

    `disclosed`: direct respondents of whom somebody who knows their undisguised answers learns an answer without
    finding them, because all direct ones with the same undisguised answers gave the same; `at` is the item where they
    are most.
    """

    respondents: int
    columns: tuple[str, ...]
    groups: int
    k: int
    alone: int
    few: int
    direct: int
    disclosed: int
    at: str


@dataclass(frozen=True)
class Undisguised:
    """An item that `respondents` have undisguised: `alone` have a value of their own, `few` one of fewer than FEW."""

    item: str
    respondents: int
    alone: int
    few: int


def risk_of(snapshot: Snapshot) -> FileRisk | None:
    """The risk of the file of records, stored with the snapshot; None where no undisguised answer is in it."""
    figures = _load_risks(snapshot)["open"]
    return FileRisk(**{**figures, "columns": tuple(figures["columns"])}) if figures else None


def list_undisguised(snapshot: Snapshot) -> list[Undisguised]:
    """Each number and place whose disguise leaves the values of some as they are, such as a place outside the zones."""
    return [Undisguised(**figures) for figures in _load_risks(snapshot)["undisguised"]]


def _load_risks(snapshot: Snapshot) -> dict[str, Any]:
    """The figures of the two functions above, kept with the snapshot, because every response is read for them."""
    if why_not := refusal(snapshot):
        raise why_not
    direct = disclosure.reportable(snapshot).direct
    kept = snapshot.risks.filter(direct=direct).first()
    if kept is None:
        risk = _compute_risk(snapshot)
        figures = {"open": risk and asdict(risk), "undisguised": [asdict(one) for one in _find_undisguised(snapshot)]}
        kept, _new = snapshot.risks.get_or_create(direct=direct, defaults={"figures": figures})
    return kept.figures


def _compute_risk(snapshot: Snapshot) -> FileRisk | None:
    sheet = sheet_of(snapshot)
    open_columns = [index for index, column in enumerate(sheet.columns) if column.of]
    known = [place for place in open_columns if not is_apart(sheet.columns[place])]
    items = [index for index, column in enumerate(sheet.columns) if column.disguised]
    if not open_columns:
        return None
    values: dict[int, list[str]] = {place: [] for place in (0, *open_columns, *items)}
    for rows in sheet.rows():
        for place, cells in values.items():
            cells += ["" if cell is None else str(cell) for cell in rows[place]]
    classes = classes_of([values[place] for place in known or open_columns], values[0])
    direct = np.array(values[0]) == "1"
    disclosed, at = 0, ""
    for place in items:
        share = _disclosures([np.array(values[column])[direct] for column in known], np.array(values[place])[direct])
        if share > disclosed:
            disclosed, at = share, sheet.columns[place].name
    return FileRisk(
        respondents=classes.records,
        columns=tuple(sheet.columns[place].name for place in known or open_columns),
        groups=len(classes.sizes),
        k=measure(classes).k,
        alone=int((classes.sizes == 1).sum()),
        few=int(classes.sizes[classes.sizes < FEW].sum()),
        direct=int(direct.sum()),
        disclosed=disclosed,
        at=at,
    )


def _find_undisguised(snapshot: Snapshot) -> list[Undisguised]:
    design = snapshot.version.design
    true: dict[int, list[np.ndarray]] = {index: [] for index, item in enumerate(design.items) if item.singles_out}
    for records in disclosure.records(snapshot) if true else ():
        hidden = records.codes[~records.direct]
        for place, codes in true.items():
            block, _ = design.place(place)
            codes.append(hidden[design.blocks[block].certain(hidden[:, [place]]), place])
    listed = []
    for place, codes in true.items():
        sizes = np.unique(np.concatenate(codes), return_counts=True)[1] if codes else np.zeros(0, np.int64)
        if sizes.sum():
            alone, few = int((sizes == 1).sum()), int(sizes[sizes < FEW].sum())
            listed.append(Undisguised(design.items[place].id, int(sizes.sum()), alone, few))
    return listed


def _disclosures(known: list[np.ndarray], answers: np.ndarray) -> int:
    """The number of people with an answer in whose class, by the `known` columns, all gave the same answer."""
    asked = answers != ""
    if not asked.any() or not known:
        return 0
    homogeneity = measure(classes_of([column[asked] for column in known], answers[asked])).homogeneity
    return round((homogeneity or 0) * int(asked.sum()))
