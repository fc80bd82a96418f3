"""Each percentage says of whom it is: of people who were asked, who answered, or of the population."""

import pytest

from config.api.table import OPERATIONS
from surveys.results.report import data_of, part
from tests.surveys.results.making import survey_with_results

pytestmark = pytest.mark.django_db

ASKED = "Shares are of people who were asked."
ANSWERED = "Shares are of people who answered."
POPULATION = "Shares are of the population."
BOTH = "These are of people who were asked, others of people who answered."
BY_HOURS = "~hours~~"


def test_every_caption_of_a_report_says_of_whom_shares_are() -> None:
    """Answers, tables and comparisons, with weights and without; exactly once. Texts have no shares."""
    data = data_of(survey_with_results(3000))
    keys = ("answers", "table.drugs.cheating", "table.drugs.faculty", "compare.-.drugs.1.-.cheating.1.-")
    weighed = (
        f"table.drugs.cheating.{BY_HOURS}",
        f"compare.-.drugs.1.-.cheating.1.-.{BY_HOURS}",
        f"weighted.{BY_HOURS}",
    )
    said: dict[str, list[list[str]]] = {}
    for key in (*keys, *weighed):
        found = part(data, key, lambda _action: True)
        assert found is not None, key
        for figure in found.context()["figures"]:
            if not figure.texts:
                whose = [one for one in (ASKED, ANSWERED, POPULATION, BOTH) if one in figure.caption]
                said.setdefault(key, []).append(whose)

    assert {len(whose) for own in said.values() for whose in own} == {1}
    assert {whose for key in weighed for (whose,) in said[key]} == {POPULATION}
    assert {whose for key in keys[1:] for (whose,) in said[key]} == {ASKED}
    assert [whose for (whose,) in said["answers"]] == [BOTH, *[ASKED] * 4, *[ANSWERED] * (len(said["answers"]) - 5)]


@pytest.mark.parametrize(
    ("name", "whose"),
    [
        ("getAnswers", "Shares of a sensitive question are of the people who were asked it, others of the people who"),
        ("getShares", "Shares are of the people who were asked;"),
    ],
)
def test_the_api_says_of_whom_shares_are(name: str, whose: str) -> None:
    """In the document of the operation."""
    (operation,) = (one for one in OPERATIONS if one.name == name)

    assert whose in " ".join(operation.about)
