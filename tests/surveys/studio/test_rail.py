"""The seven steps of a survey, and the menu behind its title."""

import re
from collections.abc import Collection
from datetime import date

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from surveys.domain.people.roles import MAY, Action, Role, give
from surveys.domain.questionnaire.closing import close, end_version
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.publish import publish
from surveys.domain.rehearsal.ask import begin
from surveys.models import Survey
from surveys.studio.checklist import missing_of
from surveys.studio.rail import DONE, GOING, LEFT, LOOK, TODO, steps
from tests.cases import first
from tests.mining.surveys import sealed_survey
from tests.surveys.databases import count_queries
from tests.surveys.making import (
    add_block,
    add_question,
    drop_questions,
    make_survey,
    set_question,
    set_questions,
    write,
)
from tests.surveys.results.making import survey_with_results
from tests.surveys.staff import somebody

OPEN = {"closed": False}


def stands(survey: Survey, may: Collection[Action] = tuple(Action)) -> dict[str, tuple[str, str]]:
    return {step.name: (step.state, step.note) for step in steps(survey, survey.versions.last(), may)}


def test_a_finished_draft_is_written_and_protected_and_the_rest_is_to_come() -> None:
    """Every step says what it stands at."""
    survey = make_survey(keep_until=date(2099, 1, 1))
    set_questions(survey, no_skip="they may leave")
    assert stands(survey) == {
        "write": (DONE, "3 questions"),
        "protect": (DONE, "3\N{NARROW NO-BREAK SPACE}500 are enough; from 5 % to at most 29 %"),
        "try": (TODO, "not yet"),
        "publish": (TODO, "ready"),
        "fieldwork": (TODO, "after publishing"),
        "report": (TODO, "from 100 answers on; disguised ones from 20 once closed"),
        "files": (TODO, "after you close"),
    }


def test_what_is_missing_is_marked_where_it_is_written(survey: Survey) -> None:
    """A text, and a way past the questions; without questions nothing is done."""
    write(survey, consent={})
    assert stands(survey)["write"] == (LOOK, "3 questions, 2 things are missing")
    assert stands(survey)["publish"] == (TODO, "not ready yet")
    drop_questions(survey)
    assert stands(survey)["write"] == (TODO, "no question yet")
    assert stands(survey)["protect"] == (TODO, "nothing is disguised")
    assert stands(survey)["publish"] == (TODO, "not ready yet")


def test_a_plan_that_nobody_should_run_says_so_in_its_steps_and_beside_the_questions(client: Client) -> None:
    """Once it is published, the steps have its figures."""
    survey = make_survey(expected=60)
    set_questions(survey, no_skip="they may leave")
    client.force_login(somebody())
    page = client.get(f"/staff/studio/{survey.pk}/").content.decode()
    (beside,) = re.findall(r'<section class="pledge".*?</section>', page, re.DOTALL)

    assert stands(survey)["protect"] == (LOOK, "Do not run this as it is.")
    assert "<p><b>Do not run this as it is.</b> Shares ±" in beside
    publish(survey)
    assert stands(survey)["protect"][0] == DONE


def test_a_number_that_cannot_be_disguised_as_it_is_counts_as_the_list_counts_it() -> None:
    """Without ends, or with ends that are wrong."""
    survey = make_survey(keep_until=date(2099, 1, 1))
    set_questions(survey, no_skip="they may leave")
    said = []
    add_block(survey, "numbers", "square-wave", {"epsilon": 1})
    add_question(survey, "often", "numbers", type="number")
    for low, high in (("", ""), ("9", "1"), ("1", "9")):
        set_question(survey, "often", min=low, max=high)
        draft = Draft.load(survey)
        said.append((stands(survey)["write"][1], len(list(missing_of(draft)))))
    assert said == [
        ("4 questions, 1 thing is missing", 1),
        ("4 questions, 1 thing is missing", 1),
        ("4 questions", 0),
    ]


def test_the_later_steps_follow_the_life_of_the_survey() -> None:
    """Tried, published, collecting, closed: numbers of people as they may be said."""
    survey = make_survey("other")
    begin(survey, 400)
    assert stands(survey)["try"] == (DONE, "400 simulated people")
    publish(survey)
    assert stands(survey)["publish"] == (DONE, "version 1")
    assert stands(survey)["fieldwork"] == (GOING, "collecting")
    survey = sealed_survey(250)
    assert (stands(survey)["try"], stands(survey)["fieldwork"]) == (
        (LEFT, "not tried"),
        (GOING, "more than 200 answers"),
    )
    assert (stands(survey)["report"], stands(survey)["files"]) == ((DONE, "can be read"), (TODO, "after you close"))
    close(survey)
    survey.refresh_from_db()
    assert stands(survey)["fieldwork"] == (DONE, "closed")
    assert stands(survey)["files"] == (DONE, "can be taken")


@pytest.mark.parametrize(
    ("people", "fields", "report", "files"),
    first(
        2,
        [
            (12, OPEN, (TODO, "from 100 answers on; disguised ones from 20 once closed"), (TODO, "after you close")),
            (12, {}, (TODO, "too few answered"), (TODO, "too few answered")),
            (90, OPEN, (TODO, "from 100 answers on; disguised ones from 20 once closed"), (TODO, "after you close")),
            (90, {}, (DONE, "can be read"), (DONE, "can be taken")),
            (300, OPEN, (DONE, "can be read"), (TODO, "after you close")),
            (300, {}, (DONE, "can be read"), (DONE, "can be taken")),
            (300, OPEN | {"simulated": True}, (DONE, "can be read"), (DONE, "can be taken")),
        ],
    ),
)
def test_results_and_files_say_what_their_pages_do(
    client: Client, people: int, fields: dict[str, bool], report: tuple[str, str], files: tuple[str, str]
) -> None:
    """Ready in the steps is what can be read and taken, in every state; of simulated people at any time."""
    version = survey_with_results(people, **fields)
    client.force_login(somebody())

    said = stands(Survey.objects.get(pk=version.survey_id))

    assert (said["report"], said["files"]) == (report, files)
    assert ("data" in client.get(f"/staff/studio/versions/{version.pk}/results/").context) == (report[0] == DONE)
    (listed,) = client.get(f"/staff/studio/{version.survey_id}/files/").context["versions"]
    assert bool(listed["refused"]) == (files[0] != DONE)


def test_a_closed_survey_waits_for_its_last_sealing_and_one_without_answers_for_nothing() -> None:
    """What has come is sealed after the end; where nobody answered, nothing will come."""
    empty, waiting = make_survey("empty"), make_survey("waiting")
    for survey in (empty, waiting):
        publish(survey)
    close(empty)
    Survey.objects.filter(pk=waiting.pk).update(closes_at=timezone.now())
    for survey in (empty, waiting):
        survey.refresh_from_db()

    assert [stands(survey)["report"][1] for survey in (empty, waiting)] == [
        "too few answered",
        "after the last answers are sealed",
    ]


def test_a_version_that_ended_with_too_few_answers_says_so_while_the_survey_is_open() -> None:
    """No number of answers can come any more, so none is named as missing; Field says what the steps say."""
    version = survey_with_results(12, closed=False)
    end_version(version.survey)
    survey = Survey.objects.get(pk=version.survey_id)

    assert [stands(survey)[name] for name in ("report", "files")] == [(TODO, "too few answered")] * 2


def test_files_are_no_link_before_an_answer_is_sealed(survey: Survey, client: Client) -> None:
    """Their page would lead elsewhere; what is going on is not called still to come."""
    publish(survey)
    client.force_login(somebody())
    rail = client.get(f"/staff/studio/{survey.pk}/fieldwork/").content.decode()
    assert f"/staff/studio/{survey.pk}/files/" not in rail
    assert 'data-state="going"' in rail
    assert re.findall(r"<span>(\w+)<span class=\"vh\">[^<]*still to come", rail) == ["Results", "Files"]


def test_who_may_not_take_a_step_reads_why() -> None:
    """The step stands there without a link."""
    shown = {step.name: (step.note, bool(step.address)) for step in steps(make_survey(), None, MAY[Role.VIEWER])}
    assert {name for name, (_note, leads) in shown.items() if not leads} == {"publish", "files"}
    assert shown["publish"] == ("not with your role", False)


@pytest.mark.long
def test_a_page_asks_as_much_for_one_survey_as_for_three(ann: Client) -> None:
    """What the shell looks up is of this survey alone."""
    survey, asked = make_survey("first"), []
    for _round in range(2):
        ann.get(f"/staff/studio/{survey.pk}/log/")  # what is looked up once is not counted
        asked.append(count_queries(lambda: ann.get(f"/staff/studio/{survey.pk}/log/")))
        make_survey(f"second-{_round}")
        make_survey(f"third-{_round}")
    assert asked[0] == asked[1] <= 16


def test_the_menu_shows_only_what_the_person_may(client: Client) -> None:
    """A viewer is offered no people, no translation and no copy."""
    survey, viewer = make_survey(), User.objects.create(username="vic", is_staff=True)
    give(survey, viewer, Role.VIEWER)
    client.force_login(viewer)
    page = client.get(f"/staff/studio/{survey.pk}/log/").context["shell"]
    assert [entry.label for entry in page["menu"]] == [
        "Log",
        "History",
        "For your ethics board",
        "Preregistration",
        "Export",
    ]
    client.force_login(somebody())
    page = client.get(f"/staff/studio/{survey.pk}/log/").context["shell"]
    assert {"People", "Translation", "Copy", "Import a file"} < {entry.label for entry in page["menu"]}


def test_a_draft_that_lacks_something_cannot_be_printed_yet_and_the_menu_says_so(client: Client) -> None:
    """The two documents are no links until nothing is missing: their pages would refuse."""
    survey = make_survey()
    client.force_login(somebody())
    address = f"/staff/studio/{survey.pk}/log/"
    printed = [f"/staff/studio/{survey.pk}/{name}/?of=draft" for name in ("protocol", "preregistration")]

    lacking = client.get(address).content.decode()
    set_questions(survey, no_skip="they may leave")
    whole = client.get(address).content.decode()

    assert [place in lacking for place in printed] == [False, False]
    assert lacking.count("once nothing is missing") == 2
    assert [place in whole for place in printed] == [True, True]
    assert [client.get(place).status_code for place in printed] == [200, 200]
