"""One table of a closed version is released, whole and once."""

import re
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager as ContextManager
from dataclasses import replace
from datetime import timedelta
from unittest.mock import patch

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from privacy.errors import InputError
from privacy.records import Records
from privacy.records.packing import pack
from privacy.release import METHODS
from privacy.release.models import limits
from privacy.release.models.limits import ENTRIES
from surveys.domain.people.log import notes
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal
from surveys.models import Survey, SurveyVersion, TableRelease
from surveys.releases import claim as claiming, decide
from surveys.releases.ask import ask, start_due_releases
from surveys.releases.form import ReleaseForm
from surveys.releases.make import make, make_release, report_of
from surveys.releases.reasons import TableError, reason_of
from surveys.releases.table import risk
from tests.cases import every, first
from tests.surveys.making import add_question, make_survey
from tests.surveys.results.making import survey_with_results
from tests.surveys.results.releasing import ASKED, ATTRIBUTES, ITEMS, form_of, make_by_form, table_of as rows, work
from tests.surveys.staff import browser_of, somebody

FORM = {
    "do": "make", "k": "5", "l_kind": "distinct", "l": "2", "method": "full-domain", "minimise": "discernibility",
    "suppression": "0", "role-faculty": "quasi", "shape-faculty": "hierarchy", "role-mood": "quasi",
    "shape-mood": "hierarchy", "levels-mood": "1;low;*\n2;low;*\n3;high;*\n4;high;*\n5;high;*",
    **{f"publish-{item}": "on" for item in ITEMS},
}  # fmt: skip
State = TableRelease.State
OUT = str(TableError("out"))


@pytest.fixture
def version() -> SurveyVersion:
    return survey_with_results(800)


@pytest.fixture
def client() -> Client:
    """The browser of somebody who may take files."""
    return browser_of(somebody("view", "change"))


def ready(version: SurveyVersion, **other: object) -> TableRelease:
    """A table that was made and not released."""
    release = ask(version, ASKED | other, None)
    work(release.pk)
    return TableRelease.objects.get(pk=release.pk)


def release_table(version: SurveyVersion, **other: object) -> TableRelease:
    made = ready(version, **other)
    if made.state == State.READY:
        decide.release(made.pk)
    return TableRelease.objects.get(pk=made.pk)


def ready_of_few(people: int, direct: int, **other: object) -> TableRelease:
    """A table of so many people, of whom the last ones answered directly."""
    survey = make_survey("few", ("drugs",), least=20, override_by="Tests", override_reason="few people")
    add_question(survey, "clinic", page=2)
    version = publish(survey)
    codes = np.arange(people)[:, np.newaxis] % 2
    records = Records(version.design, codes.astype(version.design.code_type), np.arange(people) >= people - direct)
    seal.append(version, pack(records), [f'{{"clinic":"{number % 2}"}}'.encode() for number in range(people)])
    Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    attributes = {"clinic": {"role": "quasi", "hierarchy": [["0", "*"], ["1", "*"]]}, "drugs": {"role": "sensitive"}}
    return ready(version, attributes=attributes, **other)


def test_a_release_has_every_response_and_enough_who_are_alike(version: SurveyVersion) -> None:
    """Counted from the file; disguised columns are in it, questions that were left out are not."""
    release = release_table(version)

    table = rows(release)
    classes = Counter((row["direct"], row["faculty"], row["mood"]) for row in table)
    assert (release.state, release.share, len(table), release.report["suppressed"]) == (State.DONE, 1, 800, 0)
    assert min(classes.values()) >= 5
    assert list(table[0]) == ["direct", "faculty", "mood", "drugs", "cheating", "theft", "age"]


@pytest.mark.parametrize(
    ("method", "known"), first(1, [("cells", ("faculty", "mood")), ("means", ("hours",))]), ids=["cells", "means"]
)
def test_cells_and_means_of_a_survey_are_released(
    client: Client, version: SurveyVersion, method: str, known: tuple[str, ...]
) -> None:
    """Counted from the file: k rows are alike; and the page says by which method."""
    attributes = {name: {"role": "quasi"} for name in known} | {"drugs": {"role": "sensitive"}}
    release = release_table(version, method=method, suppression=0, attributes=attributes, model={"k": 5})

    classes = Counter((row["direct"], *(row[name] for name in known)) for row in rows(release))
    assert (release.state, min(classes.values()) >= 5) == (State.DONE, True)
    page = client.get(reverse("studio:release", args=[version.pk, release.pk])).content.decode()
    assert METHODS[method].about in page


def test_a_row_that_would_be_suppressed_alone_does_not_leave(client: Client, version: SurveyVersion) -> None:
    """Its class would be itself: further rows are suppressed, and the page says so."""
    release = release_table(version, suppression=0.05)

    page = client.get(reverse("studio:release", args=[version.pk, release.pk])).content.decode()

    classes = Counter((row["direct"], row["faculty"], row["mood"]) for row in rows(release))
    assert (release.state, min(classes.values()) >= 5) == (State.DONE, True)
    assert "24 further rows are suppressed, group by group, until all suppressed rows together keep the model" in page


def test_work_that_is_done_twice_is_done_once(version: SurveyVersion) -> None:
    """A task may arrive twice: the second finds nothing to do."""
    release = release_table(version)
    work(release.pk)

    again = TableRelease.objects.get(pk=release.pk)
    assert (again.attempts, again.ended_at, bytes(again.table)) == (1, release.ended_at, bytes(release.table))


def test_a_direct_group_that_files_leave_out_is_in_no_release() -> None:
    """200 disguised people and three direct ones: the risk and the table are of the 200."""
    release = ready_of_few(203, 3, model={"k": 3})

    assert {row["direct"] for row in rows(release)} == {"0"}
    assert (len(rows(release)), risk(release.version, ["clinic"])[0].k) == (200, 100)


def test_a_worker_that_was_given_up_writes_nothing(version: SurveyVersion) -> None:
    """It is killed half way; another makes the table; the first comes back and finds its token void."""
    release = ask(version, ASKED, None)
    token = claiming.claim(release.pk)
    assert token is not None
    assert claiming.claim(release.pk) is None
    made = make_release(release, lambda _step, _share: None)
    TableRelease.objects.filter(pk=release.pk).update(lease_until=timezone.now() - timedelta(seconds=1))

    start_due_releases()
    assert TableRelease.objects.get(pk=release.pk).state == State.QUEUED
    work(release.pk)
    late = claiming.finish(release.pk, token, report_of(made), b"late")

    stored = TableRelease.objects.get(pk=release.pk)
    assert (late, stored.state, bytes(stored.table) == b"late") == (False, State.READY, False)
    assert not claiming.LEASES.renew(release.pk, token, step="reading", share=0.5)


def test_a_release_that_is_cancelled_does_not_begin_and_writes_nothing(version: SurveyVersion) -> None:
    """Its claim is void; before it begins, it does not begin."""
    release, waiting = ask(version, ASKED, None), ask(version, ASKED, None)
    token = claiming.claim(release.pk)
    assert token is not None
    assert decide.discard(release.pk)
    make(release.pk, token)
    decide.discard(waiting.pk)
    work(waiting.pk)

    states = TableRelease.objects.values_list("state", "attempts", "report")
    assert list(states) == [(State.STOPPED, 0, {}), (State.STOPPED, 1, {})]


def test_how_far_a_release_is_stands_in_its_row(version: SurveyVersion) -> None:
    """Steps in their order, and shares that do not fall."""
    release = ask(version, ASKED, None)
    heard: list[tuple[str, float]] = []
    make_release(release, lambda step, share: heard.append((step, share)))

    steps = list(dict.fromkeys(step for step, _ in heard))
    shares = [share for _, share in heard]
    assert (steps, shares == sorted(shares), shares[-1] < 1) == (["reading", "gather"], True, True)


def test_one_table_of_a_version_is_released_and_all_others_end(version: SurveyVersion) -> None:
    """Nobody has a file before; a second press changes nothing; what is out cannot be discarded, and nothing else is
    kept: neither a table that was made nor one that is being made, whose worker writes nothing."""
    made, other, working = ready(version), ready(version), ask(version, ASKED, None)
    token = claiming.claim(working.pk)
    assert token is not None

    assert (decide.release(made.pk), decide.release(made.pk), decide.discard(made.pk)) == (True, False, False)
    assert (decide.release(other.pk), decide.discard(other.pk)) == (False, False)
    assert not claiming.finish(working.pk, token, {}, b"late")
    rows = TableRelease.objects.filter(pk__in=(other.pk, working.pk))
    assert (
        list(rows.values_list("state", "table", "report", "ended_for"))
        == [(State.FAILED, b"", {}, {"code": "out", "values": {}})] * 2
    )
    with pytest.raises(InputError, match="A table of this version is released"):
        ask(version, ASKED, None)


def test_a_table_that_stands_beside_a_released_one_is_not_released(version: SurveyVersion) -> None:
    """As an older site left it, which released several: it ends when somebody presses."""
    first, second = ready(version), ready(version)
    TableRelease.objects.filter(pk=first.pk).update(state=State.DONE)

    assert not decide.release(second.pk)
    stored = TableRelease.objects.get(pk=second.pk)
    assert (stored.state, bytes(stored.table), str(reason_of(stored))) == (State.FAILED, b"", OUT)


@pytest.mark.parametrize("after", ["it was asked for", "a worker has begun"])
def test_what_is_asked_for_while_another_is_released_ends_with_the_reason(version: SurveyVersion, after: str) -> None:
    """Whoever makes it looks once more."""
    first, second = ready(version), ask(version, ASKED, None)
    token = claiming.claim(second.pk) if after == "a worker has begun" else None
    TableRelease.objects.filter(pk=first.pk).update(state=State.DONE)

    make(second.pk, token) if token else work(second.pk)
    assert str(reason_of(TableRelease.objects.get(pk=second.pk))) == OUT


def test_what_cannot_be_fulfilled_ends_with_the_reason(version: SurveyVersion) -> None:
    """No table loses less than nothing."""
    refused = ready(version, bounds={"penalty": 0.0}, suppression=0)

    assert "no table with one level for each attribute satisfies the model" in str(reason_of(refused))


def test_only_a_closed_version_is_released() -> None:
    """While people may still answer, nothing is asked for."""
    with pytest.raises(InputError, match=r"closed|collects"):
        ask(survey_with_results(300, closed=False), ASKED, None)


def test_a_researcher_looks_first_and_then_releases(client: Client, version: SurveyVersion) -> None:
    """The form makes a table; its page has risks, attacks, lattice, losses and rows; then there are three files."""
    address = reverse("studio:releases", args=[version.pk])
    assert client.get(address).status_code == 200

    sent = client.post(address, FORM)
    release = TableRelease.objects.get()
    waiting = client.get(sent["Location"]).content.decode()
    work(release.pk)
    shown = client.get(sent["Location"]).content.decode()
    pages = {
        kind: reverse("studio:release-file", args=[version.pk, release.pk, kind])
        for kind in ("csv", "json", "html", "exe")
    }
    before = {kind: client.get(page).status_code for kind, page in pages.items()}
    client.post(reverse("studio:release-publish", args=[version.pk, release.pk]))

    assert sent["Location"] == reverse("studio:release", args=[version.pk, release.pk])
    assert ("<progress" in waiting, "<progress" in shown, 'class="chart"' in shown) == (True, False, True)
    assert before == dict.fromkeys(pages, 404)
    files = {kind: client.get(page) for kind, page in pages.items()}
    assert {kind: answer.status_code for kind, answer in files.items()} == {
        "csv": 200, "json": 200, "html": 200, "exe": 404,
    }  # fmt: skip
    written = files["json"].json()
    assert (written["asked"], list(written["node"])) == (ASKED, ["faculty", "mood"])
    assert files["csv"].content == bytes(TableRelease.objects.get().table)
    assert ("<svg" in files["html"].content.decode(), {"minimal", "holding", "path"} & written.keys()) == (False, set())
    assert [one.what for one in notes(version.survey, 9)] == [f"Released: table {release.pk} of version 1."]


def test_the_page_says_how_far_it_is_and_ends_by_itself(client: Client, version: SurveyVersion) -> None:
    """A JSON address for the script, a refresh without it; the form to cancel is there while it is open."""
    release = ask(version, ASKED, None)
    address = reverse("studio:release", args=[version.pk, release.pk])
    token = claiming.claim(release.pk)
    assert token is not None
    claiming.LEASES.renew(release.pk, token, step="gather", share=0.25)

    page, written = client.get(address).content.decode(), client.get(f"{address}progress/").json()
    cancelled = client.post(f"{address}discard/")
    after = client.get(f"{address}progress/").json()

    assert ('http-equiv="refresh"' in page, "surveys/live.js" in page, f"{address}discard/" in page) == (
        True,
        True,
        True,
    )
    assert written == {
        "open": True, "state": "being made", "doing": "making answers coarser", "counted": "", "share": 0.25,
    }  # fmt: skip
    assert (cancelled.status_code, after["open"], after["state"]) == (302, False, "discarded")


def test_the_risk_is_shown_before_anything_is_made(
    client: Client, version: SurveyVersion, django_assert_max_num_queries: Callable[..., ContextManager[object]]
) -> None:
    """Of each answer and of all; of what is chosen at once. The responses are read once, and not at each visit."""
    address = reverse("studio:releases", args=[version.pk])
    first = client.get(address).content.decode()
    looked = client.post(address, FORM | {"do": "look"}).content.decode()

    with (
        django_assert_max_num_queries(27),
        patch("surveys.releases.table.read_rows", side_effect=AssertionError("read again")),
    ):
        again = client.get(address).content.decode()
    assert first.count("<caption>") == again.count("<caption>")
    assert ("fewest who are alike" in first, 'id="chosen"' in first, 'id="chosen"' in looked) == (True, False, True)
    assert (first.count("<figure"), "HASR" in looked) == (0, True)
    assert (
        "Which faculty are you in?; How are you?" in looked,
        "low, high" in looked,
        TableRelease.objects.count(),
    ) == (True, True, 0)


@pytest.mark.long
def test_a_list_of_three_takes_the_queries_of_one(client: Client, version: SurveyVersion) -> None:
    """And no table is read for it."""
    address = reverse("studio:releases", args=[version.pk])
    ready(version)
    client.get(address)
    counts = []
    for more in (0, 2):
        for _ in range(more):
            ask(version, ASKED, None)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        counts.append(len(queries))
        assert not any('"surveys_tablerelease"."table"' in query["sql"] for query in queries)

    assert counts[0] == counts[1]


def form(version: SurveyVersion, files: dict[str, SimpleUploadedFile] | None = None, **other: object) -> ReleaseForm:
    return form_of(version, {key: value for key, value in (FORM | other).items() if value is not None}, files)


@pytest.mark.parametrize(
    ("other", "entry"),
    first(2, [
        ({"shape-hours": "ranges", "levels-hours": "2\n4"}, {"ranges": [[4, 6, 8, 10, 12], [4, 8, 12]]}),
        ({"shape-hours": "ranges", "levels-hours": "0, 6, 12\n0 12"}, {"ranges": [[0, 6, 12], [0, 12]]}),
        ({"shape-hours": "truncate", "levels-hours": "1, 0"}, {"truncate": [1, 0]}),
        ({"shape-hours": "ends", "levels-hours": "4 -\n5.5, 10"}, {"ends": [[4, None], [5.5, 10]]}),
        ({"shape-hours": "ranges", "levels-hours": "", "weight-hours": "2"},
         {"ranges": [[4, 5, 6, 7, 8, 9, 10, 11, 12], [4, 6, 8, 10, 12], [4, 8, 12], [4, 12]], "weight": 2.0}),
    ]),
)  # fmt: skip
def test_hierarchies_are_entered_in_a_few_ways(version: SurveyVersion, other: dict[str, object], entry: object) -> None:
    """Widths, break points, characters, or what is proposed from the data; the spec has it as the command takes it."""
    made = form(version, **{"role-hours": "quasi"} | other)

    assert made.is_valid(), made.errors
    assert made.spec["attributes"]["hours"] == {"role": "quasi"} | entry  # type: ignore[operator]


@pytest.mark.parametrize(
    ("levels", "sentence"),
    every(
        3,
        [
            ("0 1e300000", "“1e300000” is not a number."),
            ("0 1e3000000", "“1e3000000” is not a number."),
            ("0 1e16", "“1e16” is too large a number."),
            ("0.0001\n1000", "A width of 0.0001 makes more than 1000 ranges."),
            ("1e-300\n1", "A width of 1E-300 makes more than 1000 ranges."),
            ("1\n" * 50_000, "A hierarchy has at most 100000 labels."),
            ("0 12\n" * 60_000, "A hierarchy has at most 100000 labels."),
        ],
    ),
    ids=[
        "no power of a float",
        "a longer power",
        "beyond a float",
        "a small width",
        "a smaller width",
        "many levels",
        "many points",
    ],
)
def test_levels_that_would_take_long_are_refused_at_once(version: SurveyVersion, levels: str, sentence: str) -> None:
    """A few letters name a number of millions of digits, or millions of ranges; so do many lines."""
    made = form(version, **{"role-hours": "quasi", "shape-hours": "ranges", "levels-hours": levels})
    assert made.errors["levels-hours"] == [sentence]


def test_neighbours_dates_and_files(version: SurveyVersion) -> None:
    """Points of a scale are joined two by two, a date loses its day, then its month; a file is as ARX writes it."""
    made = form(version, **{
        "shape-mood": "neighbours", "role-born": "quasi", "shape-born": "truncate", "levels-born": "7, 4",
    })  # fmt: skip
    assert made.is_valid(), made.errors
    mood = made.spec["attributes"]["mood"]["hierarchy"]
    assert mood == [
        ["1", "1 … 2", "1 … 4", "*"], ["2", "1 … 2", "1 … 4", "*"], ["3", "3 … 4", "1 … 4", "*"],
        ["4", "3 … 4", "1 … 4", "*"], ["5", "5", "5", "*"],
    ]  # fmt: skip
    assert made.trees["born"].labels[2] == ("2026",)

    file = SimpleUploadedFile("f.csv", "\ufefflaw;other;*\narts;other;*\nmusic;music;*\n".encode())
    made = form(version, {"file-faculty": file})
    assert made.is_valid(), made.errors
    assert made.spec["attributes"]["faculty"]["hierarchy"][0] == ["law", "other", "*"]


@pytest.mark.parametrize(
    ("other", "field", "sentence"),
    first(5, [
        ({"k": "700"}, "__all__", "even with every quasi-identifier generalised to its root, the table does not sat"),
        ({"levels-mood": "1;low;*\n2;low;*"}, "levels-mood", "the value '3' of the column 'mood' is missing."),
        ({"shape-mood": "ranges", "levels-mood": "2, 4"}, "levels-mood", "the value '1' is outside 2 to 4."),
        ({"shape-mood": "ranges", "levels-mood": "a"}, "levels-mood", "“a” is not a number."),
        ({"shape-mood": "truncate", "levels-mood": "4 7"}, "levels-mood", "7 characters after 4 are not fewer."),
        ({"role-mood": "", "role-faculty": ""}, "__all__", "Mark at least one question as known to others."),
        ({"method": "k-acluk", "l_kind": ""}, "__all__", "k-acluk needs just one sensitive attribute."),
        ({"method": "bottom-up"}, "__all__", "bottom-up supports only k; use local for other models."),
        ({"rho1": "0.5"}, "__all__", "0.5 and 0 are not two beliefs between 0 and 1, the smaller one first."),
        ({"l_kind": "recursive"}, "__all__", "recursive diversity needs c, and no other kind has it."),
        ({"k": "1"}, "k", "Ensure this value is greater than or equal to 2."),
        ({"tells": "t"}, "tells_at", "Choose a figure and enter a number for it, or neither."),
        ({"loses_at": "2"}, "loses_at", "Choose a figure and enter a number for it, or neither."),
        ({"front": "t", "method": "local"}, "__all__", "local makes one table, so there is no front of several."),
        ({"k": "700", "method": "local"}, "__all__", "700 is more than the "),
        ({"method": "means"}, "__all__", "'faculty' is no number in every row, and means need numbers; take another "),
        ({"l": "3"}, "__all__", "Each group of direct respondents needs 3 answers to “drugs”, but all together gave 2"),
        ({"tree-age": "1;*"}, "__all__", "of the column 'age' is missing."),
    ]),
)  # fmt: skip
def test_wrong_values_are_said_at_their_field(
    client: Client, version: SurveyVersion, other: dict[str, str], field: str, sentence: str
) -> None:
    """In one sentence; what was entered stays, and nothing waits for a worker."""
    shown = client.post(reverse("studio:releases", args=[version.pk]), FORM | other).context["form"]

    (said,) = shown.errors[field]
    assert sentence in said
    assert all(shown[name].value() == value for name, value in other.items())
    assert not TableRelease.objects.exists()


@pytest.mark.parametrize(
    ("method", "model"),
    first(
        1,
        [
            ("local", {"l_kind": "entropy", "l": "1.5", "t_distance": "ordered", "t": "0.4", "alpha": "0.9"}),
            ("local", {"l_kind": "", "rho1": "0.3", "rho2": "0.9"}),
            ("local", {"l_kind": "", "beta_kind": "enhanced", "beta": "2", "disclosure": "3"}),
            ("k-acluk", {"l_kind": ""}),
            ("bottom-up", {"l_kind": ""}),
            ("ilp-l", {"l_kind": "distinct", "l": "2"}),
            ("full-domain", {"l_kind": "recursive", "l": "2", "c": "20", "minimise": "penalty"}),
        ],
    ),
)
def test_every_method_is_reached_from_the_page(
    client: Client, version: SurveyVersion, method: str, model: dict[str, str]
) -> None:
    """One disguised question, any model: the table is made and its page can be read."""
    others = {f"publish-{item}": None for item in ("cheating", "theft", "age")}
    sent = {key: value for key, value in (FORM | others | model | {"method": method}).items() if value is not None}
    address, release = make_by_form(version, client, sent)

    shown = client.get(address).content.decode()
    assert (release.state, release.report.get("node") is None) == (State.READY, method != "full-domain"), reason_of(
        release
    )
    assert ("First rows" in shown, "The lattice" in shown) == (True, method == "full-domain")
    assert ("The path of the search" in shown) == (method == "full-domain")
    assert "who also knows how the table was made is not part of these figures" in shown
    assert list(rows(release)[0]) == ["direct", "faculty", "mood", "drugs"]


def test_the_risk_among_all_people_is_asked_for_and_shown(client: Client, version: SurveyVersion) -> None:
    """With how many they are: the page, the report and the model say it; k-map without them is refused at once."""
    asked = {"population": "5000", "k_map": "3", "tells": "global_risk", "tells_at": "0.5"}
    address, release = make_by_form(version, client, FORM | asked)

    shown = client.get(address)

    found = release.report["metrics"]["sample"]
    assert found.keys() == {"k_map", "individual", "global_risk"}
    assert found["k_map"]["value"] >= 3
    assert found["global_risk"]["value"] <= 0.5
    least = f"{found['k_map']['value']:.0f}"
    assert shown.context["sample"][0] == ("how many people fit a class, at least", least, "test")
    assert "Risk among all 5000 people" in shown.content.decode()
    assert "k-map = 3" in shown.context["model"]
    alone = form(version, k_map="3")
    assert not alone.is_valid()
    assert alone.errors["__all__"] == ["k_map needs population."]


def test_a_front_is_shown_to_who_asks_and_stands_in_no_file(client: Client, version: SurveyVersion) -> None:
    """Its figures come from tables that are not released. The bounds hold for the table that is."""
    bounds = {"tells": "marketer", "tells_at": "0.01", "loses": "penalty", "loses_at": "0.9", "front": "information"}
    address, release = make_by_form(version, client, FORM | bounds)
    assert decide.release(release.pk)

    shown = client.get(address)
    files = [
        client.get(reverse("studio:release-file", args=[version.pk, release.pk, kind])) for kind in ("json", "html")
    ]

    front = shown.context["front"]
    assert [one.node for one in front["points"]] == [tuple(node) for node, _, _ in release.report["front"]]
    assert (front["svg"] in shown.content.decode(), len(front["points"]) > 1) == (True, True)
    assert ("front" in files[0].json(), b"Loss and what" in files[1].content) == (False, False)
    assert release.report["metrics"]["risk"]["marketer"] <= 0.01
    assert release.report["metrics"]["penalty"] <= 0.9


def test_files_tell_of_the_table_as_it_was_only_how_many_were_alike(client: Client, version: SurveyVersion) -> None:
    """What its finer groups say of sensitive answers is not released, nor how many of them miss the model."""
    release = release_table(version, suppression=0.05)
    written, page = (
        client.get(reverse("studio:release-file", args=[version.pk, release.pk, kind])) for kind in ("json", "html")
    )

    report = written.json()
    kept = {
        name: release.report["before"][name] for name in ("k", "discernibility", "average_class", "unicity", "risk")
    }
    assert (report["before"], "rule" in report, report["metrics"]) == (kept, False, release.report["metrics"])
    assert b"further rows are suppressed" not in page.content
    assert re.search(r"\(HASR\)</th>\s*<td>–</td>", page.content.decode())


def test_cells_that_a_spreadsheet_would_compute_are_written_with_an_apostrophe(version: SurveyVersion) -> None:
    """A label of an uploaded hierarchy may begin with =."""
    tree = [["arts", "=1+1", "*"], ["law", "=1+1", "*"], ["music", "=1+1", "*"]]
    release = release_table(
        version, attributes=ATTRIBUTES | {"faculty": {"role": "quasi", "hierarchy": tree}}, suppression=0
    )

    assert {row["faculty"] for row in rows(release)} <= {"'=1+1", "*", "arts", "law", "music"}
    assert b",=1+1" not in bytes(release.table)


def test_a_table_that_an_older_site_stored_is_downloaded_without_formulas(
    client: Client, version: SurveyVersion
) -> None:
    """Its bytes stay in the database; what leaves is written as tables are today."""
    release = release_table(version)
    TableRelease.objects.filter(pk=release.pk).update(table=b"direct,mood\r\n1,a;=1+1\r\n0,'=2\r\n")
    page = reverse("studio:release", args=[version.pk, release.pk])

    file = client.get(f"{page}release.csv").content

    assert file == b'"direct","mood"\r\n1,"a;\'=1+1"\r\n0,"\'=2"\r\n'


def test_only_those_who_may_take_files_see_releases(client: Client, version: SurveyVersion) -> None:
    """Risks and first rows come from the responses as they are. For others no page links there, and all are refused."""
    release = release_table(version)
    viewer, stranger, boss = *(browser_of(somebody(may)) for may in ("view", "nothing")), client
    own = reverse("studio:release", args=[version.pk, release.pk])
    pages = [reverse("studio:releases", args=[version.pk]), own, f"{own}progress/"]

    asked = [[each.get(page).status_code for page in pages] for each in (viewer, stranger, boss)]
    assert asked == [[403] * 3, [404] * 3, [200] * 3]
    assert viewer.get(f"{own}release.csv").status_code == 403
    assert [viewer.post(page, {}).status_code for page in (pages[0], f"{own}publish/", f"{own}discard/")] == [403] * 3
    results = reverse("studio:results", args=[version.pk])
    assert [pages[0] in each.get(results).content.decode() for each in (viewer, boss)] == [False, True]
    other = reverse("studio:release", args=[version.pk + 1, release.pk])
    assert [boss.get(page).status_code for page in (other, f"{other}release.csv", f"{own}publish/")] == [404, 404, 405]
    assert boss.post(f"{other}publish/").status_code == 404


def test_a_table_that_an_older_site_released_can_still_be_read(client: Client, version: SurveyVersion) -> None:
    """Its flag of the group stood among the nodes, and its attacks were two."""
    release = release_table(version)
    report = release.report
    report["node"] = {"direct": 0} | report["node"]
    report["minimal"] = [{"direct": 0} | node for node in report["minimal"]]
    report["heights"] = [0, *report["heights"]]
    del report["allowed"], report["known"]
    TableRelease.objects.update(report=report, asked={"roles": {}, "k": 5, "l": 2, "share": 0.05, "language": "en"})
    own = reverse("studio:release", args=[version.pk, release.pk])

    pages = (own, *(f"{own}release.{kind}" for kind in ("csv", "json", "html")))
    assert [client.get(page).status_code for page in pages] == [200] * 4


def test_the_page_says_how_sure_others_are_who_held_another_belief(client: Client, version: SurveyVersion) -> None:
    """Theorem 3.1 in odds, for the group that tells most: the odds of each belief grow as many times as all odds do."""
    release = ready(version)
    report = release.report
    report["metrics"]["beliefs"]["positive"] = {"rows": 5, "before": 0.2, "after": 0.5}
    TableRelease.objects.update(report=report)

    shown = client.get(reverse("studio:release", args=[version.pk, release.pk]))

    assert shown.context["beliefs"] == [
        ("half as likely", "10.0 %", "30.8 %"),
        ("as likely", "20.0 %", "50.0 %"),
        ("twice as likely", "40.0 %", "72.7 %"),
    ]
    assert "How sure somebody is who held another belief" in shown.content.decode()


def test_undisguised_answers_that_nobody_may_learn_are_varied_for_everybody(
    client: Client, version: SurveyVersion
) -> None:
    """Counted from the file: disguised respondents' classes have l answers, too, and the report speaks of all 800."""
    sent = {key: value for key, value in FORM.items() if not key.startswith("publish-")}
    address, release = make_by_form(version, client, sent | {"role-hours": "sensitive", "l": "4"})

    classes: dict[tuple[str, ...], set[str]] = {}
    for row in rows(release):
        classes.setdefault((row["direct"], row["faculty"], row["mood"]), set()).add(row["hours"])
    fewest = min(len(answers) for answers in classes.values())
    assert {flag for flag, *_ in classes} == {"0", "1"}
    assert fewest == release.report["metrics"]["l"]["distinct"] >= 4
    assert [one["tried"] for one in release.report["attacks"] if one["name"] == "homogeneity (hours)"] == [800]
    said = "The figures on “Hours of sleep?” are about everybody who answered"
    assert said in client.get(address).content.decode()


def test_conditions_on_answers_of_nobody_are_said_to_be_none(client: Client) -> None:
    """Without direct respondents l = 2 would be about no one."""
    release = ready_of_few(200, 0)
    address = reverse("studio:release", args=[release.version_id, release.pk])

    page = client.get(address).content.decode()

    assert "Nobody answered directly, so l, t, α and ρ are about nobody" in page
    assert "k = 5; nothing of answers, since nobody answered directly." in page
    assert "l = 2" not in page


def test_closeness_beliefs_and_the_front_are_about_everybodys_undisguised_answers(version: SurveyVersion) -> None:
    """t counted from the file, half the sum of differences: of all classes, against the shares among all 800."""
    attributes = {name: ATTRIBUTES[name] for name in ("faculty", "mood")} | {"hours": {"role": "sensitive"}}
    model = {"k": 5, "t": {"distance": "equal", "t": 0.4}, "rho": [0.05, 0.4]}
    release = release_table(version, attributes=attributes, model=model, front="t")

    table = rows(release)
    among = Counter(row["hours"] for row in table)
    classes: dict[tuple[str, ...], Counter[str]] = {}
    for row in table:
        classes.setdefault((row["direct"], row["faculty"], row["mood"]), Counter())[row["hours"]] += 1
    apart = [sum(abs(own[one] / own.total() - among[one] / 800) for one in among) / 2 for own in classes.values()]
    levels = [release.report["node"][name] for name in ("faculty", "mood")]  # a database may store names in any order
    taken = [leakage for node, _, leakage in release.report["front"] if node == levels]
    assert release.state == State.DONE, reason_of(release)
    assert release.report["metrics"]["t"] == pytest.approx(max(apart))
    assert taken == [pytest.approx(max(apart))]
    assert release.report["metrics"]["beliefs"]["rho"]["0.05"] is None  # no answer is that rare


@pytest.mark.each
@pytest.mark.parametrize(("beside", "read"), [(None, []), (False, ["texts.csv"]), (True, ["records.csv"])])
def test_a_survey_of_which_no_table_can_be_made_says_so_in_place_of_a_form(
    client: Client, beside: bool | None, read: list[str]
) -> None:
    """Without undisguised questions, or with free texts alone: nothing can make these coarser, and people may name
    themselves in them, so that the page says where they leave.
    """
    survey = make_survey(names=("drugs",), beside=bool(beside))
    if beside is not None:
        add_question(survey, "remark", type="text", page=2)
    version = publish(survey)
    seal.append(version, np.zeros((120, 1), np.uint8), [b"{}"] * 120)
    Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    page = client.get(reverse("studio:releases", args=[version.pk])).content.decode()
    assert re.findall(r"Read (\S+) before you give it away,", " ".join(page.split())) == read
    assert ("This survey has no undisguised questions" in page) == (beside is None)
    assert "nobody can be recognised" not in page
    assert 'enctype="multipart/form-data"' not in page


def test_what_people_read_of_a_table_is_in_the_words_of_the_questions(client: Client, version: SurveyVersion) -> None:
    """Names of columns and codes of answers are for files: the page and the report have questions and answers."""
    page = reverse("studio:releases", args=[version.pk])
    form = client.post(page, FORM | {"do": "look"}).content.decode()
    made = release_table(version)
    names = [*ATTRIBUTES, "direct"]

    address = reverse("studio:release", args=[version.pk, made.pk])
    report = client.get(reverse("studio:release-file", args=[version.pk, made.pk, "html"])).content.decode()
    told = [client.get(address).content.decode().partition('id="link"')[0], report]

    cells = [re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", text) for text in told]
    assert [name for own in cells for name in own if name in (*names, "law", "arts", "music")] == []
    assert all({"Which faculty are you in?", "How it was answered"} <= {*own} for own in cells)
    assert all("Somebody who knows “Which faculty are you in?”, “How are you?” can find" in text for text in told)
    assert "Somebody who knows what you have chosen: Which faculty are you in?; How are you?" in form
    assert re.findall(r"<td>([^<]*)</td>", form.partition("Its levels")[2])[1].strip() == "Arts, Law, Music"


def test_a_column_of_safe_harbour_is_refused_where_it_was_asked_for(
    client: Client, version: SurveyVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page names column and entry, in the reader's language; without the tick the same table can be asked for."""
    known = next(one for one in ENTRIES if one.letter == "D")
    monkeypatch.setattr(limits, "ENTRIES", (replace(known, words="faculty"), *ENTRIES))
    page = reverse("studio:releases", args=[version.pk])
    assert "Stops: finding the row of somebody." in client.get(page).content.decode()
    asked = FORM | {"method": "k-acluk", "l_kind": "", "role-faculty": "insensitive"}
    asked = {key: value for key, value in asked.items() if key not in [f"publish-{item}" for item in ITEMS[1:]]}

    assert client.post(page, asked).status_code == 302
    english, chinese = (
        client.post(page, asked | {"safe_harbour": "on"}, headers={"Accept-Language": one}).content.decode()
        for one in ("en", "zh-CN")
    )

    assert TableRelease.objects.count() == 1
    assert "rows of the column &#x27;faculty&#x27; are on the list of safe harbour (D: telephone numbers)" in english
    assert "（D：电话号码）" in chinese
