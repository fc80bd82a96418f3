"""Two arms of different strength: from the draft to what a device may send, the report and the files."""

import json
from typing import Any

import numpy as np
import pytest

from privacy.design import ARM, ARMS, Design
from privacy.design.parameters import parameters
from privacy.disguise import disguise
from privacy.disguise.random_words import words_from_seed
from privacy.errors import EntryError, InputError
from privacy.guarantee.crowd import promise_of_crowd
from privacy.output import format_count, tenths
from privacy.reconstruct.arms import arms as analysed, detectable
from privacy.records.packing import pack
from surveys.definition import Definition
from surveys.domain.exports.columns import columns_of
from surveys.domain.exports.sheet import sheet_of
from surveys.domain.messages.refusals import Refused
from surveys.domain.messages.submission import Envelope, bytes_to_store
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.planned_tests import crowd, describe_tests, of_definition, of_draft, round_epsilon
from surveys.domain.questionnaire.promise import sentences
from surveys.domain.questionnaire.publish import publish
from surveys.domain.rehearsal.fill import with_arm
from surveys.domain.responses import seal
from surveys.features.arms.draft import power
from surveys.models import Survey, SurveyVersion
from surveys.results.figures import describe_disguise
from surveys.results.report import data_of, topics as topics_of
from surveys.results.sections import TrustTopic
from tests.surveys.documents import document
from tests.surveys.making import add_question, compose_draft, make_survey, set_block

pytestmark = pytest.mark.django_db

HEADING = "Do both disguises give the same shares?"
SETTINGS = {"keep": 0.5, "theta": 0.6, "stronger": 0.4}


def in_arms(slug: str = "study", **fields: Any) -> Survey:
    survey = make_survey(slug, direct=False, **fields)
    set_block(survey, kind="coin-arms", settings=SETTINGS)
    return survey


def collect_and_close(survey: Survey, n: int = 2000, bypass: float = 0.0, close: bool = True) -> SurveyVersion:
    """Published, answered by n people, of whose devices some do not disguise, and closed."""
    version = publish(survey)
    chance = np.random.default_rng(3)
    truth = (chance.random((n, len(version.design.items))) < 0.1).astype(np.uint8)
    records = disguise(version.design, truth, take=words_from_seed(3))
    bypassing = chance.random(n) < bypass
    records.codes[bypassing] = truth[bypassing]
    lines = [with_arm(b"{}", arm) for arm in records.open_columns[ARM].tolist()]
    seal.append(version, pack(records), lines)
    if close:
        Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    version.refresh_from_db()
    return version


def topic(version: SurveyVersion) -> TrustTopic:
    (match,) = (one for one in topics_of(data_of(version)) if one.heading == HEADING)
    return match


def test_the_draft_writes_both_arms_into_the_design() -> None:
    """The second one keeps so much of what the first keeps; what is promised is the first one."""
    written = compose_draft(in_arms())
    (block,) = written.source["design"]["blocks"]
    assert (block["keep"], block["stronger"]) == (2**31, {"keep": round(0.2 * 2**32)})
    assert written.design.arms is not None
    assert written.design.gamma == written.design.arms[0].gamma
    assert written.source["arms"] is True
    assert sentences(written.design, written.source)[-1].startswith("Each device uses one of two disguises")


def test_captions_tell_both_strengths() -> None:
    """The report's figures say how the answers were disguised, in either arm."""
    caption = describe_disguise(publish(in_arms()), ["drugs"])
    assert caption.startswith("p = 0.5, stronger = (p = 0.2), θ = 0.6; γ = ")


def test_captions_of_flips_in_arms_tell_both_tables() -> None:
    block = {"flips": [0.7, 0.3], "stronger": {"flips": [0.6, 0.4]}, "items": [{"id": "drugs"}]}
    caption = parameters(Design.parse({"blocks": [block]}), ["drugs"])
    assert caption == "flips = (0.7, 0.3), stronger = (flips = (0.6, 0.4))"


@pytest.mark.parametrize("arms", [True, False])
def test_the_definition_says_whether_there_are_arms(arms: bool) -> None:
    """So that the page loads what it needs for them, and nothing where there are none."""
    source = dict(compose_draft(in_arms() if arms else make_survey()).source)
    wrong = {name: value for name, value in source.items() if name != "arms"} if arms else source | {"arms": True}
    with pytest.raises(InputError, match="arms must be in the definition if, and only if, its design calls for it"):
        Definition.parse(wrong)


def test_a_survey_without_arms_has_the_same_bytes_as_before() -> None:
    """Nothing of them stands in it, and nothing more may be sent."""
    written = compose_draft(make_survey())
    assert "stronger" not in written.to_bytes().decode()
    assert written.beside_records == written.open_questions == ()


def envelope(arm: Any, **more: Any) -> Envelope:
    return Envelope("0" * 64, b"", 0, [1, 0, 1], {} if arm is None else {ARM: arm, **more}, None)


def test_a_device_says_which_arm_it_drew() -> None:
    """Beside the record, as an undisguised answer is stored."""
    definition = compose_draft(in_arms())
    assert bytes_to_store(envelope("stronger"), definition).open == b'{"arm":"stronger"}'
    assert definition.open_size == len('{"arm":"stronger",}')


@pytest.mark.parametrize("arm", [None, "", "both", 1, True])
def test_a_response_without_its_arm_is_refused(arm: Any) -> None:
    """Or with one that is none."""
    with pytest.raises(Refused):
        bytes_to_store(envelope(arm), compose_draft(in_arms()))


def test_a_response_of_one_disguise_names_no_arm() -> None:
    """It was asked no undisguised question."""
    with pytest.raises(Refused):
        bytes_to_store(envelope("weaker"), compose_draft(make_survey()))


def test_no_question_has_the_name_of_the_arm() -> None:
    """Its answers would stand in the same column."""
    survey = in_arms()
    add_question(survey, "arm", type="text", page=2)
    with pytest.raises(EntryError, match="the name 'arm' is used for two"):
        compose_draft(survey)
    assert Definition.parse(document({**document()["pages"][0]["questions"][0], "id": "arm", "sensitive": False}))


def test_researchers_read_what_can_be_found_before_they_publish() -> None:
    """By the calculation of the report; and each arm is a crowd of its own."""
    survey = in_arms(expected=1000)
    testable = of_draft(Draft.load(survey))
    bypass, noise = detectable(testable.design, 1000)
    assert bypass is not None
    assert noise is not None
    assert list(describe_tests(testable, str).values()) == [
        "In four of five surveys, the two arms find: devices that do not disguise, from "
        f"{np.ceil(100 * bypass):.0f} % on; responses drawn at random, from {np.ceil(100 * noise):.0f} % on."
    ]
    assert describe_tests(of_definition(compose_draft(survey), 1000), str) == describe_tests(testable, str)
    said = crowd(testable)[1]
    assert said.startswith("Undisguised answers distinguish people (arm): at best 500 people give the same")
    assert said.endswith(f"ε = {round_epsilon(promise_of_crowd(testable.design, 500).epsilon)}.")
    assert power(testable.design, 10) == "There are too few respondents for the two arms to find anything."


def test_the_report_holds_the_arms_against_each_other() -> None:
    """The figures of `candor arms` on the files; honest arms tell the same."""
    version = collect_and_close(in_arms())
    shown = topic(version)
    records = data_of(version).sealed
    column = np.array([json.loads(line)[ARM] for _part, lines in _parts(version) for line in lines], dtype=object)
    tested = analysed(type(records)(records.design, records.codes, records.direct, {ARM: column}), least=100)
    assert (
        shown.sentences[1]
        == f"{format_count(tested.n[0])} drew the weaker one, {format_count(tested.n[1])} the stronger one."
    )
    assert shown.sentences[2].startswith("Together, the answers differ no more than chance explains")
    assert shown.table is not None
    assert [row[0] for row in shown.table.rows] == ["drugs? Yes", "cheating? Yes", "theft? Yes"]
    assert [row[1] for row in shown.table.rows] == [f"{tenths(100 * one.first)} %" for one in tested.answers]


def _parts(version: SurveyVersion) -> Any:
    from surveys.domain.responses import disclosure

    return disclosure.responses(data_of(version).snapshot)


def test_devices_that_do_not_disguise_are_told() -> None:
    """Half of them send what is true."""
    shown = topic(collect_and_close(in_arms(), bypass=0.5))
    assert shown.sentences[2].startswith("The arms give different shares")


def test_the_arms_wait_until_the_version_is_closed() -> None:
    """As all that stands openly beside records."""
    shown = topic(collect_and_close(in_arms(), close=False))
    assert (shown.sentences[1:], shown.table) == (
        ("The arm of each response is reported after this version is closed.",),
        None,
    )


def test_files_hold_the_arm() -> None:
    """The last column of records, with a row for each; the codebook lists its values."""
    version = collect_and_close(in_arms(), n=300)
    column = columns_of(version.parsed)[-1]
    assert (column.name, [value.value for value in column.values]) == (ARM, list(ARMS))
    rows = [row for part in sheet_of(data_of(version).snapshot).rows() for row in zip(*part, strict=True)]
    assert len(rows) == 300
    assert {row[-1] for row in rows} == set(ARMS)


def test_where_there_is_one_disguise_there_is_no_such_part() -> None:
    """No heading without figures."""
    assert HEADING not in [one.heading for one in topics_of(data_of(answered_plain()))]


def answered_plain() -> SurveyVersion:
    version = publish(make_survey(direct=False))
    truth = np.zeros((300, 3), np.uint8)
    seal.append(version, pack(disguise(version.design, truth, take=words_from_seed(1))), [b""] * 300)
    version.refresh_from_db()
    return version
