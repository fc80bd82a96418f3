"""People who come from a panel: its number lets each in once, leads to no record, and the ends are the same for all."""

import hmac
import json
import os
from hashlib import sha256
from typing import Any

import numpy as np
import pytest
from django.test import Client

from privacy.errors import EntryError, InputError
from surveys.definition import Definition
from surveys.domain.messages.invite import BITS, PANEL, _private, invite
from surveys.domain.questionnaire.check import missing
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.publish import publish
from surveys.domain.rehearsal.ask import open_lines
from surveys.features.panel import check_panel
from surveys.features.panel.draft import PANELS, published_panel
from surveys.models import Invitation, Survey, SurveyVersion
from tests.cases import first
from tests.client.invitations import to_text
from tests.surveys.making import add_question, make_survey, write
from tests.surveys.sending import send, submission

ENTERED = {"by": "prolific", "name": "Prolific", "number": "PROLIFIC_PID"} | {
    "sent": "C7K2QD9P",
    "out": "CSCREEN1",
    "full": "CFULL111",
}
ADDRESS = "https://app.prolific.com/submissions/complete?cc="


@pytest.fixture
def version() -> SurveyVersion:
    survey = make_survey(access="invitation")
    write(survey, panel=ENTERED)
    return publish(survey)


def exchange(client: Client, version: SurveyVersion, number: str, blinded: bytes | None = None) -> Any:
    """What Begin sends."""
    blind = (blinded or os.urandom(BITS // 8 - 1)).rjust(BITS // 8, b"\0")
    message = {"version": version.sha256, "invitation": number, "blinded": to_text(blind)}
    return client.post("/s/study/invitations", json.dumps(message), content_type="application/json")


def test_a_panels_number_buys_one_blind_signature(client: Client, version: SurveyVersion) -> None:
    """The same message gets the same again; another one under that number is refused, under another number signed."""
    blinded = os.urandom(BITS // 8 - 1)
    answers = [exchange(client, version, "5f1a", blinded), exchange(client, version, "5f1a", blinded)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    assert exchange(client, version, "5f1a").json()["error"] == "spent"
    assert exchange(client, version, "5f1b").status_code == 200


@pytest.mark.parametrize("again", first(2, ["alice", " ALICE ", "Alice", "aLiCe\t"]))
def test_spaces_and_capital_letters_make_no_other_number(client: Client, version: SurveyVersion, again: str) -> None:
    """Somebody who writes their number otherwise buys no second token, and gets the first again by the same message."""
    blinded = os.urandom(BITS // 8 - 1)
    bought = exchange(client, version, "Alice", blinded).json()
    assert exchange(client, version, again).json()["error"] == "spent"
    assert exchange(client, version, again, blinded).json() == bought
    assert Invitation.objects.count() == 1


@pytest.mark.parametrize(
    ("before", "again"),
    first(
        2,
        [("A1B2C3", "a1b2c3"), ("a1b2c3", "A1B2C3 "), ("A1B2C3", "A1B2C3"), (" a1b2c3 ", " a1b2c3 "), ("Aa", "Aa")],
    ),
)
def test_what_a_number_bought_in_an_earlier_version_stays_spent(
    client: Client, version: SurveyVersion, before: str, again: str
) -> None:
    """There a number was hashed as it came. Who comes again as then is known, and so are capital and small letters."""
    key = _private(version.survey).d.to_bytes(BITS // 8)
    batch = version.survey.invitation_batches.create(label=PANEL, count=0, created_on=version.published_on)
    batch.invitations.create(secret=hmac.digest(key, before.encode(), "sha256"), blinded=os.urandom(32))
    assert exchange(client, version, again).json()["error"] == "spent"
    assert Invitation.objects.count() == 1


def test_two_numbers_of_before_that_are_one_now_stay_spent(client: Client, version: SurveyVersion) -> None:
    """Each gets what it bought by its own message again, and nothing more."""
    key = _private(version.survey).d.to_bytes(BITS // 8)
    batch = version.survey.invitation_batches.create(label=PANEL, count=0, created_on=version.published_on)
    messages = {number: os.urandom(BITS // 8 - 1) for number in ("BOB", "bob")}
    for number, message in messages.items():
        blinded = sha256(message.rjust(BITS // 8, b"\0")).digest()
        batch.invitations.create(secret=hmac.digest(key, number.encode(), "sha256"), blinded=blinded)
    answers = [exchange(client, version, "bob", message).status_code for message in messages.values()]
    assert [*answers, exchange(client, version, "bob").status_code] == [200, 200, 409]


def test_nobody_finds_a_number_in_the_table_by_trying_all(client: Client, version: SurveyVersion) -> None:
    """Numbers are few: their plain hashes would tell who came. They are kept under the survey's private key."""
    exchange(client, version, "1234")
    (row,) = Invitation.objects.all()
    assert bytes(row.secret) != sha256(b"1234").digest()
    assert len(bytes(row.secret)) == 32


@pytest.mark.parametrize("number", first(2, ["", " \t", "x" * 201]))
def test_what_is_no_number_is_refused(client: Client, version: SurveyVersion, number: str) -> None:
    """In a sentence, and nothing is kept."""
    answer = exchange(client, version, number)
    assert (answer.status_code, answer.json()["message"]) == (422, "A panel's number has 1 to 200 letters.")
    assert not Invitation.objects.exists()


def test_no_invitations_are_made_beside_a_panel(version: SurveyVersion) -> None:
    """The provider's numbers let people in."""
    with pytest.raises(EntryError, match="The provider's numbers let people in"):
        invite(version.survey, "friends", 3)


def test_the_ends_are_part_of_the_version_and_known_to_who_comes_late(client: Client, version: SurveyVersion) -> None:
    """One code and one address for each outcome; the refusal of a closed survey holds them, too."""
    panel = json.loads(client.get("/s/study/questionnaire").content)["panel"]
    codes = {"sent": "C7K2QD9P", "out": "CSCREEN1", "full": "CFULL111"}
    ends = {outcome: {"code": code, "address": f"{ADDRESS}{code}"} for outcome, code in codes.items()}
    assert panel == {"name": "Prolific", "number": "PROLIFIC_PID", "ends": ends}
    close(version.survey)
    late = client.get("/s/study/questionnaire")
    assert (late.status_code, late.json()["panel"]) == (410, panel)


def test_a_survey_for_a_panel_needs_its_ends(survey: Survey) -> None:
    """People who cannot go back are not paid: this is missing, and said in a sentence each."""
    add_question(survey, "age", type="choice", options=[("young", "Young"), ("old", "Old")])
    write(survey, panel={**ENTERED, "sent": "", "out": ""})
    assert missing(Draft.load(survey)) == ["People of the provider have no code or address to go back with."]


@pytest.mark.parametrize("by", first(1, list(PANELS)))
def test_every_panel_that_is_ready_can_be_published(by: str) -> None:
    """With a code, and with an address that its number of the person goes into."""
    preset = PANELS[by]
    entered = {"by": by, "name": preset.name or "Provider", "number": preset.number, "out": "", "full": "CODE1"}
    shown = f"https://panel.example/back?id={preset.hole or '{number}'}"
    ends = published_panel({**entered, "sent": shown})["ends"]
    assert ends["sent"] == {"address": "https://panel.example/back?id={number}"}
    assert ends["full"]["code"] == "CODE1"


@pytest.mark.parametrize(
    ("end", "sentence"),
    first(
        2,
        [
            ({"address": "https://panel.example/?r={record}"}, "is no address"),
            ({"code": "two words"}, "is no code"),
            ({"address": "http://panel.example/"}, "is no address"),
            ({"address": "https://user@panel.example/"}, "is no address"),
            ({"address": "javascript://x"}, "is no address"),
            ({"code": "A" * 41}, "is no code"),
            ({"receipt": "yes"}, "a code, an address, or both"),
            ({}, "a code, an address, or both"),
        ],
    ),
)
def test_no_end_differs_from_record_to_record(end: dict[str, str], sentence: str) -> None:
    """Nothing goes into an address but the panel's own number, and nobody is led to an unprotected one."""
    with pytest.raises(InputError, match=sentence):
        check_panel({"name": "Provider", "ends": {"sent": end}})


def screened(**question: Any) -> dict[str, Any]:
    """A definition whose question may send people away."""
    source: dict[str, Any] = publish(make_survey()).parsed.source
    own = source["pages"][0]["questions"][0]
    changed = {**own, **question}
    return {**source, "pages": [{"questions": [changed, *source["pages"][0]["questions"][1:]]}, *source["pages"][1:]]}


@pytest.mark.parametrize("field", first(1, [{"out": ["1"]}, {"parameter": "group"}]))
def test_no_sensitive_answer_ends_a_visit_or_comes_from_the_address(field: dict[str, Any]) -> None:
    """A panel would learn it from the end, and a network from the address."""
    with pytest.raises(EntryError, match="a sensitive answer cannot end the visit"):
        Definition.parse(screened(**field))


@pytest.mark.parametrize(
    ("type_", "fields", "away", "stays"),
    first(
        1,
        [
            ("choice", {"options": [("young", "Young"), ("old", "Old")], "out": ["young"]}, "young", "old"),
            ("several", {"options": [("a", "A"), ("b", "B")], "out": ["a"]}, ["a", "b"], ["b"]),
        ],
    ),
)
def test_an_answer_that_ends_the_visit_is_in_no_record(
    survey: Survey, client: Client, type_: str, fields: dict[str, Any], away: Any, stays: Any
) -> None:
    """Who sends it past the page is refused, and simulated people do not give it."""
    add_question(survey, "who", type=type_, page=0, **fields)
    version = publish(survey)
    answers = [send(client, "study", submission(version, open={"who": answer})) for answer in (away, stays)]
    assert [answer.status_code for answer in answers] == [422, 201]
    assert answers[0].json()["message"] == "open contains an answer that ends the visit."
    lines = open_lines(version.parsed.open_questions, 60, np.random.default_rng(1))
    assert not any(json.loads(line).get("who", stays) == away for line in lines)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    first(
        1,
        [
            ({"out": ["young", "old"]}, "leave one that does not"),
            ({"out": ["ancient"]}, "no answer “ancient”"),
            ({"parameter": "v"}, "parameter of the address is a letter"),
            ({"parameter": "group", "required": True}, "neither required"),
        ],
    ),
)
def test_what_would_lead_nowhere_is_refused(fields: dict[str, Any], sentence: str) -> None:
    """Everybody sent away, an answer that nobody can give, a parameter of ours, a group that must be given."""
    survey: Survey = make_survey()
    add_question(survey, "age", type="choice", options=[("young", "Young"), ("old", "Old")], **fields)
    assert sentence in missing(Draft.load(survey))[0]


@pytest.mark.parametrize(("first_one", "other"), [("group", "group"), ("group", ENTERED["number"])])
def test_no_answer_from_the_address_tells_who_somebody_is(first_one: str, other: str) -> None:
    """Neither the panel's number of a person, nor one parameter with the options of two questions."""
    survey: Survey = make_survey()
    write(survey, panel=ENTERED)
    for name, parameter in (("one", first_one), ("two", other)):
        add_question(survey, name, type="choice", options=[("a", "A"), ("b", "B")], parameter=parameter)
    (sentence,) = missing(Draft.load(survey))
    assert f"“{other}” is the provider's number of a person, or the answer to another question, too" in sentence
