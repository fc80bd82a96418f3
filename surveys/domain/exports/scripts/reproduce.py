"""The shares of every disguised answer, with standard errors, from records.csv and codebook.json alone.

    python reproduce.py

A share is printed as it came out. Where one of a question is below 0, the report shows what can be true of all of them.

Where each device sent one word, or a group of words, words.csv has the chances. A line then ends with its interval at
95 %: it allows for people with more to tell than the cap of the list. Of groups, and where some answered directly, it
needs scipy. Of a list that measures what such people lose, the lines are its words, sets of answers too, with what is
given back in the share and in its error; their intervals are those of candor reconstruct.

Needs numpy and pandas. With Candor's library, `candor reconstruct records.csv design.json --pattern drugs=1` gives the
same figures with intervals, and `candor mine records.csv design.json --min-support 0.1 --min-confidence 0.5` rules.
Other files: pandas.read_spss("records.sav"), pandas.read_stata("records.dta"), pandas.read_parquet("records.parquet").
In all of them the column of a disguised answer is called drugs_disguised: its values are not the answers.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

HERE = Path(__file__).resolve().parent
FOLDER = HERE if (HERE / "codebook.json").exists() else HERE.parent
Z = 1.959963984540054  # standard errors of an interval at 95 %


def mean(weights: np.ndarray) -> tuple[float, float]:
    """The mean of weights, and the variance of this mean."""
    return weights.mean(), ((weights**2).mean() - weights.mean() ** 2) / len(weights)


def print_words(column: dict[str, Any], words: pd.DataFrame, people: pd.DataFrame) -> None:
    """Print the share of each answer by its rows of words.csv (`words`); an answer without any has what they leave."""
    cells = [name for name in words if name in people and (words[name] != "").all()]
    chances = words[["base", "own", "spare", "common"]].apply(pd.to_numeric)
    shown, sent = words[cells].agg("\n".join, axis=1), people[cells].agg("\n".join, axis=1)
    direct, n = (people["direct"] == "1").to_numpy(), len(people)
    groups = chances["common"].notna() & ~shown.duplicated()
    common = chances["common"].max() if groups.any() else 0.0

    def count(rows: pd.Series) -> np.ndarray:
        """For each person whether one of these words was sent, minus the chance of it without the answer."""
        return sent.isin(shown[rows]).to_numpy() - chances.loc[rows, "base"].sum()

    def added(rows: pd.Series) -> float:
        """By how much the answer raises the chance that one of these words is sent."""
        return float((chances["own"] - chances["base"])[rows].sum())

    def weigh(rows: pd.Series) -> np.ndarray:
        """For each person the part in the estimated share of the answer that these words tell."""
        return (count(rows) - common * count(groups)) / added(rows)

    bounds = chances["spare"].notna()  # people above the cap lose at most spare · share + what this measures
    lost = count(bounds) / added(bounds) if chances.loc[bounds, "own"].notna().any() else np.zeros(n)
    inside = words["item"] == column["name"]
    telling = {value: inside & (words["value"] == value) for value in words.loc[inside, "value"].unique()}
    for value in (value["value"] for value in column["values"]):
        rest, sign = value not in telling, -1 if value not in telling else 1
        rows = list(telling.values()) if rest else [telling[value]]
        disguised = sum((weigh(row) for row in rows), np.zeros(n))
        said = np.where(direct, people[column["variable"]] == value, 1 - disguised if rest else disguised)
        share, parts = said.mean(), (said - said.mean()) / n
        end, end_parts = share, parts
        if bounds.any():
            spare = chances.loc[bounds, "spare"].iloc[0]
            end = share + sign * max(spare * (1 - share if rest else share) + lost[~direct].sum() / n, 0.0)
            moved = np.where(direct, 0.0, lost - lost[~direct].mean()) / n
            end_parts = parts + spare * parts + sign * moved
        chance = added(rows[0])
        base = min(sum(chances.loc[row, "base"].sum() for row in rows), 1 - chance)
        line = (1 - base - chance if rest else base, chance)
        doubt = 0.0
        if common:  # what groups have in common is 0 in the mean over words; so far it may be off, squared
            named = max(count(groups)[~direct].mean(), 0.0) * common / chance * (~direct).mean()
            doubt = len(rows) * named**2 / (2 * (1 / common - 1)) * (n - 1) / n
        elif not direct.all():  # whatever is true, so many send these words; where fewer do, chance may add as many
            own = np.logical_or.reduce(rows)
            lacks = max(chances.loc[own, "base"].sum() - sent[~direct].isin(shown[own]).mean(), 0.0)
            most = (1 - chances.loc[own, "base"].sum()) / chance - disguised[~direct].mean()
            doubt = lacks * most**2 * (~direct).sum() / n**2 * (n - 1) / n
        known = None if direct.any() or common else line
        low, high = interval(share, parts, end, end_parts, known, sign * bounds.any(), doubt)
        error = ((parts**2).sum() + doubt) ** 0.5
        figures = f"{share:.15g}\t{error:.15g}\tn = {n}\t{low:.15g}\t{high:.15g}"
        print(f"{column['name']}={value}\t{figures}")


def print_list(words: pd.DataFrame, people: pd.DataFrame) -> None:
    """Print the share of each word of a list whose loss words measure what people above its cap lose.

    All words of a length lose alike, and half of what is given back is in the error: nobody knows which words lost it.
    """
    cells = [name for name in words if name in people and (words[name] != "").all()]
    shown, sent = words[cells].agg("\n".join, axis=1), people[cells].agg("\n".join, axis=1)
    base, known = pd.to_numeric(words["base"]), pd.to_numeric(words["own"]) - pd.to_numeric(words["base"])
    seen = shown.map(sent.value_counts()).fillna(0) / len(people)
    raw, likely = (seen - base) / known, np.maximum(seen, base)  # a word that nobody sent has an error, too
    lengths = words["word"].str.split(",").str.len().where(words["word"] != "")
    for place in words.index[words["loss"] != ""]:
        own = words.index[lengths == int(words["loss"][place])]
        kept, unit = raw[own].sum(), known[place]
        factor = min(max(1 + raw[place] / kept, 1.0), 2.5) if kept > 0 else 1.0
        # What a record of the loss word adds to each share, and one of another word.
        by_loss = raw[own] / kept / unit if 1 < factor < 2.5 else 0 * raw[own]
        others = -by_loss * unit * (factor - 1)
        sums = likely[own] / known[own]
        average = factor * sums + others * sums.sum() + by_loss * likely[place]
        square = (factor + 2 * others) * factor * sums / known[own] + others**2 * (sums / known[own]).sum()
        variance = (square + by_loss**2 * likely[place] - average**2) / len(people)
        errors = np.sqrt(np.maximum(variance, 0) + (0.5 * raw[own] * (factor - 1)) ** 2)
        for word, share, error in zip(words["word"][own], factor * raw[own], errors, strict=True):
            item, yes = word.removeprefix("!"), int(word[:1] != "!")
            answer = "," not in word and "=" not in word  # yes or no
            for name, one in (
                [(f"{item}={yes}", share), (f"{item}={1 - yes}", 1 - share)] if answer else [(word, share)]
            ):
                print(f"{name}\t{one:.15g}\t{error:.15g}\tn = {len(people)}")


def interval(
    share: float,
    parts: np.ndarray,
    end: float,
    end_parts: np.ndarray,
    line: tuple[float, float] | None,
    sign: int,
    doubt: float,
) -> tuple[float, float]:
    """The interval at 95 % of a share that may lie as far as `end`, above it (sign 1) or below (−1), or not (0).

    `parts`: what each person adds to the share, and to the end. `line`: c and d of the chance c + d·share that a record
    counts, if nobody answered directly. `doubt`: a variance beside that of the sample.
    """
    errors = [((each**2).sum() + doubt) ** 0.5 for each in (parts, end_parts)]
    if line is None:
        from scipy.stats import t

        own = (parts**2).sum()
        freedom = max(own**2 / (parts**4).sum() - 1, 1.0)  # Kish 1965
        # Of the variance the doubt is known, and takes none (Satterthwaite 1946).
        reach = t.ppf(0.975, freedom * ((own + doubt) / own) ** 2)
        ends = [(one - reach * error, one + reach * error) for one, error in zip((share, end), errors, strict=True)]
        return min(low for low, _ in ends), max(high for _, high in ends)
    (c, d), n = line, len(parts)
    seen = c + d * share
    middle, half = seen + Z**2 / (2 * n), Z * np.sqrt(seen * (1 - seen) / n + Z**2 / (4 * n**2))  # Wilson 1927
    low, high = (((middle + side * half) / (1 + Z**2 / n) - c) / d for side in (-1, 1))
    more = Z**2 * max(errors[1] ** 2 - errors[0] ** 2, 0.0)
    if sign > 0:
        high = max(high, end + np.sqrt(more + (high - share) ** 2))
    if sign < 0:
        low = min(low, end - np.sqrt(more + (share - low) ** 2))
    return low, high


# an apostrophe stands where a spreadsheet would begin to compute
MARKS = r"""(?<=[;\t\r\n])'(?=["' ]*[=+\-@＝＋－＠])|\A'(?=["' ]*[=+\-@＝＋－＠\t\r\n])"""
codebook = json.loads((FOLDER / "codebook.json").read_text(encoding="utf-8"))
records = pd.read_csv(FOLDER / "records.csv", dtype=str, keep_default_na=False)
everybody = len(records)
listed = FOLDER / "words.csv"
words = pd.read_csv(listed, dtype=str, keep_default_na=False) if listed.exists() else pd.DataFrame({"item": []})
printed: set[str] = set()  # blocks whose words are printed all at once

for column in codebook["columns"]:
    if not column["disguised"]:
        continue
    of_list = words[words["item"] == column["name"]]
    if not column.get("channel") and of_list.empty:
        name = column["variable"]
        print(f"{name}: one column does not tell its figures; use candor reconstruct records.csv design.json")
        continue
    values = [value["value"] for value in column["values"]]
    recorded = records[column["variable"]].str.replace(MARKS, "", regex=True)
    asked = records[recorded != ""]
    recorded = recorded[recorded != ""]
    direct = asked["direct"] == "1"
    share_direct = (records["direct"] == "1").mean()
    same = recorded[direct].value_counts().max() if direct.any() else 0
    # Too few to report, or all but two said the same: the figures are about the others.
    if direct.sum() < codebook["least"] or direct.sum() - same < 3:
        asked, recorded, direct, share_direct = asked[~direct], recorded[~direct], direct[~direct] & False, 0.0
    if len(of_list):
        block = of_list["block"].iloc[0]
        rows = words[words["block"] == block]
        if not (rows["loss"] != "").any():
            print_words(column, rows, asked)
        elif direct.any():
            print(f"{column['name']}: some answered directly; use candor reconstruct records.csv design.json")
        elif block not in printed:
            printed.add(block)
            print_list(rows, asked)
        continue
    back = np.linalg.inv(np.array(column["channel"]))  # a row for each true value, in it a weight for each recorded one
    places = recorded.map({value: index for index, value in enumerate(values)}).to_numpy()
    for place, value in enumerate(values):
        estimate, variance = mean(back[place][places[~direct]]) if (~direct).any() else (0.0, 0.0)
        if share_direct:
            truth, spread = mean((places[direct] == place).astype(float))
            k, n = share_direct, everybody
            variance = k**2 * spread + (1 - k) ** 2 * variance + k * (1 - k) * (truth - estimate) ** 2 / n
            estimate = k * truth + (1 - k) * estimate
        print(f"{column['name']}={value}\t{estimate:.15g}\t{variance**0.5:.15g}\tn = {len(asked)}")
