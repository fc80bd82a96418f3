"""The people who fit a group are counted where a table of everybody is sent; the table stays on the site."""

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from surveys.domain.database import scrub
from surveys.models import SurveyVersion, TableRelease
from surveys.releases import decide
from surveys.releases.reasons import reason_of
from surveys.releases.table import answers_of, to_release
from tests.cases import first
from tests.servers import PATIENCE, wait_until
from tests.surveys.results.making import survey_with_results
from tests.surveys.results.releasing import form_of, table_of, work
from tests.surveys.thief import forget_log_files, stolen_files

FORM = {
    "do": "make", "k": "5", "l_kind": "", "method": "full-domain", "minimise": "discernibility", "suppression": "0",
    "role-mood": "quasi", "shape-mood": "hierarchy", "levels-mood": "1;low;*\n2;low;*\n3;high;*\n4;high;*\n5;high;*",
    "role-hours": "quasi", "shape-hours": "ranges", "levels-hours": "2\n4", "publish-drugs": "on",
}  # fmt: skip


def everybody_of(version: SurveyVersion, seed: int = 7) -> Counter[tuple[str, str]]:
    """The respondents and 2 000 others, by mood and hours; some sleep longer than the questionnaire allows."""
    answers, random = answers_of(to_release(version), ["mood", "hours"]), np.random.default_rng(seed)
    others = zip(random.integers(1, 6, 2000).astype(str), random.integers(4, 14, 2000).astype(str), strict=True)
    return Counter(zip(answers["mood"], answers["hours"], strict=True)) + Counter(
        (str(mood), str(hours)) for mood, hours in others
    )


def file_of(people: Counter[tuple[str, str]]) -> bytes:
    rows = "".join(f"{mood},{hours},{many}\n" for (mood, hours), many in people.items())
    return f"mood,hours,people\n{rows}".encode()


def ask_for(client: Client, version: SurveyVersion, content: bytes, **other: str) -> Any:
    file = SimpleUploadedFile("everybody.csv", content)
    return client.post(reverse("studio:releases", args=[version.pk]), FORM | other | {"everybody": file})


@pytest.mark.parametrize("method", first(1, ["full-domain", "local"]))
def test_the_people_who_fit_a_group_are_counted_from_a_table(client: Client, method: str) -> None:
    """Every row of the file is compared with everybody (seed 7) here; the file of the report has their number alone."""
    version = survey_with_results(600)
    people = everybody_of(version)
    client.force_login(User.objects.create_superuser("root"))
    place = ask_for(client, version, file_of(people), method=method)
    assert place.status_code == 302, place.context["form"].errors
    work(TableRelease.objects.get().pk)
    release = TableRelease.objects.get()
    assert release.state == "ready", reason_of(release)

    def covers(label: str, value: str, column: str) -> bool:
        if label in ("*", value):
            return True
        if column == "mood":
            return value in {"low": "12", "high": "345"}.get(label, label.strip("{}").split(", "))
        if "," not in label:
            return False
        low, high = map(int, label.strip("[)]").split(","))
        return low <= int(value) < high + label.endswith("]")

    groups = Counter((row["mood"], row["hours"]) for row in table_of(release))
    fit = {
        group: sum(many for (mood, hours), many in people.items() if covers(group[0], mood, "mood")
                   and covers(group[1], hours, "hours"))
        for group in groups
    }  # fmt: skip
    sample = release.report["metrics"]["sample"]
    assert sample["k_map"] == {"value": min(fit.values()), "by": "table", "low": None, "high": None}
    assert sample["global_risk"]["value"] == pytest.approx(
        sum(rows / fit[group] for group, rows in groups.items()) / groups.total()
    )
    page = client.get(place["Location"]).content.decode()
    assert ("counted in the table of all people" in page, f"Risk among all {people.total()} people" in page) == (
        True,
        True,
    )
    decide.release(release.pk)
    written = client.get(reverse("studio:release-file", args=[version.pk, release.pk, "json"])).json()
    assert written["asked"]["population"] == {"size": people.total(), "counted": True}


def test_a_limit_is_kept_by_the_count_of_everybody(client: Client) -> None:
    """The finest levels that fit at least 300 people are taken; by a test of the number alone none would be known."""
    version = survey_with_results(600)
    client.force_login(User.objects.create_superuser("root"))
    ask_for(client, version, file_of(everybody_of(version)), k_map="300")
    work(TableRelease.objects.get().pk)
    assert TableRelease.objects.get().report["metrics"]["sample"]["k_map"]["value"] >= 300


@pytest.mark.parametrize(
    ("content", "other", "refused"),
    first(
        3,
        [
            (b"mood,people\n1,9\n", {}, {"everybody": "The file has no column 'hours', which others may know."}),
            (b"mood,hours,people\n1,7,-3\n", {}, {"everybody": "'-3' is not a whole number of people from 0."}),
            (
                b"mood,hours,Count\n1,7,3\n",
                {},
                {
                    "everybody": "The file has a column 'Count'. Call it 'people' if it says how many people a row is; "
                    "else take it out."
                },
            ),
            (bytes(range(256)) * 2000, {}, {"everybody": "The file is not UTF-8."}),
            (b"mood,hours\n", {}, {"everybody": "The file has no people."}),
            (b"x" * 1_000_001, {}, {"everybody": "The file has 1000001 bytes, more than 1000000."}),
            (
                b"mood,hours\nblue,7\n",
                {},
                {
                    "everybody": "The file has “blue”, which is no answer to “How are you?”; "
                    "its answers are 1, 2, 3, 4, 5."
                },
            ),
            (
                b"mood,hours\n1,7\n",
                {"population": "9000"},
                {"population": "The table says how many people there are: leave this empty."},
            ),
        ],
    ),
    ids=str,
)
def test_a_table_that_cannot_be_read_is_refused_in_one_sentence(
    content: bytes, other: dict[str, str], refused: dict[str, str]
) -> None:
    """At its field, and the form keeps what was entered."""
    file = {"everybody": SimpleUploadedFile("everybody.csv", content)}
    asked = form_of(survey_with_results(600), FORM | other, file)
    assert json.loads(json.dumps(asked.errors)) == {field: [sentence] for field, sentence in refused.items()}


def test_a_table_that_lacks_respondents_ends_with_a_sentence(client: Client) -> None:
    """Fewer people fit a group than answered: nothing is released, the page says why, and the table is forgotten."""
    version = survey_with_results(600)
    client.force_login(User.objects.create_superuser("root"))
    ask_for(client, version, b"mood,hours,people\n1,4,9000\n")
    work(TableRelease.objects.get().pk)
    assert "it must hold everybody" in str(reason_of(TableRelease.objects.get()))
    assert "9000" not in TableRelease.objects.get().asked["spec"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("made", first(1, [False, True]), ids=str)
def test_a_release_that_is_discarded_keeps_no_table_of_people(client: Client, made: bool) -> None:
    """Neither in its row nor in the files; discarding it again changes nothing."""
    forget_log_files()
    version = survey_with_results(600)
    client.force_login(User.objects.create_superuser("root"))
    number = b"987654321"
    place = ask_for(client, version, file_of(everybody_of(version)) + b"1,15," + number + b"\n")
    assert place.status_code == 302, place.context["form"].errors
    release = TableRelease.objects.get()
    if made:
        work(release.pk)

    def is_there() -> bool:
        return any(number in content for _, content in stolen_files())

    there = is_there()
    decide.discard(release.pk)
    decide.discard(release.pk)
    wait_until(scrub.remove, PATIENCE, "traces are removed")

    assert (there, is_there()) == (True, False)
    assert "population" not in TableRelease.objects.get().spec
