"""A survey whose devices send one word each: from the draft to its report and its files."""

import json
import re
import subprocess
import sys
from html import unescape
from itertools import chain
from pathlib import Path
from shutil import which
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest
from django.test import Client
from django.utils.text import capfirst

import candor
from candor.commands import main as candor_command
from mining.domain.request import mine_rehearsals
from mining.models import MiningRun
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import EntryError, InputError
from privacy.output import format_count
from privacy.plan.verdict import PAIRS, say_change, say_gains
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import BEST, ONE_WORD, PROPOSAL, judge_document, judge_version, usual
from surveys.domain.exchange.formats import FORMATS, read_survey
from surveys.domain.exports.files import FILES
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.compose import compose_design
from surveys.domain.questionnaire.document import Document, Draft, read_document
from surveys.domain.questionnaire.forecast import forecast, forecast_draft, widths_of_items
from surveys.domain.questionnaire.guess import guess_of
from surveys.domain.questionnaire.publish import publish
from surveys.domain.rehearsal import ask as rehearsing
from surveys.domain.rehearsal.ask import fill
from surveys.domain.responses.seal import append
from surveys.models import Snapshot, Survey, SurveyVersion
from surveys.percent import BiasedShare
from surveys.results import study_pack
from surveys.results.answers import answers
from surveys.results.report import data_of, shares_of_skips
from surveys.results.tables import CrossTable, cross_table, open_codes, variables
from surveys.results.together import pairs_of
from surveys.studio import alternatives, protection
from surveys.studio.protection import choice_of_site, forecast_context, guess_context, rows_of
from surveys.studio.verdict import context as verdict_context, in_short, points
from tests.cases import first
from tests.mining.surveys import end_run
from tests.surveys.making import add_question, compose_draft, edit_draft, make_survey, set_block, set_question
from tests.surveys.sending import send, submission
from tests.surveys.staff import somebody

NAMES = ("copied", "bought", "invented", "faked", "excused")
OPTIONS = (("notes", "With notes"), ("phone", "By phone"), ("never", "Never"), ("prefer", "Prefer not to say"))


def one_word_survey(longest: int = 1, groups: int | None = None) -> Survey:
    """Five yes/no questions and one with three options and "prefer not to say"; an undisguised one beside them."""
    survey = make_survey(names=(*NAMES, "how"), direct=False, expected=300, least=20)
    own = {} if groups is None else {"groups": groups}
    set_block(survey, kind="one-of", settings={"list_gamma": 19, "cap": 2, "longest": longest} | own)
    options = [
        {"value": value, "label": {"en": label}, "last": value == "prefer", "settings": {}} for value, label in OPTIONS
    ]
    set_question(survey, "how", type="choice", options=options, settings={"harmless": "never"})
    add_question(survey, "year", type="scale", page=2, min="1", max="5")
    return survey


@pytest.mark.parametrize(
    ("groups", "taken", "refused"),
    [
        ({}, [(0, 0, 0, 0, 0), (1, 0, 1, 0, 0), (1, 1, 1, 1, 1)], [(1, 1, 1, 0, 0), (1, 1, 1, 1, 0)]),
        ({"groups": 3, "longest": 1}, [(0, 0, 0, 0, 0), (0, 0, 1, 1, 0), (1, 0, 1, 1, 0)], [(0, 1, 1, 1, 0)]),
    ],
)
def test_a_record_that_no_device_sends_is_refused(
    client: Client, groups: dict[str, int], taken: list[tuple[int, ...]], refused: list[tuple[int, ...]]
) -> None:
    """Of a list its words, the loss word and nothing are stored; of twelve groups no number above thirteen."""
    survey = make_survey(names=NAMES)
    set_block(survey, kind="one-of", settings={"list_gamma": 19, "cap": 2, "longest": 2, **groups})
    version = publish(survey)

    def status(row: tuple[int, ...], direct: int = 0) -> int:
        return send(client, survey.slug, submission(version, record=list(row), direct=direct)).status_code

    assert [status(row) for row in taken] == [201] * len(taken)
    assert [status(row) for row in refused] == [422] * len(refused)
    assert [status(row, direct=1) for row in refused] == [201] * len(refused)  # an answer to each question is no word


def rehearsed(survey: Survey, count: int = 300) -> Snapshot:
    """The responses of simulated people."""
    apart = rehearsing.begin(survey, count)
    fill(apart.pk)
    return apart.versions.get().snapshots.get()


@pytest.mark.parametrize("is_reported", [False, True])
@pytest.mark.parametrize(("longest", "groups"), first(1, [(1, 3), (1, None), (2, None), (2, 7)]))
def test_every_page_of_staff_shows_such_a_survey(
    client: Client, longest: int, groups: int | None, is_reported: bool
) -> None:
    """From writing to the report of 300 simulated people; where something cannot be worked out, it says so."""
    survey = one_word_survey(longest, groups)
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
        "publish/",
        "export/",
    )
    parts = ("", "table/", "table/?answer=copied&by=bought", "regression/", "compare/", "weighted/", "words/")
    if is_reported:
        addresses = [f"/staff/studio/versions/{version}/results/{part}" for part in parts]
    else:
        addresses = [f"/staff/studio/{survey.pk}/{step}" for step in (*steps, "fieldwork/", "translation/", "history/")]

    assert [address for address in addresses if client.get(address).status_code != 200] == []


@pytest.mark.parametrize(("longest", "planned"), [(1, []), (2, ["2"])])
def test_the_preregistration_plans_rules_of_as_many_answers_as_words_name(
    ann: Client, longest: int, planned: list[str]
) -> None:
    """Of words of one answer there are none, though what goes together is wanted."""

    page = ann.get(f"/staff/studio/{one_word_survey(longest).pk}/preregistration/?of=draft").content.decode()

    assert re.findall("all rules of up to (.) answers", page) == planned


def test_the_report_has_shares_whose_intervals_allow_for_people_above_the_cap(ann: Client) -> None:
    """Three in ten say yes to each of six questions: most people have more answers to tell than the cap of two."""
    version = rehearsed(one_word_survey(), 2_000).version_id

    shown = ann.get(f"/staff/studio/versions/{version}/results/").content.decode()

    assert "words\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}8" in shown
    assert "Simulated truth" in shown
    assert "Each device sends one short message, or none. Chance has a part in what is sent" in shown


LACKS = "The list of this version has no word for {} together, so nothing tells how they go together."
UNTOLD = "The list of words of this version does not tell enough for this regression"


@pytest.mark.parametrize(
    ("longest", "groups", "by", "lacking"),
    first(
        1,
        [
            (1, None, "bought", LACKS.format("“copied?” and “bought?”")),
            (2, 7, "bought&also=faked", LACKS.format("“copied?” and “bought?” and “faked?”")),
        ],
    ),
)
def test_pages_say_which_word_is_lacking_or_what_else_can_be_asked(
    ann: Client, longest: int, groups: int | None, by: str, lacking: str
) -> None:
    """Of two answers that are no word, of three, and of a regression under a cap: one sentence, and no figure.

    It has no codes of columns, and is in the reader's language; before anybody has asked nothing is refused.
    """
    version = rehearsed(one_word_survey(longest, groups)).version_id
    results = f"/staff/studio/versions/{version}/results"

    for address, said in (
        (f"table/?answer=copied&by={by}", lacking),
        ("regression/?answer=copied.1&on=bought", UNTOLD),
    ):
        page = ann.get(f"{results}/{address}")
        assert page.status_code == 200
        assert said in unescape(page.content.decode())
        assert len(page.context["form"].errors) == 0
        assert "part" not in page.context
        assert said[:20] not in ann.get(f"{results}/{address}", headers={"accept-language": "zh-hans"}).content.decode()
    for address in ("table/", "regression/", "compare/"):
        page = ann.get(f"{results}/{address}")
        assert "why_not" not in page.context
        assert len(page.context["form"].errors) == 0


def test_a_list_has_shares_of_the_population(ann: Client) -> None:
    """Of every question, whatever cannot be crossed."""
    snapshot = rehearsed(one_word_survey(2), 800)

    page = ann.get(f"/staff/studio/versions/{snapshot.version_id}/results/weighted/?strata=year")

    names = {figure.name for figure in page.context["part"].context()["figures"]}
    assert {f"weighted-{name}" for name in NAMES} <= names


def crossed(snapshot: Snapshot, *names: str) -> CrossTable:
    data = data_of(snapshot.version)
    known = {each.axis.name: each for each in variables(data, "en")}
    return cross_table(data, [known[name] for name in names])


def test_a_table_of_two_words_has_the_cells_of_the_command() -> None:
    """With intervals that allow for people above the cap; in a group the share is what the cells say of it."""
    snapshot = rehearsed(one_word_survey(2), 2_000)
    expected = candor.table(data_of(snapshot.version).sealed, ["copied", "bought"])

    table = crossed(snapshot, "copied", "bought")

    assert table.n.number == expected.n == 2_000
    cells = {(line.group, line.answer): line.of_all for line in table.lines}
    assert expected.ends is not None
    figures = [one.T.ravel().tolist() for one in (expected.support, expected.se, *expected.ends)]
    for share, said in zip(cells.values(), zip(*figures, strict=True), strict=True):
        assert isinstance(share, BiasedShare)
        assert (share.value, share.se) == pytest.approx(said[:2], abs=1e-9)
        assert (share.low, share.high) == pytest.approx(said[2:], abs=0.01)  # Wald, and not Wilson
    (less, least), (more, most) = expected.support.T
    first, last = table.lines[1], table.lines[3]
    assert first.share is not None
    assert last.share is not None
    assert last.difference is not None
    assert (first.share.value, last.share.value) == pytest.approx((least / (less + least), most / (more + most)))
    assert last.difference.value == pytest.approx(last.share.value - first.share.value)
    assert last.difference.low < last.difference.value < last.difference.high


def test_a_word_is_crossed_with_an_answer_that_is_not_disguised() -> None:
    """The share of each year is that of its own records alone; over all years the shares of all add up to the whole."""
    snapshot = rehearsed(one_word_survey(1), 2_000)
    data = data_of(snapshot.version)

    (year,) = (each for each in variables(data, "en") if each.axis.name == "year")
    codes, labels = open_codes(data, year)

    table = crossed(snapshot, "copied", "year")

    own = data.without_direct
    said = [line for line in table.lines if line.answer == "Yes"]
    assert [line.group for line in said] == [(label,) for label in labels]
    for place, line in enumerate(said):
        rows = codes == place
        alone = candor.table(Records(own.design, own.codes[rows], own.direct[rows]), ["copied"])
        assert line.share is not None
        assert line.of_all is not None
        assert (line.share.value, line.share.se) == pytest.approx((alone.support[1], alone.se[1]), rel=0.01)
        assert line.of_all.value == pytest.approx(alone.support[1] * rows.mean())
    whole = candor.table(own, ["copied"])
    assert sum(line.of_all.value for line in said if line.of_all) == pytest.approx(whole.support[1])


def test_no_test_of_a_list_says_whether_answers_go_together(ann: Client) -> None:
    """It would need records of more than a word; the page says so, and shows the differences."""
    version = rehearsed(one_word_survey(2)).version_id
    page = ann.get(f"/staff/studio/versions/{version}/results/table/?answer=copied&by=bought")
    (figure,) = page.context["part"].context()["figures"]

    assert (
        figure.said
        == "These answers are read from whole records, so no test says whether they go together: see the differences."
    )
    assert len(figure.table.rows) == 2
    assert "χ²" not in page.content.decode()


def test_more_people_do_not_take_away_what_the_cap_costs() -> None:
    """Figures of people with more answers to tell than the cap are too low, however many people answer."""
    design = compose_draft(one_word_survey()).design
    few, many = (forecast(design, people) for people in (1_000, 1_000_000))

    assert few.lasting == many.lasting > 0
    assert few.most is not None
    assert many.most is not None
    assert many.lasting <= many.most < few.most
    assert few.with_people(1_000_000).most == many.most


def test_the_files_say_that_a_row_shows_one_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Codebooks of people, programs and archives; a command reads records and design, and gives the shares."""
    snapshot = rehearsed(one_word_survey())
    for name in ("records.csv", "design.json", "codebook.json", "codebook.html", "ddi.xml", "channels.csv"):
        FILES[name].write(tmp_path / name, snapshot)
    columns = {one["name"]: one for one in json.loads((tmp_path / "codebook.json").read_text())["columns"]}
    row = columns["copied"]["row"]

    assert row.startswith("A row shows one short message, or none")
    assert [name for name, one in columns.items() if "row" in one] == [*NAMES, "how"]
    assert [name for name, one in columns.items() if "channel" in one] == []
    assert row in (tmp_path / "codebook.html").read_text()
    assert row in (tmp_path / "ddi.xml").read_text()
    assert len((tmp_path / "channels.csv").read_text().splitlines()) == 1

    paths = [str(tmp_path / "records.csv"), str(tmp_path / "design.json")]
    assert candor_command(["reconstruct", *paths, "--pattern", "copied"]) == 0
    assert "copied" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "groups"), [("json", None), ("xlsform", 7)])
def test_a_draft_keeps_its_list_of_words_in_each_format(name: str, groups: int | None) -> None:
    """γ, the cap, the longest word, groups, and the harmless answers, of which that of a choice is an option."""
    document = read_document(one_word_survey(2, groups))
    set_no = next(one for page in document["pages"] for one in page["questions"] if one["id"] == "bought")
    set_no["settings"] = {"harmless": "1"}
    form = FORMATS[name]
    assert form.write is not None

    again = read_survey(form.write(document), "Again")[1].document
    harmless = {one["id"]: one["settings"].get("harmless") for page in again["pages"] for one in page["questions"]}

    (block,) = again["blocks"]
    own = {} if groups is None else {"groups": groups}
    assert (block["kind"], block["settings"]) == ("one-of", {"list_gamma": 19, "cap": 2, "longest": 2} | own)
    assert harmless == dict.fromkeys(NAMES) | {"bought": "1", "how": "never", "year": None}


# Every run has the script of a pack give the shares of a list in `test_a_threshold_goes_from_the_browser_to_rules`.
@pytest.mark.long
@pytest.mark.parametrize(
    "run",
    [
        [sys.executable, "reproduce.py"],
        pytest.param(["Rscript", "reproduce.R"], marks=pytest.mark.skipif(not which("Rscript"), reason="no Rscript")),
    ],
    ids=["Python", "R"],
)
@pytest.mark.parametrize(("longest", "groups", "count"), [(1, None, 60), (1, None, 300), (2, 7, 300), (2, None, 300)])
def test_the_study_pack_has_all_of_it(
    tmp_path: Path, run: list[str], longest: int, groups: int | None, count: int
) -> None:
    """From the files of the pack alone its scripts give the shares of the report, with their errors and intervals.

    As they came out: where one of them is below 0, the report shows what can be. Of few people what is measured of
    those above the cap is often below 0, too, and then moves no end. Of a word that hardly anybody sent the
    error of the script in R is smaller, as it says.
    """
    snapshot = rehearsed(one_word_survey(longest, groups), count)
    study_pack.write(tmp_path / "pack.zip", snapshot)
    with ZipFile(tmp_path / "pack.zip") as archive:
        archive.extractall(tmp_path)
    (folder,) = tmp_path.glob("*/scripts")
    done = subprocess.run(run, cwd=folder, capture_output=True, text=True, check=True)
    printed = dict(line.split("\t", 1) for line in done.stdout.splitlines())
    codes = {label: value for value, label in OPTIONS} | {"Yes": "1", "No": "0"}
    shown = [question for question in answers(data_of(snapshot.version), "en") if question.sensitive]
    report = {
        f"{question.name}={codes[row.label]}": [raw.value, raw.se, raw.low, raw.high]
        for question in shown
        for row in question.displays[0].rows
        for raw in [row.all.raw_estimate]
    }

    for name, figures in report.items():
        own = [float(one) for one in printed[name].split("\t") if "n" not in one]
        if run[0] == "Rscript" and own[1] < figures[1] and count < 300:
            figures[1] = own[1]
        assert own == pytest.approx(figures, abs=1e-9)


@pytest.mark.parametrize("longest", first(1, [1, 2]))
def test_rules_are_mined_as_far_as_words_tell_of_them(ann: Client, longest: int) -> None:
    """With words of two answers there are rules to find; of single answers there are shares and no rules.

    Three answers are not looked at: whether some that no word tells are frequent is chance.
    """
    version = rehearsed(one_word_survey(longest), 2_000).version
    mine_rehearsals()
    MiningRun.objects.update(max_length=2)
    warnings = [warning["code"] for warning in end_run(MiningRun.objects.get()).result.summary["warnings"]]
    page = ann.get(f"/staff/studio/versions/{version.pk}/results/")

    assert page.status_code == 200
    assert "unidentified" in warnings or longest == 2  # triples have no word either, where chance makes some likely


def test_protect_offers_one_word_each_at_its_price_and_takes_it_back() -> None:
    """The blocks follow the choice, with the promise that is chosen; the price is what the verdict says of both."""
    survey, before = proposed(2_000, "rare")

    chosen = apply(survey, before, {**WAY, "value": ONE_WORD})
    (block,) = chosen["blocks"]
    again = apply(survey, chosen, {**WAY, "value": ""})
    design = compose_design(Draft.from_document(survey, chosen))
    offered = prices_of(survey, before)["way"]
    here, there = (judge_document(survey, one) for one in (before, chosen))

    assert (block["kind"], block["settings"]["longest"], block["questions"]) == ("one-of", 2, list(NAMES))
    assert 18.9 < design.odds <= 19
    assert again["blocks"] == before["blocks"]
    assert offered[0] == f"Shares ±{100 * there.aims[0].figure:.2g} instead of ±{100 * here.aims[0].figure:.2g}"
    assert set(map(str, chain(*say_gains(here, there, ["shares"])))) <= {*offered}


WAY = {"do": "protect", "field": "way"}


def proposed(people: int, guess: str, count: int = 5) -> tuple[Survey, Document]:
    """A draft of so many yes/no questions that leaves its blocks to be proposed."""
    names = NAMES if count == len(NAMES) else tuple(f"q{number}" for number in range(count))
    survey = make_survey(f"{guess.replace(' ', '-')}-{people}", names=names, direct=False, expected=people)
    document = read_document(survey) | {"protection": usual() | {"guess": guess, "way": None}}
    return survey, apply(survey, document, {"do": "protect", "field": "by", "value": PROPOSAL})


def prices_of(survey: Survey, document: Document) -> dict[str, list[str]]:
    """What each change of the protection would move, by its field; of several that are alike the last."""
    found = alternatives.prices_of(survey, document)
    return {
        json.loads(one.change).get("field", ""): [f"{one.much} {one.instead}", *one.gains, *one.costs]
        for one in found
        if one.change
    }


def test_each_list_of_the_front_tells_what_its_row_says() -> None:
    """The one that is proposed is marked; no other tells pairs less exactly for it; the proposal can be taken again."""
    survey, before = proposed(2_000, "rare", 10)
    words = apply(survey, before, {**WAY, "value": ONE_WORD})
    front = protection.lists_context(Draft.from_document(survey, words))
    rows = front["rows"]
    taken = [apply(survey, words, json.loads(row.change)) if row.change else words for row in rows]
    forecasts = [forecast_draft(Draft.from_document(survey, one)) for one in taken]
    (own,) = (number for number, row in enumerate(rows) if not row.change)
    sharpest = Draft.from_document(survey, taken[0])
    again = protection.lists_context(sharpest)

    assert len(rows) > 2
    assert [row.widths for row in rows] == [(one.most, one.pairs) for one in forecasts]
    assert [judge_document(survey, one).aims[0].figure for one in taken] == [row.widths[0] for row in rows]
    assert sorted(rows, key=lambda row: -row.widths[1]) == rows
    assert all(compose_design(Draft.from_document(survey, one)).odds <= 19 for one in taken)
    assert (front["mark"], front["propose"]) == ("proposed", "")
    assert f">{own + 1}, proposed</text>" in front["picture"]
    assert (again["mark"], again["rows"][0].widths) == ("in use", rows[0].widths)
    assert apply(survey, taken[0], json.loads(again["propose"]))["blocks"] == words["blocks"]


@pytest.mark.parametrize("change", [{**WAY, "value": ""}, {"do": "protect", "field": "pairs", "value": False}])
def test_without_a_list_of_single_answers_and_pairs_there_is_no_front(change: dict[str, Any]) -> None:
    """Neither for disguised answers nor where shares alone are wanted."""
    survey, before = proposed(2_000, "rare", 10)
    words = apply(survey, before, {**WAY, "value": ONE_WORD})

    assert protection.lists_context(Draft.from_document(survey, apply(survey, words, change))) == {}


def test_of_what_most_people_do_the_word_is_no() -> None:
    """It follows the guess of each question, and is no disguise that somebody made by hand."""
    survey, before = proposed(2_000, "rare")
    most = apply(survey, before, {"do": "setting", "question": "faked", "name": "guess", "value": "most"})
    words = apply(survey, most, {**WAY, "value": ONE_WORD})
    design = compose_design(Draft.from_document(survey, words))
    (block,) = design.blocks
    again = apply(survey, words, {"do": "setting", "question": "faked", "name": "guess", "value": "rare"})
    (rare,) = compose_design(Draft.from_document(survey, again)).blocks

    assert [block.harmless[design.column(name)] for name in NAMES] == [0, 0, 0, 1, 0]
    assert rare.harmless == (0,) * 5
    assert words["protection"]["by"] == again["protection"]["by"] == PROPOSAL


def test_the_harmless_answer_of_a_choice_stays_in_a_proposal() -> None:
    """It says which words there are."""
    survey = one_word_survey()
    document = read_document(survey) | {"protection": usual() | {"way": ONE_WORD}}
    made = apply(survey, document, {"do": "setting", "question": "how", "name": "harmless", "value": "phone"})
    harmless = {one["id"]: one["settings"].get("harmless") for page in made["pages"] for one in page["questions"]}

    assert (made["protection"]["by"], harmless["how"]) == (PROPOSAL, "phone")


def test_preferring_not_to_say_costs_little_in_a_list() -> None:
    """It is a word by itself: of five questions with it there are ten words, and ten pairs of yes and no others."""
    survey, before = proposed(2_000, "very rare")
    skips = apply(survey, before, {"do": "skip", "for": "all", "value": True})
    (block,) = compose_design(Draft.from_document(survey, apply(survey, skips, {**WAY, "value": ONE_WORD}))).blocks
    assert isinstance(block, OneOfBlock)
    words = [block.text(word) for word in block.words]

    assert len(words) == 20
    assert [word for word in words if "," in word and "secret" in word] == []
    assert len(block.alone) == 5


@pytest.fixture
def closed_class() -> SurveyVersion:
    """A class of 59 that is closed, in which a few preferred not to say something."""
    survey, document = class_of_sixty()
    with edit_draft(survey) as draft:
        draft.update(document)
    version, truth = publish(survey), np.zeros((59, 5), np.uint8)
    truth[:20, 0] = 2
    records = disguise(version.design, truth, np.zeros(59, bool), words_from_seed(1))
    append(version, pack(records), [b""] * 59)
    close(survey)
    return version


def test_field_sums_up_what_was_skipped_and_found_once_it_is_closed(ann: Client, closed_class: SurveyVersion) -> None:
    """The best guesses and the number of pairs of its report."""
    data = data_of(closed_class)
    said = dict(ann.get(f"/staff/studio/{closed_class.survey_id}/fieldwork/").context["planned"])
    least, most = (round(100 * end(shares_of_skips(data))) for end in (min, max))

    assert pairs_of(data).sure == []
    assert said["What goes together"].endswith(" people with this version; no pair is sure")
    assert said["Skipped a question"] == f"{least}–{most} % of people, question by question (best guesses)"
    assert least < most


def test_the_price_stands_beside_the_steps_of_protect(ann: Client) -> None:
    """In points, for how many people, with the one number of people that links need, and what each device sends."""
    survey, before = proposed(2_000, "very rare")
    document = apply(survey, before, {**WAY, "value": ONE_WORD})
    with edit_draft(survey) as draft:
        draft.update(document)
    judged = judge_document(survey, document)
    pairs = judged.aim(PAIRS)
    assert pairs is not None
    assert pairs.needed is not None
    needed = format_count(pairs.needed)

    page = ann.get(f"/staff/studio/{survey.pk}/").content.decode()
    (beside,) = re.findall(r'<section class="pledge".*?</section>', page, re.DOTALL)

    assert re.findall(r"<p[^>]*>(.*?)</p>", beside)[:2] == [
        f"<b>{capfirst(in_short(judged))}</b> with 2\N{NARROW NO-BREAK SPACE}000 people",
        "Each device sends one short message, or none.",
    ]
    verdict = ann.get(f"/staff/studio/{survey.pk}/protect/").content.decode()
    assert f"{needed} people are enough." in verdict


def test_the_picture_of_widths_has_the_figures_of_the_table_below_it(ann: Client) -> None:
    """Of so many people and of four times as many; of fewer than a report tells of there is none."""
    survey, document = class_of_sixty()
    with edit_draft(survey) as draft:
        draft.update(document)
    falls = verdict_context(Draft.load(survey))["falls"]
    ((_what, figures), *_others) = forecast_context(Draft.load(survey))["rows"]

    assert dict(falls["rows"])["60"] == falls["now"]["points"]
    assert [points for _people, points in falls["rows"]][:3] == ["–", *figures]


@pytest.mark.parametrize(("guess", "kept"), [("very rare", True), ("some", False)])
def test_a_way_is_kept_only_where_it_tells_more(guess: str, kept: bool) -> None:
    """Where the site takes it by itself; elsewhere nothing is said."""
    survey, before = proposed(2_000, guess, 10)
    before = apply(survey, before, {"do": "protect", "field": "pairs", "value": False})
    words = apply(survey, before, {**WAY, "value": ONE_WORD})
    by_site = apply(survey, before, {**WAY, "value": BEST})
    said = prices_of(survey, words)["way"][-1] == "We would keep one word each."

    assert said == (by_site["blocks"] == words["blocks"]) == kept


def test_two_halves_of_a_list_are_compared_less_exactly_than_twice_all_of_it() -> None:
    """A difference reaches to the far end of either half; without a bias it is known half as well as all people are."""
    survey, before = proposed(1_000, "very rare", 10)
    left, words = (Draft.from_document(survey, apply(survey, before, {**WAY, "value": way})) for way in ("", ONE_WORD))
    coins, listed = (forecast_draft(draft) for draft in (left, words))

    assert coins.apart == pytest.approx(2 * (coins.most or 0), rel=0.1)
    assert (listed.most or 1) < (listed.apart or 0) < 0.2


def test_the_one_figure_of_a_list_is_that_of_the_answers_that_it_is_for() -> None:
    """Of ten very rare answers and 1 000 people, with “prefer not to say” or not: that of yes, and not that of no."""
    survey, before = proposed(1_000, "very rare", 10)
    with_skip = apply(survey, before, {"do": "skip", "for": "all", "value": True})
    ways = [Draft.from_document(survey, apply(survey, one, {**WAY, "value": ONE_WORD})) for one in (before, with_skip)]
    plain, skipped = (forecast_draft(draft) for draft in ways)

    assert plain.most == plain.least == pytest.approx(0.0542, abs=5e-4)
    assert skipped.most == skipped.least
    assert {row["points"] for row in guess_context(ways[1])["rows"]} == {points(skipped.most)}


def test_each_question_of_a_list_has_its_own_price() -> None:
    """The nearer its share to a half the longer the side; of those guessed alike the same."""
    survey = one_word_survey()
    guesses = dict(zip(NAMES, ("very rare", "rare", "rare", "some", "half"), strict=True))
    for name, guess in guesses.items():
        set_question(survey, name, settings={"guess": guess})
    draft = Draft.load(survey)

    widths = widths_of_items(compose_design(draft), 300, 20, guess_of(draft))

    first, second, third, fourth, fifth = (widths[name] for name in NAMES)
    assert first < second == third < fourth < fifth < 0.5
    assert [row["points"] for row in guess_context(draft)["rows"]][:5] == [points(widths[name]) for name in NAMES]


@pytest.mark.parametrize(
    ("named", "known"),
    first(
        1,
        [
            ("{0}=1; {1}=1; {2}=1; {3}=1; {4}=1", True),
            ("{0}=1; {1}=1,{2}=1; {3}=1; {4}=1", False),
            ("{0}=1,{1}=1", None),
        ],
    ),
)
def test_experts_name_words_and_read_what_is_known(ann: Client, named: str, known: bool | None) -> None:
    """Who prefers not to say needs no word; of an answer without one nothing is known; a question needs one."""
    survey, before = proposed(2_000, "very rare")
    skips = apply(survey, before, {"do": "skip", "for": "all", "value": True})
    change = {"do": "block", "place": 0, "field": "kind", "value": "named-words"}
    by_hand = apply(survey, apply(survey, skips, change), change | {"field": "words", "value": named.format(*NAMES)})
    with edit_draft(survey) as draft:
        draft.update(by_hand)
    pages = [ann.get(f"/staff/studio/{survey.pk}/{step}/") for step in ("protect", "try", "alternatives", "publish")]

    assert [page.status_code for page in pages] == [200] * 4
    if known is None:
        with pytest.raises(InputError, match="no word speaks of"):
            compose_design(Draft.load(survey))
    else:
        assert ((forecast_draft(Draft.load(survey)).most or 1) < 1) == known


def left_to_site(people: int, guess: str, count: int = 10, *, pairs: bool = False) -> tuple[Survey, Document]:
    """The same draft as a new survey has it: nobody has chosen a way. What goes together is told where `pairs` says."""
    survey, document = proposed(people, guess, count)
    wanted = apply(survey, document, {"do": "protect", "field": "pairs", "value": pairs})
    return survey, apply(survey, wanted, {**WAY, "value": BEST})


def class_of_sixty() -> tuple[Survey, Document]:
    """Five questions about things that some 5 % do, perhaps 2 to 10 %; one may prefer not to say."""
    survey, document = left_to_site(60, "some", 5, pairs=True)
    guessed = apply(survey, document, {"do": "protect", "field": "guess", "value": "0.05:0.02..0.1"})
    return survey, apply(survey, guessed, {"do": "skip", "for": "all", "value": True})


@pytest.mark.parametrize("guess", ["very rare", "half"])
def test_the_site_sends_one_word_where_that_tells_more(guess: str) -> None:
    """It takes the same blocks as who chooses this way, says why, and what the other way would tell."""
    survey, document = left_to_site(2_000, guess)
    ways = {value: apply(survey, document, {**WAY, "value": value}) for value in ("", ONE_WORD)}
    taken, left = (ONE_WORD, "") if guess == "very rare" else ("", ONE_WORD)
    here, there = (judge_document(survey, ways[way]) for way in (taken, left))
    said = choice_of_site(Draft.from_document(survey, document))

    assert usual()["way"] == BEST
    assert document["blocks"] == ways[taken]["blocks"] != ways[left]["blocks"]
    assert said.startswith("We chose one word each" if taken else "We chose disguised answers")
    assert said.endswith(f"{say_change(here, there)}.")
    assert [choice_of_site(Draft.from_document(survey, one)) for one in ways.values()] == ["", ""]


@pytest.mark.long
def test_the_page_says_the_errors_of_pairs_by_which_it_chose() -> None:
    """Ten questions and 1 000 people: shares are wider by one word and links need as many, so pairs say why."""
    survey, document = left_to_site(1_000, "some", pairs=True)
    guessed = apply(survey, document, {"do": "protect", "field": "guess", "value": "0.05:0.02..0.1"})
    draft = Draft.from_document(survey, apply(survey, guessed, {"do": "skip", "for": "all", "value": True}))
    said = choice_of_site(draft)

    assert said.startswith("We chose one word each")
    numbers = re.search(r"pairs of answers have a standard error of ([\d.]+) points, not ([\d.]+);", said)
    assert numbers is not None
    assert float(numbers[1]) < float(numbers[2])


def test_what_is_published_needs_as_many_people_on_every_page_until_its_draft_is_planned_for_others() -> None:
    """Protect and the rail speak of the version as Field and the report do: its disguise stays for any number."""
    survey, few = class_of_sixty()
    with edit_draft(survey) as draft:
        draft.update(few)
    planned = judge_document(survey, few)
    version = publish(survey)
    here, there = judge_document(survey, few), judge_version(version, None)
    again = apply(survey, few, {"do": "survey", "field": "expected", "value": "61"})

    assert [aim.needed for aim in planned.aims] != [aim.needed for aim in there.aims]
    assert here == there
    assert judge_document(survey, again).aims[0].needed == planned.aims[0].needed


def test_the_way_of_the_site_follows_the_guess_and_that_of_a_researcher_stays() -> None:
    """A draft that says no way, as older ones do, keeps disguised answers whatever is guessed."""
    survey, document = left_to_site(2_000, "very rare")
    chosen = [document, *(apply(survey, document, {**WAY, "value": value}) for value in ("", ONE_WORD))]
    half = {"do": "protect", "field": "guess", "value": "half"}
    kinds = [[one["blocks"][0]["kind"] == "one-of" for one in (way, apply(survey, way, half))] for way in chosen]

    assert kinds == [[True, False], [False, False], [True, True]]
    assert "way" not in chosen[1]["protection"]
    with pytest.raises(EntryError, match='"coin" is none of: word, best'):
        apply(survey, document, {**WAY, "value": "coin"})


def test_unfinished_questions_do_not_change_the_way_of_the_site() -> None:
    """While somebody writes the answers to a choice the others decide; anchors, or questions by lot, end the list."""
    survey, document = left_to_site(2_000, "very rare")
    add = {"do": "add", "type": "choice", "lines": "Which?", "sensitive": True}
    writing = [apply(survey, document, add | {"rows": rows}) for rows in ("", "a", "a\nb\nc")]
    reads, asked = (
        apply(survey, document, change)
        for change in ({"do": "careless", "value": True}, {"do": "protect", "field": "asked", "value": 10})
    )

    assert [[block["kind"] for block in one["blocks"]] for one in writing] == [["one-of"]] * 3
    assert "one-of" not in [block["kind"] for block in (*reads["blocks"], *asked["blocks"])]


@pytest.mark.parametrize("guess", first(1, ["very rare", "most"]))
def test_a_sheet_leaves_the_way_to_the_site_again(guess: str) -> None:
    """XLSForm has no column for a list that is proposed: the same is proposed for what comes back."""
    _, document = left_to_site(1_000, guess, 5, pairs=True)
    form = FORMATS["xlsform"]
    assert form.write is not None

    again = read_survey(form.write(document), "Again")[1].document

    assert (again["protection"], again["blocks"]) == (document["protection"], document["blocks"])


def test_protect_says_what_a_row_holds() -> None:
    """Of many words a group's number: then no row of the file is shown as a word."""
    survey, before = proposed(1_000, "very rare", 20)
    few, alone = proposed(800, "very rare")
    drafts = ((survey, before), (few, alone))
    ways = [Draft.from_document(own, apply(own, one, {**WAY, "value": ONE_WORD})) for own, one in drafts]
    groups, words = map(forecast_context, ways)

    assert (bool(groups["file"]), bool(words["file"])) == (False, True)
    assert ["number of a group" in groups["cannot"][-1], "one short message" in words["cannot"][-1]] == [True, True]
    rows = [rows_of(compose_design(draft))[0] for draft in ways]
    assert [row.sent for row in rows] == [
        "Each device sends the number of a group of words.",
        "Each device sends one short message, or none.",
    ]
