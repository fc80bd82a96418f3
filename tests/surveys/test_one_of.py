"""A survey whose devices send one word each: from the draft to its report and its files."""

import json
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.test import Client

from candor.commands import main as candor_command
from mining.domain.claim import claim, finish
from mining.domain.request import mine_rehearsals
from mining.domain.result import mine_run
from mining.models import MiningRun
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import ONE_WORD, PROPOSAL, usual
from surveys.domain.exchange.formats import FORMATS, Content
from surveys.domain.exports.files import FILES
from surveys.domain.questionnaire.compose import compose_design
from surveys.domain.questionnaire.document import read_document
from surveys.domain.questionnaire.draft import Draft
from surveys.domain.questionnaire.forecast import forecast, forecast_draft
from surveys.domain.questionnaire.publish import publish
from surveys.domain.rehearsal import ask as rehearsing
from surveys.domain.rehearsal.fill import fill
from surveys.models import Snapshot, Survey
from surveys.results import study_pack
from surveys.studio.protection import alternatives, price_of_change
from tests.surveys.making import add_question, compose_draft, make_survey, set_block, set_question
from tests.surveys.staff import somebody

pytestmark = pytest.mark.django_db

NAMES = ("copied", "bought", "invented", "faked", "excused")
OPTIONS = (("notes", "With notes"), ("phone", "By phone"), ("never", "Never"), ("prefer", "Prefer not to say"))


def one_word_survey(longest: int = 1) -> Survey:
    """Five yes/no questions and one with three options and "prefer not to say"; an undisguised one beside them."""
    survey = make_survey(names=(*NAMES, "how"), direct=False, expected=300, least=20)
    set_block(survey, kind="one-of", settings={"list_gamma": 19, "cap": 2, "longest": longest})
    options = [
        {"value": value, "label": {"en": label}, "last": value == "prefer", "settings": {}} for value, label in OPTIONS
    ]
    set_question(survey, "how", type="choice", options=options, settings={"harmless": "never"})
    add_question(survey, "year", type="scale", page=2, min="1", max="5")
    return survey


def rehearsed(survey: Survey, count: int = 300) -> Snapshot:
    """The responses of simulated people."""
    apart = rehearsing.begin(survey, count)
    fill(apart.pk)
    return apart.versions.get().snapshots.get()


@pytest.mark.parametrize("longest", [1, 2])
def test_every_page_of_staff_shows_such_a_survey(client: Client, longest: int) -> None:
    """From writing to the report of 300 simulated people; where something cannot be worked out, it says so."""
    survey = one_word_survey(longest)
    client.force_login(somebody())
    version = rehearsed(survey).version_id
    publish(survey)
    steps = (
        "",
        "protect/",
        "alternatives/",
        "try/",
        "protocol/",
        "preregistration/",
        "trusted/",
        "publish/",
        "export/",
    )
    parts = ("", "table/", "table/?first=copied&second=bought", "regression/", "compare/", "weighted/", "words/")
    addresses = [
        *(f"/staff/studio/{survey.pk}/{step}" for step in (*steps, "fieldwork/", "translation/", "history/")),
        *(f"/staff/studio/versions/{version}/results/{part}" for part in parts),
    ]

    assert [address for address in addresses if client.get(address).status_code != 200] == []


def test_the_report_has_shares_whose_intervals_allow_for_people_above_the_cap(client: Client) -> None:
    """Three in ten say yes to each of six questions: most people have more answers to tell than the cap of two."""
    client.force_login(somebody())
    version = rehearsed(one_word_survey(), 2_000).version_id

    shown = client.get(f"/staff/studio/versions/{version}/results/").content.decode()

    assert "words\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}8" in shown
    assert "Simulated truth" in shown
    assert "Each device sent one word about all answers" in shown


def test_more_people_do_not_take_away_what_the_cap_costs() -> None:
    """Figures of people with more answers to tell than the cap are too low, however many people answer."""
    design = compose_draft(one_word_survey()).design
    few, many = (forecast(design, people) for people in (1_000, 1_000_000))

    assert few.lasting == many.lasting > 0
    assert few.most is not None
    assert many.most is not None
    assert many.lasting <= many.most < few.most
    assert few.most_of(1_000) == pytest.approx(few.most)
    assert few.most_of(1_000_000) == pytest.approx(many.most, rel=0.1)


def test_the_files_say_that_a_row_shows_one_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Codebooks of people, programs and archives; a command reads records and design, and gives the shares."""
    snapshot = rehearsed(one_word_survey())
    for name in ("records.csv", "design.json", "codebook.json", "codebook.html", "ddi.xml", "channels.csv"):
        FILES[name].write(tmp_path / name, snapshot)
    columns = {one["name"]: one for one in json.loads((tmp_path / "codebook.json").read_text())["columns"]}
    row = columns["copied"]["row"]

    assert row.startswith("A row shows one word")
    assert [name for name, one in columns.items() if "row" in one] == [*NAMES, "how"]
    assert [name for name, one in columns.items() if "channel" in one] == []
    assert row in (tmp_path / "codebook.html").read_text()
    assert row in (tmp_path / "ddi.xml").read_text()
    assert len((tmp_path / "channels.csv").read_text().splitlines()) == 1

    paths = [str(tmp_path / "records.csv"), str(tmp_path / "design.json")]
    assert candor_command(["reconstruct", *paths, "--pattern", "copied"]) == 0
    assert "copied" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["json", "xlsform"])
def test_a_draft_keeps_its_list_of_words_in_each_format(name: str) -> None:
    """γ, the cap, the longest word, and the harmless answers, of which that of a choice is an option."""
    document = read_document(one_word_survey(2))
    set_no = next(one for page in document["pages"] for one in page["questions"] if one["id"] == "bought")
    set_no["settings"] = {"harmless": "1"}
    form = FORMATS[name]
    assert form.write is not None

    content = Content(form.write(document), json.loads(form.write(document)) if name == "json" else None)
    again = form.read(content, "Again").document
    harmless = {one["id"]: one["settings"].get("harmless") for page in again["pages"] for one in page["questions"]}

    (block,) = again["blocks"]
    assert (block["kind"], block["settings"]) == ("one-of", {"list_gamma": 19, "cap": 2, "longest": 2})
    assert harmless == dict.fromkeys(NAMES) | {"bought": "1", "how": "never", "year": None}


def test_the_study_pack_has_all_of_it(tmp_path: Path) -> None:
    """And its scripts say which command gives the shares, because no column does."""
    study_pack.write(tmp_path / "pack.zip", rehearsed(one_word_survey()))
    with ZipFile(tmp_path / "pack.zip") as archive:
        archive.extractall(tmp_path)
    run = subprocess.run(
        [sys.executable, next(tmp_path.glob("*/scripts/reproduce.py"))], capture_output=True, text=True, check=True
    )

    sentence = "one column does not tell its figures; use candor reconstruct records.csv design.json"
    assert run.stdout.splitlines() == [f"{name}_disguised: {sentence}" for name in (*NAMES, "how")]


@pytest.mark.parametrize("longest", [1, 2])
def test_rules_are_mined_as_far_as_words_tell_of_them(client: Client, longest: int) -> None:
    """With words of two answers there are rules to find; of single answers there are shares and no rules."""
    client.force_login(somebody())
    version = rehearsed(one_word_survey(longest), 2_000).version
    mine_rehearsals()
    run = MiningRun.objects.get()
    finish(run.pk, claim(run.pk), *mine_run(run, lambda *_: None))
    warnings = [one["code"] for one in MiningRun.objects.get().result.summary["warnings"]]
    page = client.get(f"/staff/studio/versions/{version.pk}/results/")

    assert ("unidentified" in warnings, page.status_code) == (longest == 1, 200)


def test_protect_offers_one_word_each_at_its_price_and_takes_it_back() -> None:
    """The blocks follow the choice, with the promise that is chosen; the price is what the forecast says of both."""
    survey = make_survey(names=NAMES, direct=False, expected=2_000)
    document = read_document(survey) | {"protection": usual()}
    way = {"do": "protect", "field": "way"}
    before = apply(survey, document, {"do": "protect", "field": "by", "value": PROPOSAL})

    chosen = apply(survey, before, {**way, "value": ONE_WORD})
    (block,) = chosen["blocks"]
    again = apply(survey, chosen, {**way, "value": ""})
    design = compose_design(Draft.from_document(survey, chosen))
    offered = {json.loads(one.change).get("field"): one for one in alternatives(survey, before)["prices"]}
    here, there = (forecast_draft(Draft.from_document(survey, one)) for one in (before, chosen))

    assert (block["kind"], block["settings"]["longest"], block["questions"]) == ("one-of", 2, list(NAMES))
    assert 18.9 < design.odds <= 19
    assert again["blocks"] == before["blocks"]
    assert offered["way"].moved[:-1] == price_of_change(here, there, ("shares", "pairs"))
    assert offered["way"].moved[-1] == "This way is for things that few people do."
