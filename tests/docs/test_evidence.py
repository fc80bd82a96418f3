"""What docs/evidence.md says of studies: each has its source, and the table is that of the published data."""

import csv
import re
from bisect import bisect_left
from math import sqrt
from typing import Any

import pytest

import candor
from papers.reference import how_to_get, reference_file
from tests.cases import first
from tests.docs.pages import text_of
from tests.servers import ROOT

DATA = "regression/mturk_counts.csv"
TEXT = text_of(ROOT / "docs" / "evidence.md")
STUDIES, SOURCES = TEXT.split("## Sources")
DECISION = text_of(ROOT / "docs" / "decisions" / "0092-when-a-plain-question-is-better.md")
ROWS = re.findall(r"^\| (\.\d+) \| (\d+) \| (.+) \|$", DECISION, re.MULTILINE)
SIZES = [round(1.1**power) for power in range(40, 140)]  # as on the page
HIDING = (1 / 2, 1 / 4, 1 / 10)
ASKED = {"DQ": "plain question", "Forced": "forced response", "UQM": "unrelated question", "Crosswise": "crosswise"}


def paragraphs() -> list[str]:
    """Each entry of a list in the sections about studies."""
    about = re.split(r"^## ", STUDIES, flags=re.MULTILINE)
    return [
        " ".join(entry.split())
        for section in about
        if section.startswith(("In short", "What speaks", "What Candor does"))
        for entry in re.findall(r"^- .+(?:\n  .+)*", section, re.MULTILINE)
    ]


def test_no_sentence_about_studies_is_without_a_source() -> None:
    """Every entry names where it is from: a study, or the page of Candor that says so."""
    assert len(paragraphs()) > 12
    assert [entry for entry in paragraphs() if "](" not in entry] == []


def test_every_study_is_in_the_list_of_what_was_read() -> None:
    """An address in the text is in the list, and so is each study that the text names without one."""
    addresses = set(re.findall(r"\]\((https://[^)]+|http://[^)]+)\)", STUDIES))
    named = set(re.findall(r"\[([A-Z]\w+)[^]]*\]\(#sources\)", STUDIES))

    assert len(addresses) > 8
    assert {address for address in addresses if address not in SOURCES} == set()
    assert named >= {"Rosenfeld", "John"}
    assert {name for name in named if f"\n| {name}" not in SOURCES} == set()


def share_who_admit(model: str, cheater: str) -> tuple[int, float, float]:
    """How many were asked so, the share that seems to say yes, and its standard error."""
    weights, values = [], []
    with reference_file(DATA).open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if (row["Question"], row["RRmodel"], row["cheater"]) != ("cheating dice game", model, cheater):
                continue
            if not row["RR_response"]:
                continue
            p, q = float(row["RRp1"]), float(row["RRp2"])
            base, slope = {"DQ": (0, 1), "Crosswise": (1 - p, 2 * p - 1)}.get(model, ((1 - p) * q, p))
            weights.append(int(row["count"]))
            values.append((float(row["RR_response"]) - base) / slope)
    people = sum(weights)
    mean = sum(weight * value for weight, value in zip(weights, values, strict=True)) / people
    spread = sum(weight * (value - mean) ** 2 for weight, value in zip(weights, values, strict=True)) / people
    return people, mean, sqrt(spread / people)


@pytest.mark.parametrize("model", ASKED)
def test_the_table_of_cheaters_is_that_of_the_published_data(model: str) -> None:
    """Of those who cheated and of the others: how many, the share, its standard error."""
    if not reference_file(DATA).exists():
        pytest.skip(how_to_get(DATA))
    cells = []
    for cheater in ("cheater", "honest"):
        people, share, error = share_who_admit(model, cheater)
        cells += [f"{people:_}".replace("_", " "), f"{100 * share:.0f} % ({100 * error:.0f})".replace("-", "−")]

    assert f"| {ASKED[model]} | {' | '.join(cells)} |" in TEXT


def enough(questions: int, share: float, hide: float) -> int:
    """From how many people on the advisor's design errs no more than a plain question from which so many hide."""

    def is_better(people: int) -> bool:
        wanted: dict[str, Any] = {"items": questions, "gamma": 19, "length": 1, "prevalence": share}
        disguised = candor.advise(respondents=people, **wanted).to_frame()["se_1"].iloc[0]
        said = share * (1 - hide)
        return bool(disguised <= sqrt((share - said) ** 2 + said * (1 - said) / people))

    return SIZES[bisect_left(SIZES, True, key=is_better)]


@pytest.mark.parametrize(("share", "questions", "needed"), first(1, sorted(ROWS, reverse=True)))
def test_so_many_people_make_the_disguise_better_than_a_plain_question(share: str, questions: str, needed: str) -> None:
    """The table of decision 92, by the figures of the advisor."""
    found = [enough(int(questions), float(share), hide) for hide in HIDING]

    assert needed.replace(" or fewer", "").split(" | ") == [f"{people:_}".replace("_", " ") for people in found]
