"""What each operation does, as programs see it."""

import json
from pathlib import Path

import pytest
from django.test import Client

from config.api.document import document
from mining.models import MiningRun
from surveys.domain.drafts.protect import judge_document, judge_version
from surveys.domain.exports import files
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.document import read_document
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import seal_all
from surveys.domain.responses.snapshots import latest
from surveys.models import Export, Survey
from surveys.results.report import data_of
from tests.cases import every, first
from tests.config.api.conftest import Caller, person, read, token_of
from tests.mining.surveys import end_run
from tests.surveys.databases import count_queries
from tests.surveys.making import add_question, make_survey, set_block
from tests.surveys.results.making import survey_with_results
from tests.surveys.sending import send, submission

ASKED = {"min_support": 0.05, "min_confidence": 0.3}


def test_the_document_is_served_without_a_token_and_once() -> None:
    """OpenAPI 3.1; who has it is not sent it again."""
    first = Client().get("/api/openapi.json")
    assert first.json() == json.loads(json.dumps(document()))
    assert first.json()["openapi"] == "3.1.0"
    again = Client().get("/api/openapi.json", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_readable_page_names_every_operation() -> None:
    page = Client().get("/api/").content.decode()
    for path, methods in document()["paths"].items():
        for method in methods:
            assert f"{method.upper()} /api{path}" in page


def test_surveys_come_in_pages(ask: Caller) -> None:
    """Each once, with a link to the next page; the queries of a page do not grow with its rows."""
    for number in range(5):
        make_survey(f"s{number}")
    first = ask("GET", "/surveys?limit=2")
    assert [row["name"] for row in first.json()["items"]] == ["s0", "s1"]
    assert f"after={first.json()['next']}" in first["Link"]
    second = ask("GET", f"/surveys?limit=3&after={first.json()['next']}").json()
    assert [row["name"] for row in second["items"]] == ["s2", "s3", "s4"]
    assert second["next"] is None


@pytest.mark.parametrize("path", ["/surveys", "/surveys/s0/versions", "/runs"])
def test_queries_of_a_page_do_not_grow_with_its_rows(ask: Caller, path: str) -> None:
    counts = []
    for number in range(3):
        survey_with_results(120, slug=f"s{number}")
        ask("POST", f"/surveys/s{number}/runs", ASKED)
        if number != 1:
            counts.append(count_queries(lambda: ask("GET", path)))
    assert (counts[0] == counts[1], ask("GET", path).status_code) == (True, 200)


def test_a_survey_is_published_and_closed(ask: Caller) -> None:
    """As on the pages; what is missing is said in one sentence."""
    make_survey()
    made = ask("POST", "/surveys/study/versions", {})
    assert made.status_code == 201
    assert made.json()["link"].endswith(f"/s/study/#v={made.json()['sha256']}")
    skips, erasing = made.json()["warnings"]
    assert erasing == "No erasing day is set: people have a right to know how long their answers are stored."
    assert skips.startswith("3 questions lack “Prefer not to say”: “drugs?”, “cheating?”, “theft?”. Add it to all,")
    again = ask("POST", "/surveys/study/versions", {})
    assert (again.status_code, again["Content-Type"]) == (409, "application/problem+json")
    assert again.json()["detail"] == "This questionnaire is already published, word for word."
    assert ask("POST", "/surveys/study/close").json()["state"] == "closed"
    assert ask("GET", "/surveys/study/versions/1/questionnaire").json()["slug"] == "study"


def test_an_override_is_signed_in_the_name_of_the_person(ask: Caller) -> None:
    make_survey(names=tuple("abcdefghij"))
    assert "above this site's limit" in ask("POST", "/surveys/study/versions", {}).json()["detail"]
    assert ask("POST", "/surveys/study/versions", {"override_reason": "a pilot"}).status_code == 201
    assert Survey.objects.get().versions.get().parsed.source["override"]["by"] == "everything"


def test_invitations_are_made_and_given_once(ask: Caller) -> None:
    publish(make_survey(access="invitation"))
    batch = ask("POST", "/surveys/study/invitations", {"label": "class", "count": 3})
    assert (batch.status_code, batch.json()["drawn"]) == (201, False)
    links = ask("POST", f"/surveys/study/invitations/{batch.json()['id']}/links")
    assert len(set(links.json()["links"])) == 3
    assert ask("POST", f"/surveys/study/invitations/{batch.json()['id']}/links").status_code == 409
    assert [row["drawn"] for row in ask("GET", "/surveys/study/invitations").json()["items"]] == [True]


def test_a_version_ends_and_its_survey_goes_on(ask: Caller) -> None:
    """Between two versions the survey is early, and nobody is invited to what takes no answers."""
    publish(make_survey(access="invitation"))
    ended = ask("POST", "/surveys/study/end-version")
    assert (ended.status_code, ended.json()["number"]) == (200, 1)
    assert ask("GET", "/surveys/study").json()["state"] == "early"
    refused = ask("POST", "/surveys/study/invitations", {"label": "class", "count": 3})
    assert (refused.status_code, refused.json()["detail"]) == (
        409, "The last version takes no more answers: publish the next one, and invite people to that.")  # fmt: skip


def test_no_newer_version_ends_than_the_one_that_was_meant(ask: Caller) -> None:
    """Who read of version 1 ends that one or none."""
    survey = publish(make_survey()).survey
    add_question(survey, "another")
    publish(survey)

    refused = ask("POST", "/surveys/study/end-version?version=1")
    ended = ask("POST", "/surveys/study/end-version?version=2")

    assert (refused.status_code, refused.json()["detail"]) == (
        409, "A newer version of this survey was published meanwhile: nothing was ended.")  # fmt: skip
    assert (ended.status_code, ended.json()["number"]) == (200, 2)


def test_a_draft_is_published_as_it_was_read(ask: Caller) -> None:
    """By the hash that came with it; a draft that was changed since is refused, and read and published again."""
    survey = make_survey()
    seen = ask("GET", "/surveys/study/draft")["ETag"].strip('"')
    add_question(survey, "another")

    refused = ask("POST", f"/surveys/study/versions?draft={seen}", {})
    now = ask("GET", "/surveys/study/draft")["ETag"].strip('"')
    made = ask("POST", f"/surveys/study/versions?draft={now}", {})

    assert (refused.status_code, refused.json()["detail"]) == (
        409, "The draft was changed meanwhile: look at it once more. Nothing was published.")  # fmt: skip
    assert made.status_code == 201


@pytest.mark.parametrize(
    ("published", "sentence"), [(False, "This survey was never published."), (True, "This survey is closed.")]
)
def test_what_has_no_version_to_end_says_why(ask: Caller, published: bool, sentence: str) -> None:
    survey = make_survey()
    if published:
        close(publish(survey).survey)
    refused = ask("POST", "/surveys/study/end-version")
    assert (refused.status_code, refused.json()["detail"]) == (409, sentence)


def test_responses_are_the_file_of_the_page_and_are_noted(ask: Caller, tmp_path: Path) -> None:
    """Byte by byte; who has them is not sent them again, and that is no export."""
    snapshot = latest(survey_with_results(300).survey)
    response = ask("GET", "/surveys/study/versions/1/responses")
    with files.write_file(snapshot, "records.jsonl") as path:
        assert b"".join(response.streaming_content) == path.read_bytes()
    assert (response["Content-Type"], response.streaming) == ("application/jsonl", True)
    again = ask("GET", "/surveys/study/versions/1/responses", **{"If-None-Match": response["ETag"]})
    assert again.status_code == 304
    taken = Export.objects.get()
    assert (taken.by, taken.snapshot) == ("everything (API)", snapshot.sha256)
    assert ask("GET", "/surveys/study/exports").json()["items"][0]["sha256"] == taken.sha256


@pytest.mark.parametrize(
    ("people", "closed", "may_leave"),
    first(1, [(200, True, True), (200, False, False), (60, True, True), (12, True, False)]),
)
def test_every_listed_file_can_be_had(ask: Caller, people: int, closed: bool, may_leave: bool) -> None:
    """Those of responses are listed once they may leave: not while the survey collects, nor of too few people."""
    survey_with_results(people, closed=closed)
    listed = ask("GET", "/surveys/study/versions/1/files").json()["files"]
    assert {file["responses"] for file in listed} == {False, may_leave}
    for file in listed:
        response = ask("GET", f"/surveys/study/versions/1/files/{file['name']}")
        assert (response.status_code, response["Content-Type"], bool(read(response))) == (
            200,
            file["content_type"],
            True,
        )
    assert ask("GET", "/surveys/study/versions/1/files/records.xls").status_code == 404


def test_while_a_version_collects_it_tells_of_the_disguised_alone(ask: Caller) -> None:
    """No file of responses, no undisguised answers, no direct group; codebook and design all the same."""
    version = survey_with_results(400, closed=False)
    disguised = ask("GET", "/surveys/study/versions/1/answers").json()
    assert disguised["n"] < version.snapshots.get().respondents
    open_ones = [question for question in disguised["questions"] if not question["sensitive"]]
    assert all(question["why_not"] and not question["displays"] for question in open_ones)
    (share,) = ask("GET", "/surveys/study/versions/1/shares?pattern=drugs").json()["patterns"]
    assert (share["direct"], share["disguised"]) == (None, None)
    for name in ("records.csv", "texts.csv"):
        refused = ask("GET", f"/surveys/study/versions/1/files/{name}")
        assert refused.status_code == 409
        assert "after this version is closed" in refused.json()["detail"]
    assert ask("GET", "/surveys/study/versions/1/responses").status_code == 409
    assert ask("GET", "/surveys/study/versions/1").json()["told"] == {"direct": False, "open": False}


def test_shares_of_patterns_are_those_of_the_page(ask: Caller) -> None:
    survey_with_results(1500)
    questions = ask("GET", "/surveys/study/versions/1/answers").json()["questions"]
    drugs = questions[0]["displays"][0]["rows"][0]["all"]
    asked = ask("GET", "/surveys/study/versions/1/shares?pattern=drugs&pattern=drugs,!cheating").json()["patterns"]
    assert [share["pattern"] for share in asked] == ["drugs", "drugs,!cheating"]
    assert asked[0]["all"] == drugs
    unknown = ask("GET", "/surveys/study/versions/1/shares?pattern=beer")
    assert (unknown.status_code, "'beer'" in unknown.json()["detail"]) == (409, True)


def test_shares_of_two_questions_go_with_those_of_each(ask: Caller) -> None:
    """None is negative, and those with an answer sum to its share, although one of the raw estimates is below 0."""
    survey_with_results(200)
    texts = ["drugs", "cheating", "drugs,cheating", "drugs,!cheating", "!drugs,cheating", "!drugs,!cheating"]

    patterns = ask("GET", f"/surveys/study/versions/1/shares?pattern={'&pattern='.join(texts)}").json()["patterns"]

    drugs, cheating, both, first, second, neither = (one["all"]["value"] for one in patterns)
    assert min(one["all"].get("raw", one["all"])["value"] for one in patterns) < 0
    assert min(both, first, second, neither) == 0
    assert (both + first, both + second, both + first + second + neither) == pytest.approx((drugs, cheating, 1))


def test_intervals_of_shares_are_those_of_the_page_fitted_or_not(ask: Caller) -> None:
    """Ends lie from 0 to 1 in both operations; what came out stays in `raw` alone."""
    survey_with_results(60, least=20)
    texts = ["drugs", "!drugs", "cheating", "theft", "!theft"]

    patterns = ask("GET", f"/surveys/study/versions/1/shares?pattern={'&pattern='.join(texts)}").json()["patterns"]

    shares = [one["all"] for one in patterns]
    questions = ask("GET", "/surveys/study/versions/1/answers").json()["questions"]
    assert questions[0]["displays"][0]["rows"][0]["all"] == shares[0]
    assert [share for share in shares if not 0 <= share["low"] <= share["value"] <= share["high"] <= 1] == []


@pytest.mark.parametrize("pattern", ["drugs,!cheating", "drugs,cheating"])
def test_a_pattern_that_no_word_tells_is_refused_with_the_word_to_add(
    ask: Caller, client: Client, pattern: str
) -> None:
    """Each device sent one answer of a list; a share without a value would not say why."""
    survey = make_survey(direct=False, expected=30, least=20)
    set_block(survey, kind="one-of", settings={"list_gamma": 19, "cap": 1, "longest": 1})
    version = publish(survey, "Tests")
    for _ in range(24):
        assert send(client, survey.slug, submission(version, record=[1, 0, 0])).status_code == 201
    close(survey)
    seal_all()
    path = f"/surveys/{survey.slug}/versions/1/shares?pattern="

    refused = ask("GET", path + pattern)

    assert ask("GET", f"{path}drugs").json()["patterns"][0]["n"] == 24
    assert refused.status_code == 409
    lacks = "the list has no word 'drugs,cheating', so nothing tells of it; add this word to the list."
    assert refused.json()["detail"] == f"Pattern '{pattern}': {lacks}"


@pytest.mark.parametrize(("least", "counted"), [(20, True), (100, False)])
def test_patterns_of_several_answers_count_direct_ones_that_many_share(ask: Caller, least: int, counted: bool) -> None:
    """The share of one answer counts them all the same; `n` says of how many people each is."""
    version = survey_with_results(4000, least=least, direct_share=0.5)
    disguised = int((~data_of(version).sealed.direct).sum())

    patterns = ask("GET", "/surveys/study/versions/1/shares?pattern=drugs&pattern=drugs,!cheating").json()["patterns"]

    assert [share["n"] for share in patterns] == [4000, 4000 if counted else disguised]


def test_a_run_is_started_once_watched_and_read(ask: Caller) -> None:
    version = survey_with_results(1500)
    first, second = (ask("POST", "/surveys/study/runs", ASKED) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()
    number = first.json()["id"]
    assert ask("GET", f"/runs/{number}").json()["state"] == "queued"
    assert ask("GET", f"/runs/{number}/files/rules.csv").status_code == 409
    run = MiningRun.objects.get()
    end_run(run)
    done = ask("GET", f"/runs/{number}").json()
    disguised = int((~data_of(version).sealed.direct).sum())
    assert (done["state"], done["summary"]["n"], done["summary"]["left_out"]) == ("done", disguised, 1500 - disguised)
    rules = ask("GET", f"/runs/{number}/files/rules.csv")
    assert b"".join(rules.streaming_content).startswith(b'"antecedent","consequent",')
    assert ask("POST", f"/runs/{number}/cancel").status_code == 409
    assert ask("POST", f"/runs/{number}/again").json()["state"] == "queued"
    assert ask("POST", f"/runs/{number}/cancel").json()["state"] == "cancelled"


@pytest.mark.parametrize("cases", ["available", "complete"])
def test_a_run_says_who_counts_where_each_is_asked_some_questions(ask: Caller, cases: str) -> None:
    survey_with_results(400)
    started = ask("POST", "/surveys/study/runs", ASKED | {"cases": cases})
    assert (started.status_code, started.json()["parameters"]["cases"]) == (201, cases)


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "said"),
    every(4, [
        ("GET", "/surveys?limit=0", None, 422, "limit: 0 is less than 1."),
        ("GET", "/surveys?limit=x", None, 422, 'limit: "x" is not of type integer.'),
        ("GET", "/surveys?limit=1&limit=2", None, 422, "limit: is given 2 times."),
        ("GET", "/surveys?colour=red", None, 422, "'colour' is not a parameter of this address."),
        ("GET", "/surveys/nowhere", None, 404, "There is no survey with this name."),
        ("GET", "/surveys/study/versions/7", None, 404, "This survey has no version with this number."),
        ("GET", "/surveys/study/versions/1/shares", None, 422, "pattern: is missing."),
        ("GET", "/surveys/study/versions/1/answers", None, 409, "No responses are sealed yet"),
        ("POST", "/surveys/study/runs", {**ASKED, "min_support": 2}, 422, "min_support: 2 is more than 1."),
        ("POST", "/surveys/study/runs", {"min_confidence": 0.5}, 422, "min_support: is missing."),
        ("POST", "/surveys/study/runs", {**ASKED, "engine": "steam"}, 422, 'engine: "steam" is not one of auto'),
        ("POST", "/surveys/study/runs", {**ASKED, "speed": 3}, 422, "'speed' is not one of min_support"),
        ("POST", "/surveys/study/runs", [1], 400, "The message is not a JSON object."),
        ("POST", "/surveys/study/close", {"a": 1}, 422, "This operation takes no body."),
        ("DELETE", "/surveys/study", None, 405, "This address answers only GET."),
        ("GET", "/nothing/here", None, 404, "There is nothing at this address."),
        ("GET", "/runs/0", None, 404, "There is nothing at this address."),
    ]),
)  # fmt: skip
def test_what_cannot_be_done_is_a_problem_in_one_sentence(
    ask: Caller, method: str, path: str, body: object, status: int, said: str
) -> None:
    """RFC 9457: the status, and a sentence with the value and the rule."""
    publish(make_survey())
    refused = ask(method, path, body)
    assert (refused.status_code, refused["Content-Type"]) == (status, "application/problem+json")
    assert said in refused.json()["detail"]
    assert refused.json()["status"] == status


def test_a_body_of_another_type_is_refused() -> None:
    publish(make_survey())
    headers = {"Authorization": f"Bearer {token_of(person('somebody'))}"}
    refused = Client().post("/api/surveys/study/runs", b"a=1", content_type="text/plain", headers=headers)
    assert (refused.status_code, refused.json()["detail"]) == (415, "The body must be application/json.")


def test_the_verdict_is_that_of_the_pages(ask: Caller) -> None:
    """Of a draft and of a version with other people: figures and sentences of the one function."""
    survey = make_survey(expected=300)
    draft = judge_document(survey, read_document(survey)).to_json()
    assert ask("GET", "/surveys/study/verdict").json() == json.loads(json.dumps(draft))

    publish(survey)
    judged = judge_version(survey.versions.get(), 2_000).to_json()

    assert ask("GET", "/surveys/study/versions/1/verdict").json()["respondents"] == 300
    assert ask("GET", "/surveys/study/versions/1/verdict?respondents=2000").json() == json.loads(json.dumps(judged))
    assert judged["said"][0].startswith("2\u202f000 people are planned")


@pytest.mark.parametrize(
    ("people", "status", "why"),
    [
        ("0", 422, "respondents: 0 is less than 1."),
        ("1000001", 422, "respondents: 1000001 is more than 1000000."),
        ("many", 422, 'respondents: "many" is not of type integer.'),
    ],
)
def test_a_number_of_people_that_no_survey_has_has_no_verdict(ask: Caller, people: str, status: int, why: str) -> None:
    publish(make_survey())
    refused = ask("GET", f"/surveys/study/versions/1/verdict?respondents={people}")
    assert (refused.status_code, refused.json()["detail"]) == (status, why)


def test_a_draft_that_disguises_nothing_has_no_verdict(ask: Caller) -> None:
    Survey.objects.create(slug="bare", title="Bare")
    refused = ask("GET", "/surveys/bare/verdict")
    assert (refused.status_code, refused.json()["detail"]) == (
        409,
        "No question is disguised: disguise at least one.",
    )
