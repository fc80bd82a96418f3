"""Simulated people answer a draft: through the real channel, mined by the usual duty, apart from all that is real."""

import json
import re
from functools import partial
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client

from mining.domain.request import mine_rehearsals
from mining.models import MiningRun
from privacy.design import Design
from privacy.design.blocks.coin.design import CoinBlock
from privacy.disguise import disguise
from privacy.errors import EntryError, InputError
from privacy.output import tenths
from privacy.records.packing import pack
from surveys.definition import PublishedQuestion, read_question
from surveys.domain.closed.erase import erase
from surveys.domain.drafts import history
from surveys.domain.drafts.beginnings import BEGINNINGS, beginning
from surveys.domain.drafts.history import Editor
from surveys.domain.drafts.protect import arrange_blocks, usual
from surveys.domain.people.roles import Action, Role, give, may, surveys_of
from surveys.domain.questionnaire.document import empty, questions, read_document, sensitive
from surveys.domain.questionnaire.guess import SKIPS
from surveys.domain.questionnaire.publish import publish
from surveys.domain.questionnaire.quotas import count_received
from surveys.domain.rehearsal import ask as rehearsing
from surveys.domain.rehearsal.ask import fill, open_lines, rehearsal, simulate_people, start_due_rehearsals, throw_away
from surveys.domain.responses.seal import append, seal_all
from surveys.models import DemoTruth, Inbox, Part, Residue, Snapshot, Submission, Survey, SurveyVersion
from surveys.results import reading, report
from surveys.studio.home import begin
from tests.cases import first
from tests.mining.surveys import end_run
from tests.surveys.broken import refused_notes
from tests.surveys.databases import count_queries
from tests.surveys.making import add_question, make_survey, set_block, town_survey, write
from tests.surveys.sending import send, submission
from tests.surveys.staff import somebody
from tests.surveys.studio.conftest import Walk, on_a_phone


@pytest.fixture
def owner(client: Client) -> User:
    user = User.objects.create(username="ann", is_staff=True)
    client.force_login(user)
    return user


@pytest.fixture
def draft(owner: User) -> Survey:
    return begin(owner, beginning("academic-integrity", "Honest", "en"))


def rehearse(survey: Survey, count: int = 400) -> Survey:
    apart = rehearsing.begin(survey, count)
    fill(apart.pk)
    return apart


def rehearse_unskipped(owner: User, count: int, **protection: str) -> SurveyVersion:
    """So many people answer a template in which nobody prefers not to say."""
    document = beginning("academic-integrity", "Tried", "en")
    document["protection"].update(protection)
    for question in questions(document):
        question["options"] = question["options"] if question["type"] == "choice" else []
    survey = begin(owner, arrange_blocks(Survey(), document, sensitive(document)))
    return rehearse(survey, count).versions.get()


def mine() -> MiningRun:
    """The run that a rehearsal waits for, once it has ended."""
    mine_rehearsals()
    return end_run(MiningRun.objects.get())


def page_address(survey: Survey, page: str = "") -> str:
    return f"/staff/studio/{survey.pk}/{f'rehearsal/{page}' if page else 'try/'}"


@pytest.mark.parametrize(
    ("people", "times", "apart"), [(3_000, 1, 0.25), pytest.param(800, 7, 0.7, marks=pytest.mark.long)]
)
def test_the_preregistration_promises_what_rehearsals_print(
    owner: User, client: Client, people: int, times: int, apart: float
) -> None:
    """Of ten questions that people may skip, on average: a yes, a no, and how far those who prefer not to say may move
    a yes. With 3 000 people, who send disguised answers, rehearsals differ by a twentieth. With 800, who send one word
    each, all questions of one share how far the cap makes intervals reach, and rehearsals differ by a quarter: the
    median of seven by an eighth.
    """
    survey = Survey.objects.create(slug="ten", title="Ten")
    history.begin(survey, empty("Ten", ["en"]) | {"protection": usual() | {"way": None}})
    give(survey, owner, Role.OWNER)
    by = Editor(owner, "tab-1", 10**6)
    lines = "\n".join(f"Have you ever done thing {letter}?" for letter in "abcdefghij")
    history.change(survey, by, {"do": "add", "type": "yesno", "lines": lines, "sensitive": True, "skip": "yes"})
    history.change(survey, by, {"do": "survey", "field": "expected", "value": people})
    for field in ("heading", "who", "why", "consent"):
        history.change(survey, by, {"do": "survey", "field": field, "language": "en", "value": field})
    said = client.get(f"/staff/studio/{survey.pk}/preregistration/?of=draft").content.decode()
    promised = re.findall(
        r"precision: ±([\d.]+) points for a yes.*?known to ±([\d.]+) points.*?may\s+lie ([\d.]+) points",
        said,
        re.DOTALL,
    )

    printed = np.median([_sides_in_a_rehearsal(survey, people) for _time in range(times)], axis=0)
    assert [float(one) for one in promised[0]] == pytest.approx((100 * printed).tolist(), rel=apart)


def _sides_in_a_rehearsal(survey: Survey, people: int) -> list[float]:
    """The longer sides of a yes and of a no, and from a yes to its second end; each on average over the questions."""
    data = report.data_of(rehearse(survey, people).versions.get())
    answers = report.part(data, "answers", lambda _action: True)
    assert answers is not None
    shown = [display for question, _figures in answers.context()["questions"] for display in question.displays]
    yes, no = ([row for display in shown for row in display.rows if row.label == name] for name in ("Yes", "No"))
    sides = [
        [max(one.all.value - max(one.all.low, 0), one.all.high - one.all.value) for one in own] for own in (yes, no)
    ]
    return [*map(np.mean, sides), np.mean([one.between.high - one.all.value for one in yes])]


# ---- the people -----------------------------------------------------------------------------------------------------


def test_people_say_yes_and_go_together_two_by_two() -> None:
    """Three in ten, φ = .3 for the first pair and the second one, nothing else: 4.5 standard errors, n = 200 000."""
    design = Design.parse({"candor": 1, "blocks": [{"keep": 0.3, "items": [{"id": x, "theta": 0.5} for x in "abcd"]}]})
    count = 200_000
    codes = simulate_people(design, count, np.random.default_rng(5))[0].astype(float)

    assert abs(codes.mean(0) - 0.3).max() < 4.5 * (0.21 / count) ** 0.5
    together = np.corrcoef(codes.T)
    assert abs(together - [[1, 0.3, 0, 0], [0.3, 1, 0, 0], [0, 0, 1, 0.3], [0, 0, 0.3, 1]]).max() < 4.5 / count**0.5


def test_the_page_says_which_way_a_wrong_guess_moves_figures(client: Client) -> None:
    """Of disguised answers no way; of a list of words down, the more rare answers there are."""
    survey = make_survey("wrong-guess", names=tuple("abcdef"), direct=False)
    client.force_login(somebody())
    said = []
    for kind, settings in (("coin", None), ("one-of", {"list_gamma": 19, "cap": 2, "longest": 1})):
        set_block(survey, kind=kind, **({"settings": settings} if settings else {}))
        said.append(client.get(f"/staff/studio/{survey.pk}/try/").content.decode())
    low = re.search(
        r"come out up to (\d+\.\d) points too low on average, instead of (\d+\.\d); if half as common, (\d+\.\d)",
        said[1],
    )

    assert "A wrong guess moves no figure to one side" in said[0]
    assert low is not None
    twice, usual, half = map(float, low.groups())
    assert twice > usual > half > 0


CHOICES: list[dict[str, Any]] = [
    {"id": "skips", "options": ["1", "0", "secret"], "noise": [0.4, 0.4, 0.2]},
    {"id": "age", "options": ["18-29", "30-49", "50+"], "noise": [0.4, 0.4, 0.2]},
]


def test_answers_with_more_options_go_together_as_well() -> None:
    """The yes of one with the first option of the other; each option stays as common as it was (n = 200 000)."""
    design = Design.parse({"candor": 1, "blocks": [{"keep": 0.3, "items": CHOICES}]})
    count = 200_000
    codes = simulate_people(design, count, np.random.default_rng(8))[0]

    assert abs(np.corrcoef((codes == 0).T)[0, 1] - 0.3) < 4.5 / count**0.5
    assert abs(np.bincount(codes[:, 1]) / count - 1 / 3).max() < 4.5 * (0.25 / count) ** 0.5


def test_those_whom_the_lot_draws_answer_directly() -> None:
    """All of them: two in five, within 4.5 standard errors at n = 10 000 (seed 7)."""
    design = Design.parse({"direct": True, "blocks": [{"keep": 0.3, "items": [{"id": "a", "theta": 0.5}]}]})
    direct = simulate_people(design, 10_000, np.random.default_rng(7), 0.4)[1]
    assert abs(direct.mean() - 0.4) < 4.5 * (0.24 / 10_000) ** 0.5


def test_options_steps_and_cells_are_equally_common_and_some_prefer_not_to_say() -> None:
    """Yes among those who say something stays three in ten (4.5 standard errors, n = 100 000, seed 6)."""
    number = {"number": "square-wave", "epsilon": 2, "items": [{"id": "drinks", "min": 5, "max": 9, "step": 1}]}
    place = {"place": "square", "epsilon": 2, "items": [{"id": "home", "width": 4, "height": 3, "cell": 1}]}
    design = Design.parse({"candor": 1, "blocks": [{"keep": 0.3, "items": CHOICES}, number, place]})
    count = 100_000
    codes = simulate_people(design, count, np.random.default_rng(6))[0]
    shares = [np.bincount(codes[:, 0], minlength=3) / count, np.bincount(codes[:, 1], minlength=3) / count]

    band = 4.5 * (0.25 / count) ** 0.5
    assert abs(shares[0] - [0.3 * (1 - SKIPS), 0.7 * (1 - SKIPS), SKIPS]).max() < band
    assert abs(shares[1] - 1 / 3).max() < band
    for column, cells in ((2, 5), (3, 12)):
        assert design.items[column].can_be_true(codes[:, column]).all()
        seen = np.unique(codes[:, column], return_counts=True)[1] / count
        assert len(seen) == cells
        assert abs(seen - 1 / cells).max() < band


def test_open_answers_fit_their_questions_and_conditions(draft: Survey) -> None:
    """As submissions must; what is asked only after an answer is not answered without it."""
    definition = {
        "age": {"type": "number", "min": 18, "max": 20},
        "study": {"type": "choice", "options": ["a", "b"]},
        "year": {"type": "choice", "options": ["1", "2"], "when": {"question": "study", "is": ["a"]}},
        "words": {"type": "text"},
        "share": {"type": "number", "min": 0.25, "max": 0.75},
        "pay": {"type": "number", "min": 1000.5},
        "born": {"type": "date", "max": "2008-12-31"},
        "sports": {"type": "several", "items": [{"id": value, "label": {"en": value}} for value in ("run", "swim")]},
    }
    questions: list[PublishedQuestion] = []
    for name, own in definition.items():
        entry: dict[str, Any] = {"id": name, "sensitive": False, "text": {"en": name}, **own}
        if "options" in own:
            entry["options"] = [{"value": value, "label": {"en": value}} for value in own["options"]]
        questions.append(read_question(entry, []))
    lines = [json.loads(line) for line in open_lines(questions, 300, np.random.default_rng(1))]

    assert {line["age"] for line in lines} == {18, 19, 20}
    assert {line["study"] for line in lines} == {"a", "b"}
    assert all(("year" in line) is (line["study"] == "a") for line in lines)
    assert all(line.keys() - {"year"} == {"age", "study", "share", "pay", "born", "sports"} for line in lines)
    assert all(
        0.25 <= line["share"] <= 0.75 and line["pay"] >= 1000.5 and line["born"] <= "2008-12-31" for line in lines
    )
    assert {tuple(line["sports"]) for line in lines} == {(), ("run",), ("swim",), ("run", "swim")}


# ---- the job --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BEGINNINGS)
def test_every_template_can_be_tried_before_it_is_finished(owner: User, name: str) -> None:
    """Without the name of who asks; the version of the simulated people is the only one."""
    survey = begin(owner, beginning(name, "X", "en"))
    version = rehearse(survey).versions.get()

    (snapshot,) = version.snapshots.all()
    assert (snapshot.respondents, version.parsed.is_simulated) == (400, True)
    assert survey.versions.count() == 0


def test_numbers_and_places_are_tried_too(owner: User) -> None:
    """There is nothing to mine then, and nothing waits for it."""
    survey = town_survey()
    give(survey, owner, Role.OWNER)
    rehearse(survey)
    mine_rehearsals()
    assert MiningRun.objects.count() == 0


def test_a_task_that_comes_twice_adds_nothing(draft: Survey) -> None:
    """Nor one for a rehearsal that is gone, or for a survey of people."""
    apart = rehearse(draft)
    before = list(Part.objects.values_list("sha256", flat=True))
    fill(apart.pk)
    fill(draft.pk)
    fill(10**6)
    assert list(Part.objects.values_list("sha256", flat=True)) == before


def test_a_worker_that_dies_half_way_leaves_nothing_and_the_duty_asks_again(
    draft: Survey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parts, their list and the note to remove traces come in one transaction."""
    apart = rehearsing.begin(draft, 400)
    with monkeypatch.context() as broken:
        broken.setattr(Residue.objects, "create", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            fill(apart.pk)
    assert (Snapshot.objects.count(), Part.objects.count()) == (0, 0)

    asked: list[int] = []
    monkeypatch.setattr(rehearsing, "hint", asked.append)
    start_due_rehearsals()
    fill(apart.pk)
    start_due_rehearsals()
    assert (asked, Snapshot.objects.count()) == ([apart.pk], 1)


def test_a_note_that_does_not_go_ends_the_turn(monkeypatch: pytest.MonkeyPatch, draft: Survey, owner: User) -> None:
    """A broker that hangs costs seconds for each note, in the process that seals; all wait for the next turn."""
    rehearsing.begin(draft, 400)
    rehearsing.begin(begin(owner, beginning("academic-integrity", "Honest again", "en")), 400)
    tried = refused_notes(monkeypatch)
    start_due_rehearsals()
    assert len(tried) == 1


def test_answers_are_mined_once_by_the_usual_way(draft: Survey) -> None:
    """The duty asks for one run, however often it looks, with thresholds that hide no link of the rare answers guessed.

    The child of a worker ends it.
    """
    rehearse(draft)
    mine_rehearsals()
    mine_rehearsals()
    run = MiningRun.objects.get()
    assert (run.state, run.min_support, run.min_confidence, run.max_length) == ("queued", 0.01, 0.27, 3)


def test_a_design_that_gives_answers_away_is_not_tried(draft: Survey, monkeypatch: pytest.MonkeyPatch) -> None:
    """It cannot be published either; the rehearsal before it is gone by then, and nothing new is there."""
    monkeypatch.setattr(CoinBlock, "leaks", True)
    survey = make_survey("weak")
    with pytest.raises(InputError, match=r"gives true answers away \(γ is infinite\)"):
        publish(survey)
    with pytest.raises(EntryError, match="cannot be used in a real survey"):
        rehearsing.begin(survey, 400)
    assert rehearsal(survey) is None


# ---- the truth beside the figures -----------------------------------------------------------------------------------


def with_open_question(owner: User) -> Survey:
    survey = make_survey("tables", names=("one", "two", "three"))
    add_question(survey, "group", required=True)
    give(survey, owner, Role.OWNER)
    return survey


def test_the_truth_is_that_of_the_people_who_sent_the_answers(owner: User) -> None:
    """In the order of the records and their undisguised answers: what is not replaced by noise is what was sent."""
    version = rehearse(with_open_question(owner), 4000).versions.get()
    data = reading.read_data(version.snapshots.get())
    assert data.simulation is not None
    truth, sent = data.simulation

    assert (sent == data.sealed.codes).all()
    kept = (truth == sent).mean(0)
    strangers = (np.random.default_rng(3).permutation(truth) == sent).mean(0)
    assert (kept > strangers + 0.1).all()


def test_every_figure_of_the_report_has_the_truth_beside_it(client: Client, owner: User) -> None:
    """Answers in a sentence and a table, tables of two questions, also by an undisguised one; a survey of people has
    none.
    """
    survey = with_open_question(owner)
    version = rehearse(survey, 4000).versions.get()
    data = reading.read_data(version.snapshots.get())
    assert data.simulation is not None
    true = data.simulation[0]
    base = f"/staff/studio/versions/{version.pk}/results/"
    report = client.get(base).content.decode()
    by_two = client.get(f"{base}table/", {"answer": "one", "by": "two"}).content.decode()
    by_group = client.get(f"{base}table/", {"answer": "one", "by": "group"}).content.decode()
    said_yes = np.array([answer["group"] == "1" for answer in data.answers or []])

    for column in range(3):
        assert f"Simulated truth: Yes {tenths(100 * true[:, column].mean())} %." in joined_again(report)
    for page, rows in ((by_two, true[:, 1] == 1), (by_group, said_yes & ~data.sealed.direct)):
        assert "simulated truth" in page
        assert f"{tenths(100 * true[rows, 0].mean())} %" in joined_again(page)


def joined_again(page: str) -> str:
    return page.replace("\u00a0", " ")


def test_a_report_on_people_says_nothing_of_a_truth(owner: User) -> None:
    """Nobody knows it."""
    survey = make_survey("real", names=("one", "two"))
    version = publish(survey)
    append(version, pack(disguise(version.design, np.ones((400, 2), np.uint8), np.zeros(400, bool))), [b""] * 400)
    assert reading.read_data(version.snapshots.get()).simulation is None


def test_rules_stand_beside_the_truth_and_links_beside_their_forecast(client: Client, owner: User) -> None:
    """Each rule of the report, each rule and itemset of the run; how many links are true, found, and expected."""
    version = rehearse_unskipped(owner, 20_000, guess="half")
    run = mine()
    report = client.get(f"/staff/studio/versions/{version.pk}/results/").content.decode()
    page = client.get(run.get_absolute_url())

    told = re.findall(r'<div class="in-words">\n<p>(.*?)</p>', report)
    assert told
    assert all("In truth " in sentence for sentence in told)
    said = re.search(
        r"Simulated truth: 5 links between two answers are true. This report finds (\d) of them, and (\d+) "
        r"that are not true. The forecast for 20\u202f000 people is 5.0 of 5.",
        report,
    )
    assert said is not None
    assert int(said[1]) >= 4
    assert said[0] in page.content.decode()
    assert "truth" in {heading.label for heading in page.context["itemset_headings"]}


def test_a_rehearsal_from_before_the_truth_was_kept_says_nothing_of_it(client: Client, owner: User) -> None:
    """Its people were others: all their answers went together."""
    version = rehearse(with_open_question(owner)).versions.get()
    DemoTruth.objects.all().delete()
    run = mine()
    report = client.get(f"/staff/studio/versions/{version.pk}/results/").content.decode()
    assert "imulated truth" not in report + client.get(run.get_absolute_url()).content.decode()


# ---- apart from what is real ----------------------------------------------------------------------------------------


def test_nothing_of_it_is_on_the_public_site(client: Client, draft: Survey) -> None:
    """No questionnaire, no poster, no statement, no receipts, not on the front page; nobody can answer it."""
    version = rehearse(draft).versions.get()
    slug = version.survey.slug
    for path in ("questionnaire", "poster/", "statement", "statement/0", "receipts/" + "0" * 64):
        assert client.get(f"/s/{slug}/{path}").status_code == 404, path
    for path in ("responses", "invitations"):
        sent = client.post(f"/s/{slug}/{path}", "{}", content_type="application/json")
        assert sent.status_code in (400, 404, 422), path
    assert slug not in client.get("/").content.decode()
    assert SurveyVersion.objects.filter(pk=version.pk, inbox=None).exists()


def test_a_stranger_cannot_answer_it(survey: Survey, client: Client, owner: User) -> None:
    """A response that fits it is refused as for a survey that is not there, also before the simulated people came."""
    give(survey, owner, Role.OWNER)
    apart = rehearsing.begin(survey, 100)
    version = apart.versions.get()
    early = send(Client(), apart.slug, submission(version))
    fill(apart.pk)
    late = send(Client(), apart.slug, submission(version))
    seal_all()
    assert [(sent.status_code, sent.json().get("error")) for sent in (early, late)] == [(404, "unknown")] * 2
    assert [each.respondents for each in version.snapshots.all()] == [100]
    assert (Inbox.objects.count(), Submission.objects.count()) == (0, 0)


def test_lists_do_not_know_it(client: Client, draft: Survey) -> None:
    """Nor the studio, or those who could mine."""
    apart = rehearse(draft)
    root = somebody()
    client.force_login(root)
    assert list(surveys_of(root, Action.SEE)) == [draft]
    for address in ("/staff/studio/", "/staff/runs/"):
        assert "(simulated)" not in client.get(address).content.decode()
    assert client.get(f"/staff/studio/{apart.pk}/").status_code == 404


def test_it_is_counted_nowhere_and_publishes_nothing(draft: Survey) -> None:
    """The draft stays a draft, word for word; a version that is published later begins with none."""
    before = read_document(draft)
    rehearse(draft)
    draft.refresh_from_db()
    assert read_document(draft) == before
    write(draft, who={"en": "We", "zh-hans": "我们"})
    publish(draft)
    assert (count_received(draft), draft.versions.get().snapshots.count()) == (0, 0)


def test_its_report_says_that_it_is_simulated(client: Client, owner: User) -> None:
    """Report, files and the name of the survey; it cannot be shared."""
    draft = with_open_question(owner)
    version = rehearse(draft).versions.get()
    report = client.get(f"/staff/studio/versions/{version.pk}/results/").content.decode()
    assert "The answers of this survey are simulated." in report
    assert "Tables (simulated)" in report
    assert f'href="{page_address(draft)}"' in report
    shared = client.post(f"/staff/studio/versions/{version.pk}/results/share/", {"label": "x", "days": 9})
    assert "their report has no link for others" in shared.content.decode()
    assert client.get(f"/staff/studio/versions/{version.pk}/")["Location"] == page_address(draft)


@pytest.mark.parametrize("role", first(1, Role.values))
def test_it_has_the_people_of_its_survey(draft: Survey, role: str) -> None:
    """Each by their role there; a stranger has none here either."""
    apart, user, stranger = rehearse(draft), *(User.objects.create(username=name, is_staff=True) for name in "us")
    give(draft, user, role)
    assert [may(user, action, apart) for action in Action] == [may(user, action, draft) for action in Action]
    assert not any(may(stranger, action, apart) for action in Action)


def test_it_is_thrown_away_whole_with_its_run(draft: Survey) -> None:
    """Another survey stays; so does the draft."""
    before = {model: model.objects.count() for model in (Survey, SurveyVersion, Snapshot, Part, MiningRun)}
    rehearse(draft)
    mine_rehearsals()
    throw_away(draft)
    assert {model: model.objects.count() for model in before} == before


def test_trying_again_replaces_the_people_before(draft: Survey) -> None:
    """There is one rehearsal of a survey at a time, and it is of the draft as it is now."""
    rehearse(draft)
    write(draft, heading={"en": "Newer", "zh-hans": "新"})
    apart = rehearse(draft, 500)
    assert list(draft.rehearsals.all()) == [apart]
    assert apart.versions.get().parsed.source["title"]["en"] == "Newer"


def test_erasing_a_survey_erases_its_rehearsal(draft: Survey) -> None:
    """And a run of it bars nobody's way."""
    rehearse(draft)
    mine_rehearsals()
    erase(draft)
    assert (Survey.objects.count(), MiningRun.objects.count()) == (0, 0)


# ---- the page -------------------------------------------------------------------------------------------------------


def test_the_page_goes_from_asking_to_the_report(client: Client, owner: User, draft: Survey) -> None:
    """It says what is being done, as the look of its script does, until the run has ended."""
    client.post(page_address(draft, "start/"), {"respondents": 400})
    apart = draft.rehearsals.get()
    assert "Simulated people are answering." in client.get(page_address(draft)).content.decode()
    fill(apart.pk)
    assert client.get(page_address(draft, "progress/")).json()["doing"] == "A search begins in a moment."
    mine_rehearsals()
    assert client.get(page_address(draft, "progress/")).json()["open"] is True
    MiningRun.objects.update(state="done")
    assert client.get(page_address(draft, "progress/")).json() == {
        "open": False,
        "doing": "",
        "share": 1.0,
        "state": "",
        "counted": "",
    }
    report = f"/staff/studio/versions/{apart.versions.get().pk}/results/"
    assert f'href="{report}"' in client.get(page_address(draft)).content.decode()
    client.post(page_address(draft, "discard/"))
    assert rehearsal(draft) is None


@pytest.mark.parametrize("count", first(1, ["", "many", 19, 20_001]))
def test_a_wrong_number_of_people_is_refused(client: Client, owner: User, draft: Survey, count: Any) -> None:
    """At its field; nothing begins."""
    answer = client.post(page_address(draft, "start/"), {"respondents": count})
    rule = "How many people: write a whole number from 20 to 20 000."
    assert (answer.status_code, answer.content.decode().count(rule)) == (422, 1)
    assert rehearsal(draft) is None


def test_the_report_of_a_class_is_tried_as_it_will_be(owner: User) -> None:
    """A survey that reports on 20 people is tried with as many."""
    survey = make_survey(least=20, expected=30, direct=False)

    apart = rehearsing.begin(survey, 30)

    assert apart.least == 20
    fill(apart.pk)
    assert report.data_of(apart.versions.get()).n == 30


def test_a_draft_with_nothing_to_disguise_is_refused(client: Client, owner: User) -> None:
    """With the sentence that says why."""
    survey = make_survey("empty", names=())
    give(survey, owner, Role.OWNER)
    answer = client.post(page_address(survey, "start/"), {"respondents": 400})
    assert (answer.status_code, "No question is disguised" in answer.content.decode()) == (422, True)


@pytest.mark.long
def test_the_page_asks_as_often_for_many_answers_as_for_few(client: Client, owner: User, draft: Survey) -> None:
    """However many questions and people there are."""
    queries = partial(count_queries, lambda: client.get(page_address(draft)))
    rehearse(draft, 100)
    queries()  # what a process reads once
    few = queries()
    rehearse(draft, 1000)
    assert queries() == few


@pytest.mark.long
@on_a_phone
def test_the_page_is_accessible(walk: Walk) -> None:
    """Before, while it is answered, and afterwards."""
    survey = begin(walk.user, beginning("academic-integrity", "Honest", "en"))
    for step in (lambda: None, lambda: rehearsing.begin(survey, 400), lambda: fill(survey.rehearsals.get().pk)):
        step()
        walk.look(page_address(survey))


def test_the_report_counts_how_many_bars_hold_the_truth(client: Client, draft: Survey) -> None:
    """Each bar with its diamond; in the dark bar, or in the light one alone. And how many true links are found."""
    version = rehearse(draft, 1000).versions.get()
    page = client.get(f"/staff/studio/versions/{version.pk}/results/").content.decode()
    drawn = report.part(report.data_of(version), "answers", lambda _action: True)
    assert drawn is not None
    known = [one for one in drawn.context()["scale"] if one.truth is not None]
    held, more = sum(one.is_held for one in known), sum(one.is_held_at_most for one in known)

    said = re.search(r"(\d+) of (\d+) lie in the dark bar(?:, (\d+) in the light one alone)?\.", page)
    assert said is not None
    assert [int(one or 0) for one in said.groups()] == [held, len(known), more]
    assert len(known) == 10
    assert page.count('class="truth"') == len(known) + 2 * page.count('class="duo"')  # a link found has two bars
    assert held >= 5  # 19 of 20 each: fewer of them once in 300 000 rehearsals
    links = re.search(r"5 links are true\. The report finds \d of them, and (\d) that are not true\.", page)
    assert links is not None
    assert int(links[1]) <= 3  # any at all in 5 of 100 rehearsals
