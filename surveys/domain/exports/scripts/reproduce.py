"""The shares of every disguised answer, with standard errors, from records.csv and codebook.json alone.

    python reproduce.py

Needs numpy and pandas. With Candor's library, `candor reconstruct records.csv design.json --pattern drugs` gives the
same figures with intervals, and `candor mine records.csv design.json --min-support 0.1 --min-confidence 0.5` rules.
Other files: pandas.read_spss("records.sav"), pandas.read_stata("records.dta"), pandas.read_parquet("records.parquet").
In all of them the column of a disguised answer is called drugs_disguised: its values are not the answers.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).resolve().parent
FOLDER = HERE if (HERE / "codebook.json").exists() else HERE.parent


def mean(weights: np.ndarray) -> tuple[float, float]:
    """The mean of weights, and the variance of this mean."""
    return weights.mean(), ((weights**2).mean() - weights.mean() ** 2) / len(weights)


# an apostrophe stands where a spreadsheet would begin to compute
MARKS = r"""(?<=[;\t\r\n])'(?=["' ]*[=+\-@＝＋－＠])|\A'(?=["' ]*[=+\-@＝＋－＠\t\r\n])"""
codebook = json.loads((FOLDER / "codebook.json").read_text(encoding="utf-8"))
records = pd.read_csv(FOLDER / "records.csv", dtype=str, keep_default_na=False)
everybody = len(records)

for column in codebook["columns"]:
    if not column.get("channel"):
        if column["disguised"]:
            name = column["variable"]
            print(f"{name}: one column does not tell its figures; use candor reconstruct records.csv design.json")
        continue
    values = [value["value"] for value in column["values"]]
    back = np.linalg.inv(np.array(column["channel"]))  # a row for each true value, in it a weight for each recorded one
    recorded = records[column["variable"]].str.replace(MARKS, "", regex=True)
    asked = records[recorded != ""]
    recorded = recorded[recorded != ""]
    direct = asked["direct"] == "1"
    share_direct = (records["direct"] == "1").mean()
    same = recorded[direct].value_counts().max() if direct.any() else 0
    # Too few to report, or all but two said the same: the figures are about the others.
    if direct.sum() < codebook["least"] or direct.sum() - same < 3:
        asked, recorded, direct, share_direct = asked[~direct], recorded[~direct], direct[~direct] & False, 0.0
    places = recorded.map({value: place for place, value in enumerate(values)}).to_numpy()
    for place, value in enumerate(values):
        estimate, variance = mean(back[place][places[~direct]]) if (~direct).any() else (0.0, 0.0)
        if share_direct:
            truth, spread = mean((places[direct] == place).astype(float))
            k, n = share_direct, everybody
            variance = k**2 * spread + (1 - k) ** 2 * variance + k * (1 - k) * (truth - estimate) ** 2 / n
            estimate = k * truth + (1 - k) * estimate
        print(f"{column['name']}={value}\t{estimate:.15g}\t{variance**0.5:.15g}\tn = {len(asked)}")
