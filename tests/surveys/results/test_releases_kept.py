"""What a table keeps of the responses stands on its page, for those who made it, and in no file."""

import re
from collections import Counter

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from surveys.models import TableRelease
from surveys.releases import decide
from surveys.releases.ask import ask
from surveys.releases.table import answers_of, to_release
from tests.surveys.results.making import survey_with_results
from tests.surveys.results.releasing import ASKED, form_of, table_of, work

SPEC = ASKED | {
    "attributes": {
        "faculty": {"role": "quasi", "hierarchy": [["arts", "*"], ["law", "*"], ["music", "*"]]},
        "hours": {"role": "quasi", "ranges": [[4, 6, 8, 10]]},
        "mood": {"role": "sensitive"},
        "drugs": {"role": "sensitive"},
    },
    "model": {"k": 20},
}


def test_what_a_table_keeps_is_on_its_page_and_in_no_file(client: Client) -> None:
    """Means and the joint table are worked out here from responses and file."""
    version = survey_with_results(300)
    given = answers_of(to_release(version), ["faculty", "hours", "mood"])
    release = ask(version, SPEC, None, ["faculty", "hours"])
    work(release.pk)
    release = TableRelease.objects.get(pk=release.pk)
    published = table_of(release)

    kept = {(one["about"], one["name"]): one for one in release.report["kept"]}
    middles = [sum(map(float, re.findall(r"\d+", row["hours"]))) / 2 for row in published]
    assert kept["mean", "hours"]["before"] == pytest.approx(sum(map(float, given["hours"])) / len(published))
    assert kept["mean", "hours"]["after"] == pytest.approx(sum(middles) / len(published))
    before = Counter(zip(given["faculty"], given["hours"], strict=True))
    after: Counter[tuple[str, str]] = Counter()
    for row in published:
        low, high = map(int, re.findall(r"\d+", row["hours"]))
        faculties = sorted(set(given["faculty"])) if row["faculty"] == "*" else [row["faculty"]]
        hours = [str(one) for one in range(low, high + row["hours"].endswith("]"))]
        for cell in [(one, other) for one in faculties for other in hours]:
            after[cell] += 1 / len(faculties) / len(hours)
    moved = sum(abs(before[cell] - after[cell]) for cell in before.keys() | after.keys()) / (2 * len(published))
    assert kept["table", "faculty, hours"]["after"] == pytest.approx(moved)

    client.force_login(User.objects.create_superuser("root"))
    page = client.get(reverse("studio:release", args=[version.pk, release.pk])).content.decode()
    listed = client.get(reverse("studio:releases", args=[version.pk])).content.decode()
    decide.release(release.pk)
    files = [
        client.get(reverse("studio:release-file", args=[version.pk, release.pk, kind])).content.decode()
        for kind in ("csv", "json", "html")
    ]
    assert ("What the table moves" in page, "mean of “Hours of sleep?”" in page) == (True, True)
    assert "mean of “How are you?”" not in page  # codes of options are no numbers
    most = max(moved, *(one["after"] for one in kept.values() if one["about"] == "shares"))
    assert f"<td>{100 * most:.1f} %" in listed
    assert ["kept" in file for file in files] == [False, False, False]


@pytest.mark.parametrize(
    ("compared", "most", "sentence"),
    [
        (["born"], 10**6, "“When did you begin?” is left out, so no table can be compared."),
        (["hours", "mood"], 30, "A table of 35 cells is larger than 30."),
    ],
    ids=["left out", "cells"],
)
def test_a_table_that_cannot_be_compared_is_refused_before_it_is_made(
    monkeypatch: pytest.MonkeyPatch, compared: list[str], most: int, sentence: str
) -> None:
    """At its field, and nothing else that was entered is lost."""
    monkeypatch.setattr("surveys.releases.form.MOST_CELLS", most)
    given = {"k": "5", "l_kind": "", "method": "full-domain", "minimise": "discernibility", "role-mood": "quasi",
             "shape-mood": "neighbours", "role-hours": "quasi", "shape-hours": "ranges"}  # fmt: skip
    assert form_of(survey_with_results(300), given | {"compared": compared}).errors == {"compared": [sentence]}
