"""Once a table of a version is out, another one is made from its bytes, and nothing from the responses."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from candor.commands import main
from surveys.models import SurveyVersion, TableRelease
from surveys.releases import decide
from surveys.releases.ask import ask
from tests.surveys.results.making import survey_with_results
from tests.surveys.results.releasing import ASKED, FORM, files_of, made, table_of, work
from tests.surveys.staff import browser_of

DRUGS = {"drugs": {"role": "sensitive"}, "hours": {"role": "insensitive"}, "born": {"role": "insensitive"}}
State = TableRelease.State
MOODS = "1;low\n2;low\n3;high\n4;high\n5;high"
KEPT = {"stays-mood": "on", "stays-hours": "on", "stays-drugs": "on", "stays-born": "on"}
LEVELS = {
    "shape-mood": "hierarchy", "levels-mood": MOODS, "shape-hours": "ranges", "levels-hours": "0, 8, 24",
    "shape-born": "truncate", "levels-born": "4",
}  # fmt: skip


@pytest.fixture
def owner() -> Client:
    return browser_of(User.objects.create_superuser("owner"))


def released(version: SurveyVersion) -> TableRelease:
    release = made(version, **DRUGS)
    assert decide.release(release.pk)
    return TableRelease.objects.get(pk=release.pk)


def further(version: SurveyVersion, release: TableRelease) -> str:
    return reverse("studio:release-further", args=[version.pk, release.pk])


def test_tables_to_release_offers_another_table_from_the_released_one_and_nothing_else(owner: Client) -> None:
    """No form, no risk of the responses; and who sends the form all the same gets no table from the responses."""
    version = survey_with_results(300)
    before = owner.get(reverse("studio:releases", args=[version.pk])).content.decode()
    release = released(version)
    address = reverse("studio:releases", args=[version.pk])

    page, sent = owner.get(address).content.decode(), owner.post(address, FORM)

    assert ('name="do"' in before, 'name="do"' in page, "<caption>The risk" in page) == (True, False, False)
    assert (further(version, release) in page, sent.status_code) == (True, 200)
    assert (
        further(version, release)
        in owner.get(reverse("studio:release", args=[version.pk, release.pk])).content.decode()
    )
    assert TableRelease.objects.count() == 1


def test_another_table_is_what_the_command_makes_of_the_released_file(owner: Client, tmp_path: Path) -> None:
    """Equal bytes from the site, and from the released file and the spec that the page gives: no response is read."""
    version = survey_with_results(300)
    release = released(version)
    TableRelease.objects.update(snapshot="0" * 64)  # that of no responses

    listed = owner.get(further(version, release)).context["form"]["levels-hours"].initial
    table = owner.post(further(version, release), KEPT | LEVELS | {"do": "csv"})
    spec = owner.post(further(version, release), KEPT | LEVELS | {"do": "spec"})

    assert listed == "4;4\n5;5\n6;6\n7;7\n8;8\n9;9\n10;10"
    file = owner.get(reverse("studio:release-file", args=[version.pk, release.pk, "csv"])).content
    for name, content in (("out.csv", file), ("spec.json", spec.content)):
        (tmp_path / name).write_bytes(content)
    at = {name: str(tmp_path / name) for name in ("out.csv", "spec.json", "more.csv")}
    assert main(["coarsen", at["out.csv"], at["spec.json"], "-o", at["more.csv"]]) == 0
    assert table.content == Path(at["more.csv"]).read_bytes()
    rows = list(csv.DictReader(StringIO(table.content.decode(), newline="")))
    assert list(rows[0]) == ["direct", "mood", "hours", "born", "drugs"]
    assert {name: {row[name] for row in rows} for name in ("mood", "hours", "born")} == {
        "mood": {"low", "high"}, "hours": {"[0, 8)", "[8, 24]"}, "born": {"2026"},
    }  # fmt: skip
    assert table["Content-Disposition"] == f'attachment; filename="study-1-release-{release.pk}-further.csv"'
    assert TableRelease.objects.count() == 1


def test_without_disguised_questions_a_table_does_not_say_who_answered_directly(owner: Client) -> None:
    """That is needed to read disguised answers, and by nobody else."""
    version = survey_with_results(300)

    table = owner.post(further(version, released(version)), {"stays-hours": "on", "do": "csv"}).content.decode()

    assert table.splitlines()[0] == '"hours"'


@pytest.mark.parametrize(
    ("changed", "refused"),
    [
        (
            {"levels-mood": MOODS[:-7]},
            {"levels-mood": ["the value '5' of the column 'mood' is missing."]},
        ),
        ({"levels-hours": "12, 24"}, {"levels-hours": ["the value '10' is outside 12 to 24."]}),
        ({"levels-hours": "much"}, {"levels-hours": ["“much” is not a number."]}),
        (dict.fromkeys(KEPT, ""), {"__all__": ["Keep at least one question."]}),
    ],
    ids=["a value", "a range", "a number", "nothing"],
)
def test_what_cannot_be_made_is_refused_at_its_field(
    owner: Client, changed: dict[str, str], refused: dict[str, list[str]]
) -> None:
    """One sentence, and the entries stay."""
    version = survey_with_results(300)

    answer = owner.post(further(version, released(version)), KEPT | LEVELS | changed)

    errors = {
        name: [str(one).partition(": ")[2] or str(one) for one in said]
        for name, said in answer.context["form"].errors.items()
    }
    assert errors == refused


def test_a_disguised_column_is_kept_with_its_design_or_dropped(owner: Client, tmp_path: Path) -> None:
    """Never drawn again nor changed; the design of what is kept reads the table."""
    version = survey_with_results(400)
    asked = FORM | {"role-hours": "disguised", "starts-hours": "6, 8"}
    first_table = files_of(version, owner, asked, tmp_path)[0].read_text()
    release = TableRelease.objects.get()
    page = owner.get(further(version, release)).content.decode()
    sent = {"stays-faculty": "on", "stays-mood": "on", "levels-faculty": "arts;any"}

    table, design = (owner.post(further(version, release), sent | {"do": kind}).content for kind in ("csv", "design"))

    assert ("levels-faculty" in page, "levels-mood" in page) == (False, True)
    of_first = sorted((row["faculty"], row["mood"]) for row in csv.DictReader(StringIO(first_table, newline="")))
    assert (
        sorted((row["faculty"], row["mood"]) for row in csv.DictReader(StringIO(table.decode(), newline="")))
        == of_first
    )
    assert [[item["id"] for item in block["items"]] for block in json.loads(design)["blocks"]] == [["faculty"]]
    (tmp_path / "more.csv").write_bytes(table)
    (tmp_path / "more.json").write_bytes(design)
    given = ["reconstruct", str(tmp_path / "more.csv"), str(tmp_path / "more.json"), "--pattern", "faculty=law"]
    assert main(given) == 0


def test_of_an_old_site_with_several_released_tables_each_gives_others(owner: Client) -> None:
    """The page names both, and each is read by itself."""
    version = survey_with_results(300)
    both = [made(version, **DRUGS), made(version, faculty={"role": "insensitive"}, drugs={"role": "sensitive"})]
    TableRelease.objects.update(state=State.DONE)

    page = owner.get(reverse("studio:releases", args=[version.pk])).content.decode()

    assert [further(version, one) in page for one in both] == [True, True]
    for release, name in zip(both, ("hours", "faculty"), strict=True):
        table = owner.post(further(version, release), {f"stays-{name}": "on"}).content.decode()
        values = sorted(row[name] for row in table_of(release))
        assert list(csv.DictReader(StringIO(table))) == [{name: value} for value in values]


def test_only_from_a_table_that_is_out_another_is_made(owner: Client) -> None:
    """Neither from one that waits, nor from one that was made or discarded."""
    version = survey_with_results(300)
    release = ask(version, ASKED, None)
    states = []
    for step in (decide.release, work, decide.discard):  # waiting, made, discarded
        step(release.pk)
        states.append(owner.post(further(version, release), KEPT).status_code)

    assert states == [404] * 3


def test_of_responses_that_nobody_gave_directly_one_table_is_released_and_others_follow(owner: Client) -> None:
    """Where three tables once died, the first is released, and each other one is made from it."""
    version = survey_with_results(300, direct_share=0)
    release = released(version)

    tables = [
        owner.post(further(version, release), {f"stays-{name}": "on"}).content for name in ("mood", "hours", "drugs")
    ]

    assert [table.decode().split()[0] for table in tables] == ['"mood"', '"hours"', '"direct","drugs"']
