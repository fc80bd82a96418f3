"""The protocol says what each way of inviting stores: what the tables hold then, and what docs/storage.md says."""

import json
from collections import Counter
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone

from surveys.domain.mail import invitees
from surveys.domain.messages.invite import BITS, invite
from surveys.domain.questionnaire.publish import publish
from surveys.features.panel import staff as panel
from surveys.features.paper import staff as paper
from surveys.features.paper.batches import enter_batch
from surveys.features.study import staff as study
from surveys.models import Mailing, Membership, Survey, SurveyVersion
from surveys.studio.staff_part import LINKS, MAIL, StoredRow, list_stored
from tests.client.invitations import to_text
from tests.servers import ROOT
from tests.surveys.features.paper.sheets_of import crosswise, publish_paper, sheet_file, table_of
from tests.surveys.making import make_survey, write
from tests.surveys.sending import send, submission
from tests.surveys.staff import somebody

ADDRESS = "ann.lee@example.org"


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(somebody())
    return client


def rows() -> Counter[str]:
    models = apps.get_app_config("surveys").get_models()
    return Counter({model.__name__: model._default_manager.count() for model in models})


def fill(do: Callable[[], object]) -> set[str]:
    """The tables in which there are more rows afterwards."""
    before = rows()
    do()
    return set(rows() - before)


def answer_by_link(staff: Client) -> SurveyVersion:
    version = publish(make_survey("plain"))
    assert send(staff, "plain", submission(version)).status_code == 201
    return version


def hand_out_links(_staff: Client) -> SurveyVersion:
    version = publish(make_survey(access="invitation"))
    invite(version.survey, "class 5b", 3)
    return version


def mail_links(staff: Client) -> SurveyVersion:
    version = hand_out_links(staff)
    invitees.add(version.survey, {ADDRESS: "en"})
    page = "https://survey.example.org/s/study/"
    Mailing.objects.create(survey=version.survey, page=page, texts={}, days=[timezone.localdate().isoformat()])
    return version


def let_in_by_panel(staff: Client) -> SurveyVersion:
    survey = make_survey(access="invitation")
    ends = {"sent": "C7K2QD9P", "out": "CSCREEN1", "full": "CFULL111"}
    write(survey, panel={"by": "prolific", "name": "Prolific", "number": "PROLIFIC_PID", **ends})
    version = publish(survey)
    message = {"version": version.sha256, "invitation": "5f1a", "blinded": to_text(b"\0" + b"\1" * (BITS // 8 - 1))}
    exchanged = staff.post("/s/study/invitations", json.dumps(message), content_type="application/json")
    assert exchanged.status_code == 200
    return version


def enter_sheets(staff: Client) -> SurveyVersion:
    version = publish_paper(crosswise("copied"))
    enter_batch(version, 20, 0, table_of(sheet_file(version, *["1"] * 20)))
    typed = staff.post(f"/staff/studio/{version.survey_id}/paper/typed/", "{}", content_type="application/json")
    assert typed.status_code == 204
    return version


def be_an_arm(_staff: Client) -> SurveyVersion:
    first = Survey.objects.get(slug="first")
    arm = make_survey("arm", access="invitation")
    for membership in first.memberships.all():
        Membership.objects.create(survey=arm, user=membership.user, role=membership.role)
    write(arm, access="invitation", study={"of": "first"})
    return publish(arm)


# Each way: what is done, and what docs/storage.md says that the site keeps of whom.
PANEL, STUDY, PAPER = panel.STORED, study.STORED, paper.STORED
WAYS: dict[tuple[StoredRow, ...], tuple[Callable[[Client], SurveyVersion], list[str]]] = {
    (): (answer_by_link, []),
    (*LINKS, *MAIL): (
        mail_links,
        [
            "Of an invitation the site keeps a hash, and the name and size of its batch.",
            "Whom the links of a file were for, the site never learns",
            "it has the addresses, until the survey is closed",
            "An address lies in a box that only `SECRET_KEY` and the database together open",
        ],
    ),
    PANEL: (let_in_by_panel, ["the site keeps of the number a hash under the survey's private key"]),
    STUDY: (
        be_an_arm,
        ["In a study all invitations are of its first survey, and the other arms keep nothing of them."],
    ),
    PAPER: (
        enter_sheets,
        [
            "Of a stack the site keeps four counts and a mark under `SECRET_KEY`",
            "encrypted under a key that only a cookie of that browser has",
        ],
    ),
}


@pytest.mark.each
@pytest.mark.parametrize("stored", WAYS, ids=["open link", "invitations", "panel", "study", "paper"])
def test_protocol_guide_and_tables_agree_on_what_a_way_stores(staff: Client, stored: tuple[StoredRow, ...]) -> None:
    """Its rows name every table that it fills beyond those of an open survey, and stand in the protocol."""
    if stored == STUDY:
        first = publish(make_survey("first", access="invitation")).survey
        Membership.objects.create(survey=first, user=somebody("owner"), role=Membership.Role.OWNER)
    act, sentences = WAYS[stored]
    of_all = (fill(lambda: answer_by_link(staff)) if stored else rows().keys()) | {"Membership"}  # who works on it
    made: list[Any] = []
    filled = fill(lambda: made.append(act(staff)))
    (version,) = made
    page = unescape(staff.get(f"/staff/studio/{version.survey_id}/protocol/").content.decode())

    assert tuple(list_stored(version.parsed)) == stored
    named = {model.__name__ for row in stored for model in row.tables}
    assert filled - of_all == named
    every = [row for rows_of_way in WAYS for row in rows_of_way]
    assert [row for row in every if str(row.what) in page] == [*stored]
    keyed = [row for row in every if row.with_key]
    assert [row for row in keyed if str(row.with_key) in page] == [row for row in stored if row.with_key]
    guide = " ".join((ROOT / "docs/storage.md").read_text(encoding="utf-8").split())
    assert [sentence for sentence in sentences if sentence not in guide] == []


def test_links_that_are_handed_out_fill_no_table_of_addresses(staff: Client) -> None:
    """The row of mail says *where the site mails the links*: else nobody's address is there."""
    of_all = fill(lambda: answer_by_link(staff))
    assert fill(lambda: hand_out_links(staff)) - of_all == {model.__name__ for model in LINKS[0].tables}


def test_the_protocol_says_who_can_open_the_addresses(staff: Client) -> None:
    """With mail, and with a panel what else is known; of an open survey it has no such row."""
    pages = []
    for act in (mail_links, answer_by_link):
        version = act(staff)
        pages.append(staff.get(f"/staff/studio/{version.survey_id}/protocol/").content.decode())
    said = "whom the site mails links to, and until the survey is closed whose link was used"
    assert [said in page for page in pages] == [True, False]
