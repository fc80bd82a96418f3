"""Where it was chosen, undisguised answers leave as counts with noise alone: drawn once, out of one budget, for
good.
"""

import json
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse

from privacy.errors import EntryError, InputError
from privacy.records import Records
from privacy.records.packing import pack
from surveys.definition import Definition
from surveys.domain.database import duties
from surveys.domain.database.restoring import count_as_spent
from surveys.domain.drafts import history
from surveys.domain.drafts.history import Editor
from surveys.domain.exchange import natural
from surveys.domain.exports import files
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.document import Draft, read_document
from surveys.domain.questionnaire.noise import share_budget
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import disclosure, seal
from surveys.domain.responses.seal import append
from surveys.features.noisy_counts import counts as noisy
from surveys.models import NoiseBudget, NoisyCounts, Snapshot, SurveyVersion
from surveys.results import reading, sharing
from surveys.results.answers import answers
from surveys.studio.checklist import missing_of
from surveys.studio.home import begin
from tests.config.api.conftest import Caller, caller, person, token_of
from tests.surveys.making import compose_draft, write
from tests.surveys.results import noisy as noisy_survey
from tests.surveys.results.noisy import FACULTIES, PEOPLE, collect, draft, draw_counts, open_answers
from tests.surveys.sending import send, submission
from tests.surveys.staff import somebody

pytestmark = pytest.mark.django_db

API = {
    "": 200,
    "/answers": 200,
    "/shares?pattern=drugs": 200,
    "/files": 200,
    "/files/counts.json": 200,
    "/responses": 409,
}


def budgets() -> list[int]:
    return sorted(NoiseBudget.objects.values_list("spent", flat=True))


def everything(
    client: Client, ask: Caller, version: SurveyVersion, token: str, folder: Path
) -> Iterator[tuple[str, object]]:
    """All that leaves: pages of results, shared report, files, exports, API, but tokens of forms."""
    of = {"pk": version.pk}
    pages = [reverse(f"studio:{name}", kwargs=of) for name in ("results", "results-versions", "releases")]
    pages += [
        reverse("studio:results-table", kwargs=of) + "?answer=drugs&by=theft",
        reverse("studio:results-regression", kwargs=of) + "?answer=drugs.1&on=theft",
        reverse("studio:results-compare", kwargs=of) + "?first=drugs.1&second=theft.1",
        reverse("studio:results-table", kwargs=of) + "?answer=drugs&by=faculty",
        reverse("studio:results-regression", kwargs=of) + "?answer=drugs.1&on=faculty",
        reverse("studio:results-compare", kwargs=of) + "?first=drugs.1&by=faculty",
        reverse("studio:results-weighted", kwargs=of),
        reverse("studio:results-weighted", kwargs=of) + "?weights=hours&strata=faculty",
        reverse("studio:fieldwork", args=[version.survey_id]),
        reverse("studio:files", args=[version.survey_id]),
        reverse("studio:protocol", args=[version.survey_id]) + "?of=1",
        f"/r/{token}/",
    ]
    for address in pages:
        answer = client.get(address)
        assert answer.status_code == 200, address
        yield address, without_tokens(answer.content.decode())
    snapshot = version.snapshots.get()
    for name in [file.name for file in files.list_files(snapshot)]:
        try:
            with files.write_file(snapshot, name) as path:
                yield name, path.read_bytes()
        except EntryError as error:
            yield name, str(error)
    call_command("export", version.survey.slug, output=str(folder), stdout=StringIO())
    yield "export", {path.name: path.read_bytes() for path in folder.iterdir()}
    of_api = f"/surveys/{version.survey.slug}/versions/{version.number}"
    for part, status in API.items():
        reply = ask("GET", f"{of_api}{part}")
        assert reply.status_code == status, (part, reply.content)
        yield part, b"".join(reply) if reply.streaming else reply.content


def without_tokens(page: str) -> str:
    return "\n".join(line for line in page.splitlines() if "csrf" not in line)


def test_what_leaves_depends_on_open_answers_through_the_noisy_counts_alone(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two worlds in which everybody answered otherwise print the same, to the byte, once the counts are drawn."""
    version = collect(draft())
    draw_counts(version)
    _shared, token = sharing.share(version, "Colleague", ("answers", "trust"), 30, somebody())
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    ask = caller(token_of(person("program")))
    first = dict(everything(admin_client, ask, version, token, tmp_path / "one"))

    others = [json.dumps(row).encode() for row in open_answers(2)]
    monkeypatch.setattr(disclosure, "unzip_lines", lambda _open: others)
    reading.load.cache_clear()
    second = dict(everything(admin_client, ask, version, token, tmp_path / "two"))

    assert [name for name in first if first[name] != second[name]] == []
    assert first["records.csv"] == (
        "Noisy: undisguised answers leave this site as counts with noise alone, so single responses do not leave."
    )
    assert b'"law"' in first["counts.json"]
    of_file = {column["name"]: column["file"] for column in json.loads(first["codebook.json"])["columns"]}
    assert of_file == {"direct": None, "drugs": None, "theft": None, "why": None} | dict.fromkeys(
        ("faculty", "clinic", "hours"), "counts"
    )
    assert not {"reproduce.py", "reproduce.R"} & set(first)
    assert b"as it was given" not in first["codebook.html"]
    assert "secret" not in str(first)
    assert not any(words in str(first) for words in ("still collecting", "This version still collects"))


def test_the_report_shows_the_noisy_counts_with_their_error(settings: Any) -> None:
    """By so large an ε that no noise is left: shares counted here by hand, and who gave no answer is a row."""
    settings.CANDOR_EPSILON_LIMIT = 100
    version = collect(draft(epsilon=100))
    noisy.draw_due()
    shown = {one.name: one for one in answers(reading.read_data(version.snapshots.get()), "en")}
    told = open_answers(1)

    by_faculty = Counter(row.get("faculty", "") for row in told)
    (faculty,) = shown["faculty"].displays
    assert {row.label: round(row.all.value * PEOPLE) for row in faculty.rows} == {  # type: ignore[attr-defined]
        "Arts": by_faculty["arts"], "Law": by_faculty["law"], "Music": by_faculty["music"], "no answer": by_faculty[""],
    }  # fmt: skip
    assert all(row.all.low < row.all.value < row.all.high for row in faculty.rows)  # type: ignore[attr-defined]
    (hours,) = shown["hours"].displays
    first = sum(row.get("hours", 99) < 4 for row in told)
    assert round(hours.rows[0].all.value * PEOPLE) == first  # type: ignore[attr-defined]
    assert len(hours.rows) == 10 + 1  # type: ignore[attr-defined]
    assert shown["why"].why_not == "Answers to this question are not counted, and do not leave this site."
    assert shown["drugs"].displays


@pytest.mark.parametrize(
    ("ends", "first", "last"),
    [
        ((0, 5_000_000), "[0, 500001)", "[4500009, 5000000]"),
        ((10_000_000, 10_000_009), "[10000000, 10000001)", "[10000009, 10000009]"),
        ((0.0, 1.0), "[0, 0.1)", "[0.9, 1]"),
    ],
)
def test_ranges_of_a_number_say_where_each_begins_and_ends(ends: tuple[float, float], first: str, last: str) -> None:
    """Also of large numbers: each range begins where the one before it ends, and its beginning is counted in it."""
    labels, of = noisy._ranges(*ends)

    assert (len(set(labels)), labels[0], labels[-1]) == (10, first, last)
    of_each = [label.strip("[)]").split(", ") for label in labels]
    assert [stops for _begins, stops in of_each[:-1]] == [begins for begins, _stops in of_each[1:]]
    assert [of(float(begins)) for begins, _stops in of_each] == list(labels)
    assert of(ends[1]) == labels[-1]


def test_two_questions_are_counted_together_where_that_was_chosen(settings: Any) -> None:
    """By so large an ε that no noise is left, against counts by hand; in the report the pairs are rows of the first."""
    settings.CANDOR_EPSILON_LIMIT = 100
    version = collect(draft(epsilon=100, tables=["clinic faculty"]))
    told = open_answers(1)

    tables = {tuple(table["columns"]): table for table in draw_counts(version)["tables"]}
    assert list(tables) == [("faculty",), ("clinic",), ("hours",), ("clinic", "faculty")]
    by_hand = Counter((row.get("clinic", ""), row.get("faculty", "")) for row in told)
    cells = {tuple(cell["values"]): cell["count"] for cell in tables["clinic", "faculty"]["cells"]}
    assert cells == {(one, other): by_hand[one, other] for one in ("0", "1", "") for other in (*FACULTIES, "")}
    (clinic,) = [one for one in answers(reading.read_data(version.snapshots.get()), "en") if one.name == "clinic"]
    alone, together = clinic.displays
    assert (alone.heading, together.heading) == ("", "together with “faculty?”")
    assert {row.label: round(row.all.value * PEOPLE) for row in together.rows}["Yes · Law"] == by_hand["1", "law"]  # type: ignore[attr-defined]
    assert not together.shares_by_answer


def test_a_pair_of_questions_has_one_table_in_either_order() -> None:
    """A second one would be a second draw of the same counts; so would a pair that is named twice."""
    survey, ann = draft(tables=["clinic faculty"]), Editor(somebody(), "tab-1", 10**6)
    history.change(survey, ann, {"do": "protect", "field": "cross", "value": "faculty clinic"})
    assert compose_draft(survey).source["central"]["tables"] == [["faculty", "clinic"]]
    history.change(survey, ann, {"do": "name", "question": "clinic", "value": "hospital"})
    assert compose_draft(survey).source["central"]["tables"] == [["faculty", "hospital"]]
    for pairs, why in (
        (["clinic faculty", "faculty clinic"], "each pair once"),
        (["clinic clinic"], "two different questions"),
        (["clinic why"], "“why” is no undisguised question whose answers are counted"),
        (["clinic drugs"], "“drugs” is no undisguised question whose answers are counted"),
    ):
        other = draft(pairs[0].replace(" ", "-") + str(len(pairs)), tables=pairs)
        with pytest.raises(InputError, match=why):
            compose_draft(other)


def test_a_table_of_two_questions_adds_to_the_noise_of_all() -> None:
    """One person more in one cell is one less in another: two for each of four tables, at ε = .5."""
    told = draw_counts(collect(draft(epsilon=0.5, tables=["clinic faculty"])))

    assert (told["noise"]["scale"], budgets()) == (4 * 2 / 0.5, [500_000])


def test_a_required_question_has_no_cell_for_no_answer() -> None:
    """Then yes and no have one noise, and sum up; answers that were drawn before with such a cell are still shown."""
    survey = draft()
    document = read_document(survey)
    for page in document["pages"]:
        for question in page["questions"]:
            question["required"] = question["id"] == "clinic"
    write(survey, **document)
    version = publish(survey)
    codes = np.zeros((PEOPLE, 2), np.uint8)
    lines = [json.dumps({"clinic": "1"}).encode()] * PEOPLE
    append(version, pack(Records(version.design, codes, np.zeros(PEOPLE, bool))), lines)
    close(survey)

    told = draw_counts(version)

    (clinic,) = [table for table in told["tables"] if table["columns"] == ["clinic"]]
    assert [cell["values"] for cell in clinic["cells"]] == [["0"], ["1"]]
    assert sum(cell["count"] for cell in clinic["cells"]) == PEOPLE
    assert told["noise"]["scale"] == 2 + 1 + 2


def test_counts_are_drawn_once_and_their_epsilon_is_spent_once() -> None:
    """Also by two processes that draw at the same time: the second one reads what the first has stored."""
    version = collect(draft(epsilon=0.5))
    snapshot = version.snapshots.get()
    assert budgets() == [0]

    first = draw_counts(version)

    assert noisy.noisy_counts(snapshot) == first
    noisy.draw_due()
    assert noisy._draw_counts(snapshot).answer == first
    assert (budgets(), NoisyCounts.objects.count()) == ([500_000], 1)
    assert (first["epsilon"], first["n"], first["noise"]["scale"]) == (0.5, PEOPLE, 3 * 2 / 0.5)


def test_nothing_is_drawn_while_the_version_collects() -> None:
    """Two counts with one person between them would cost twice, and there is one."""
    version = collect(draft(), closed=False)
    noisy.draw_due()
    with pytest.raises(EntryError, match="after this version is closed and its last response is sealed"):
        noisy.noisy_counts(version.snapshots.get())
    assert not NoisyCounts.objects.exists()


def test_copies_and_versions_spend_one_budget(settings: Any) -> None:
    """Of 1.5 one survey takes 1; its copy may not be published with another 1, and a survey of its own may."""
    settings.CANDOR_EPSILON_LIMIT = 1.5
    survey = draft()
    draw_counts(collect(survey))
    copy = draft("copy")
    share_budget(survey, copy)

    with pytest.raises(
        InputError, match=r"ε = 1 cannot be released: this survey and its copies have 0\.5 left of 1\.5"
    ):
        publish(copy)
    assert publish(draft("other")).number == 1
    assert budgets() == [0, 1_000_000]


def test_what_an_older_site_promised_twice_is_released_once(settings: Any) -> None:
    """Of two copies that were published while nothing was kept for the first, the second gets and stores nothing."""
    survey, copy = draft(), draft("copy")
    share_budget(survey, copy)
    one, other = collect(survey), collect(copy)
    settings.CANDOR_EPSILON_LIMIT = 1.5

    draw_counts(one)
    noisy.draw_due()
    with pytest.raises(EntryError, match="is spent"):
        noisy.noisy_counts(other.snapshots.get())
    assert NoisyCounts.objects.get().version == one
    assert "counts.json" not in [file.name for file in files.list_files(other.snapshots.get())]


def test_what_is_promised_to_one_survey_is_promised_to_no_other() -> None:
    """Of ε = 4 two copies take 2 each; the third is refused and names them, until one has ended without an answer."""
    first = draft("first", epsilon=2.0)
    second, third = draft("second", epsilon=2.0), draft("third", epsilon=1.0)
    share_budget(first, second)
    share_budget(first, third)
    publish(first)
    one = collect(second, closed=False)
    refused = (
        r"ε = 1 cannot be released: this survey and its copies have 0 left of 4\. Still to be released, "
        r"by title and version: First, 1 \(ε = 2\); Second, 1 \(ε = 2\)\."
    )
    with pytest.raises(EntryError, match=refused):
        publish(third)
    assert any("Still to be released" in line.sentence for line in missing_of(Draft.load(third)))

    close(first)
    assert publish(third).number == 1
    close(one.survey)
    draw_counts(one)
    assert budgets() == [2_000_000]


def test_what_is_sealed_while_a_relative_is_published_stays_promised() -> None:
    """The last responses leave the inbox between two looks at where they are."""
    first, second = draft("first", epsilon=3.0), draft("second", epsilon=3.0)
    share_budget(first, second)
    version = publish(first)
    for _ in range(21):
        assert send(Client(), "first", submission(version)).status_code == 201
    close(first)
    looks = []

    def sealing(execute: Any, sql: str, *rest: Any) -> Any:
        found = execute(sql, *rest)
        if not looks and sql.startswith("SELECT") and ("surveys_inbox" in sql or "surveys_snapshot" in sql):
            looks.append(sql)
            seal.seal(version)
        return found

    with connection.execute_wrapper(sealing), pytest.raises(EntryError, match=r"First, 1 \(ε = 3\)"):
        publish(second)
    assert looks


def test_a_correction_before_anybody_has_answered_costs_nothing() -> None:
    """A version that is replaced without an answer draws nothing; one with answers will, and is counted."""
    survey = draft(epsilon=3.0)
    publish(survey)
    write(survey, closing={"en": "Thank you!"})
    version = publish(survey)
    codes = np.zeros((PEOPLE, 2), np.uint8)
    append(version, pack(Records(version.design, codes, np.zeros(PEOPLE, bool))), [b"{}"] * PEOPLE)
    write(survey, closing={"en": "Thank you very much!"})
    with pytest.raises(EntryError, match=r"have 1 left of 4\. Still to be released.* Noisy, 2 \(ε = 3\)"):
        publish(survey)


def test_of_too_few_people_nothing_is_drawn_given_or_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    """13 of 20: the file of counts would tell their number, which is said nowhere; the budget is there for a copy."""
    monkeypatch.setattr(noisy_survey, "PEOPLE", 13)
    version, copy = collect(draft(epsilon=3.0)), draft("copy", epsilon=3.0)
    share_budget(version.survey, copy)

    noisy.draw_due()
    with pytest.raises(EntryError, match="fewer than 20 people have answered"):
        noisy.noisy_counts(version.snapshots.get())

    assert "counts.json" not in [file.name for file in files.list_files(version.snapshots.get())]
    said = caller(token_of(person("ann"), "read"))("GET", "/surveys/noisy/versions/1").json()
    assert (said["respondents"], said["exact"]) == (0, False)
    assert publish(copy).number == 1
    assert budgets() == [0]


def test_counts_that_an_earlier_site_drew_of_too_few_people_are_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are stored, and stay so."""
    monkeypatch.setattr(noisy_survey, "PEOPLE", 13)
    version = collect(draft())
    NoisyCounts.objects.create(version=version, answer={"n": 13})

    with (
        pytest.raises(EntryError, match="There is not a file"),
        files.write_file(version.snapshots.get(), "counts.json"),
    ):
        pass


def test_a_version_that_cannot_be_read_stops_the_counts_of_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its part is damaged, perhaps; the duty says that it is not done, and draws the others."""
    broken, whole = collect(draft("broken")), collect(draft("whole"))
    counted_of = noisy._count_answers

    def reads(snapshot: Snapshot) -> Any:
        if snapshot.version_id == broken.pk:
            raise ValueError("The part has changed.")
        return counted_of(snapshot)

    monkeypatch.setattr(noisy, "_count_answers", reads)
    duties.begin_duty()
    noisy.draw_due()
    duties.end_duty("draw")

    assert NoisyCounts.objects.get().version == whole
    assert duties.outcomes.pop("draw").why == "ValueError"


def test_reading_draws_nothing(admin_client: Client) -> None:
    """The sealing job draws; who reads before that is asked to wait, also on the page."""
    version = collect(draft())
    page = admin_client.get(reverse("studio:results", args=[version.pk])).content.decode()
    with pytest.raises(EntryError, match="being counted"):
        noisy.noisy_counts(version.snapshots.get())

    assert "being counted" in page
    assert (budgets(), NoisyCounts.objects.count()) == ([0], 0)
    assert draw_counts(version)["epsilon"] == 1.0


def test_a_draw_that_dies_half_way_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither counts nor ε are stored without the other; the next turn of the job draws."""
    version = collect(draft())

    def dies(*_: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as broken:
        broken.setattr(noisy, "spend", dies)
        with pytest.raises(SystemExit):
            noisy.draw_due()
    assert (budgets(), NoisyCounts.objects.count()) == ([0], 0)
    first = draw_counts(version)
    assert (draw_counts(version), budgets()) == (first, [1_000_000])


def test_what_is_exported_and_imported_spends_the_same_budget(admin_client: Client) -> None:
    """The file has the mark of the survey; a file of an earlier version has none and is read as before."""
    survey = draft(epsilon=3.0)
    exported = admin_client.get(reverse("studio:export-file", args=[survey.pk, "json"])).content
    written, ann = json.loads(exported), somebody()
    again, other = (begin(ann, natural.import_document(written | mark).document) for mark in ({}, {"lineage": None}))
    for one in (again, other):
        one.override_by, one.override_reason = "Tests", "few people"
        one.save()
    assert admin_client.get(reverse("studio:export-file", args=[again.pk, "json"])).content == exported
    assert "lineage" not in read_document(again)
    draw_counts(collect(survey))

    with pytest.raises(EntryError, match=r"have 1 left of 4"):
        publish(again)
    write(other, closing={"en": "Other"})
    assert publish(other).number == 1


@pytest.mark.parametrize("mark", ["x", 1, "0" * 31, ["a"]])
def test_a_mark_that_is_none_is_refused(mark: Any) -> None:
    """In one sentence that names its place."""
    with pytest.raises(InputError, match="lineage: this is no mark of a survey"):
        natural.import_document(read_document(draft()) | {"lineage": mark})


def test_a_restored_backup_counts_as_spent() -> None:
    """What was drawn before it is still shown; what may have been drawn after it is not drawn again, nor of copies,
    and a draft that had no budget yet may have been published and drawn since.
    """
    one, other, unpublished = collect(draft()), collect(draft("other")), draft("unpublished")
    noisy._draw_counts(one.snapshots.get())
    told = noisy.noisy_counts(one.snapshots.get())
    with connection.cursor() as cursor:
        count_as_spent(lambda command: cursor.execute(command) or cursor)
    noisy.draw_due()

    assert noisy.noisy_counts(one.snapshots.get()) == told
    copy = draft("copy")
    share_budget(one.survey, copy)
    for asks in (
        lambda: noisy.noisy_counts(other.snapshots.get()), lambda: publish(copy), lambda: publish(unpublished)
    ):  # fmt: skip
        with pytest.raises(InputError, match="After a backup was restored all of it counts as spent"):
            asks()
    assert publish(draft("new")).number == 1


def test_the_database_keeps_what_was_told_and_spent() -> None:
    """A person who writes to it by hand can neither change an answer nor give back what was spent."""
    draw_counts(collect(draft()))
    for change in (lambda: NoisyCounts.objects.update(answer={}), lambda: NoiseBudget.objects.update(spent=0)):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


def test_it_is_chosen_on_protect_and_frozen_with_the_definition() -> None:
    """A survey that says nothing of it has no such member, and keeps its bytes."""
    survey = draft()
    write(survey, protection={})
    before = compose_draft(survey).to_bytes()
    assert b"central" not in before

    ann = Editor(somebody(), "tab-1", 10**6)
    for field, typed in (("epsilon", "0.5"), ("delta", "1e-6")):
        history.change(survey, ann, {"do": "protect", "field": field, "value": typed})
    with pytest.raises(EntryError, match="“x” is no number"):
        history.change(survey, ann, {"do": "protect", "field": "epsilon", "value": "x"})
    definition = Definition.parse(compose_draft(survey).to_bytes())
    assert definition.source["central"] == {"epsilon": 0.5, "delta": 1e-6}
    history.change(survey, ann, {"do": "protect", "field": "epsilon", "value": ""})
    assert compose_draft(survey).to_bytes() == before


@pytest.mark.parametrize(
    ("fields", "central"),
    [
        ({"direct": True}, {}),
        ({"early": True}, {}),
        ({"beside": True}, {}),
        ({}, {"epsilon": 1000}),
        ({}, {"delta": 0.5}),
    ],
)
def test_what_would_let_open_answers_out_another_way_is_refused(
    fields: dict[str, bool], central: dict[str, float]
) -> None:
    """Direct answers, early looks, texts beside answers; and an ε or a δ that protects nobody."""
    survey = draft()
    write(survey, protection={"epsilon": 1.0, **central}, **fields)
    with pytest.raises(InputError):
        compose_draft(survey)


def test_a_closed_survey_without_noise_shows_open_answers_as_before() -> None:
    """The choice is the survey's: another one on the same site has its files."""
    survey = draft()
    write(survey, protection={})
    version = collect(survey)
    close(survey)
    snapshot = version.snapshots.get()

    assert "counts.json" not in [file.name for file in files.list_files(snapshot)]
    with files.write_file(snapshot, "records.csv") as path:
        assert b"arts" in path.read_bytes()
