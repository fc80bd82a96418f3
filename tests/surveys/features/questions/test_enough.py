"""Enough people of a group: counted where responses are sealed, said to everybody alike, and no number is shown."""

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone

from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.drafts import history
from surveys.domain.drafts.history import Editor
from surveys.domain.exchange.xlsform.write import list_losses
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.document import Draft, read_document
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import groups
from surveys.domain.responses.seal import append
from surveys.models import GroupCount, Survey, SurveyVersion
from surveys.results.reading import read_data
from tests.surveys.making import add_question, find_in, make_survey, set_question, words
from tests.surveys.staff import somebody

FACULTY = (("law", "Law"), ("arts", "Arts"))


def with_groups(enough: dict[str, int], **fields: Any) -> Survey:
    survey = make_survey(**fields)
    add_question(survey, "faculty", type="choice", page=0, options=FACULTY, enough=enough)
    return survey


def seal_some(version: SurveyVersion, faculties: list[str | None]) -> None:
    truth = np.zeros((len(faculties), len(version.design.items)), np.uint8)
    records = disguise(version.design, truth, np.zeros(len(faculties), bool), words_from_seed(1))
    lines = [json.dumps({"faculty": each} if each else {}).encode() for each in faculties]
    append(version, pack(records), lines)


def full(version: SurveyVersion) -> Any:
    answer = Client().get(f"/s/{version.survey.slug}/groups")
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
    return answer.json()


@pytest.fixture
def more(monkeypatch: pytest.MonkeyPatch) -> dict[int, list[int]]:
    """The next numbers that are drawn below a bound; nobody more where none is left."""
    more: dict[int, list[int]] = {}
    monkeypatch.setattr(groups.secrets, "randbelow", lambda most: more[most].pop() if more.get(most) else 0)
    return more


def test_a_group_is_full_once_enough_are_sealed(more: Any) -> None:
    """Batch after batch; others of the question stay open, and so do people who gave no answer."""
    version = publish(with_groups({"law": 30}))
    assert full(version) == {}
    seal_some(version, ["law"] * 29 + ["arts"] * 60 + [None] * 20)
    assert full(version) == {}
    seal_some(version, ["arts"] * 19 + ["law"])
    assert full(version) == {"faculty": ["law"]}


@pytest.mark.parametrize(("drawn", "sealed", "is_full"), [(0, 30, True), (19, 48, False), (19, 49, True)])
def test_up_to_twenty_more_are_counted_and_nobody_knows_how_many(
    more: dict[int, list[int]], drawn: int, sealed: int, is_full: bool
) -> None:
    """The number is drawn once: later draws change nothing."""
    more[20] = [drawn]
    version = publish(with_groups({"law": 30}))
    seal_some(version, ["law"] * 25)
    seal_some(version, ["law"] * (sealed - 25))
    assert (full(version), more) == ({"faculty": ["law"]} if is_full else {}, {20: []})


def test_a_new_version_begins_to_count_again(more: Any) -> None:
    survey = with_groups({"law": 20})
    seal_some(publish(survey), ["law"] * 20)
    set_question(survey, "drugs", help=words("Of any kind."))
    assert full(publish(survey)) == {}


def test_no_page_of_staff_shows_a_number(client: Client, more: Any) -> None:
    """*Field* says which answers are full, as everybody can ask, and what was published."""
    version = publish(with_groups({"law": 30, "arts": 40}))
    seal_some(version, ["law"] * 37 + ["arts"] * 33)
    client.force_login(somebody())
    page = client.get(f"/staff/studio/{version.survey_id}/fieldwork/").content.decode()
    states = re.findall(r'<li( class="past")?>No more people with faculty: (\w+)<span class="when">([^<]*)', page)
    assert states == [("", "arts", "from about 40 on"), (' class="past"', "law", "from about 30 on")]
    said = re.sub(r"<[^>]*>", " ", page.partition("<main")[2])
    assert re.findall(r"\b(?:33|37|70)\b", said) == []
    assert GroupCount.objects.get(answer="arts").people == 33


@pytest.mark.parametrize(("few", "shown"), [(0, {"law", "…, –"}), (1, {"law", "…, –"}), (19, {"…, –"})])
def test_a_full_group_does_not_tell_of_the_few_who_answered_directly(few: int, shown: set[str], more: Any) -> None:
    """50 disguised people study law: beside that number, a group that is full with 60 would tell of ten direct ones."""
    version = publish(with_groups({"law": 60}, least=20))
    direct = np.arange(180) >= 150
    records = Records(version.design, np.zeros((180, len(version.design.items)), np.uint8), direct)
    faculties = ["law"] * 50 + ["arts"] * 100 + ["law"] * few + ["arts"] * (30 - few)
    append(version, pack(records), [b'{"faculty": "%s"}' % one.encode() for one in faculties])
    Survey.objects.update(closed_at=timezone.now())

    answers = read_data(version.snapshots.get()).answers

    assert answers is not None
    assert {*answers.column("faculty").different} == shown


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ({"enough": {"law": 19}}, "a group has enough people with 20 to 10000000, not with “19”."),
        ({"enough": {"law": "40"}}, "a group has enough people with 20 to 10000000, not with “40”."),
        ({"enough": {"physics": 40}}, "there is no answer “physics” that could end the visit."),
        ({"enough": ["law"]}, "only people who choose one option are counted, of 20 options at most."),
        ({"enough": {"law": 40}, "type": "text"}, "only people who choose one option are counted"),
        ({"enough": {"law": 40}, "parameter": "faculty"}, "what comes from the address is neither required"),
        ({"enough": {"law": 40}, "chances": [2**31, 2**31]}, "what the device draws is undisguised"),
    ],
)  # fmt: skip
def test_what_cannot_be_counted_is_refused(question: dict[str, Any], why: str) -> None:
    source = publish(with_groups({})).parsed.source
    (asked,) = (one for page in source["pages"] for one in page["questions"] if one["id"] == "faculty")
    broken = json.loads(json.dumps(source))
    for page in broken["pages"]:
        page["questions"] = [{**one, **question} if one["id"] == "faculty" else one for one in page["questions"]]
    assert "enough" not in asked
    with pytest.raises(InputError, match=re.escape(why)):
        SurveyVersion.objects.get().parsed.parse(broken)


def test_a_sensitive_answer_is_never_counted() -> None:
    """Who is sent away is seen to go."""
    source = publish(with_groups({})).parsed.source
    source["pages"][1]["questions"][0]["enough"] = {"1": 40}
    with pytest.raises(InputError, match="a sensitive answer cannot end the visit"):
        SurveyVersion.objects.get().parsed.parse(source)


def test_a_closed_survey_says_no_more_which_groups_are_full(more: Any) -> None:
    """What is sealed last has nobody who stays back."""
    version = publish(with_groups({"law": 20}))
    seal_some(version, ["law"] * 20)
    close(version.survey)
    assert Client().get("/s/study/groups").status_code == 410


def test_an_option_that_goes_takes_its_number_along() -> None:
    """Else it could not be published, and no field would show why."""
    survey = with_groups({"law": 40, "arts": 60})
    set_question(survey, "faculty", out=["law"])
    said = {"do": "rows", "question": "faculty", "group": "options", "language": "en", "lines": "Arts\nMusic\nDance"}
    history.change(survey, Editor(somebody(), "", 2**31 - 1), said)
    changed = find_in(read_document(survey), "faculty")
    assert (changed["enough"], changed["out"]) == ({"arts": 60}, [])


def test_how_many_are_enough_is_written_beside_the_question() -> None:
    """A number for each answer; an empty field takes it away, and so does another type or a disguise."""
    survey, ann = with_groups({}), Editor(somebody(), "", 2**31 - 1)

    def change(**said: Any) -> Any:
        history.change(survey, ann, {"question": "faculty", **said})
        return find_in(read_document(survey), "faculty")["enough"]

    assert change(do="enough", answer="law", value=" 40 ") == {"law": 40}
    assert change(do="enough", answer="arts", value="60") == {"law": 40, "arts": 60}
    assert change(do="enough", answer="law", value="") == {"arts": 60}
    for wrong in ("many", "19", "2.5", "1e9", "٤٠", "9" * 5000):
        with pytest.raises(InputError, match=f"with 20 to 10000000, not with “{wrong[:20]}”"):
            change(do="enough", answer="law", value=wrong)
    assert change(do="sensitive", value=True) == {}
    change(do="sensitive", value=False)
    change(do="enough", answer="law", value="40")
    assert change(do="type", value="text") == {}


@pytest.mark.parametrize("count", [1, 3])
def test_asking_which_groups_are_full_costs_the_same(
    count: int, more: Any, django_assert_num_queries: Callable[..., Any]
) -> None:
    options = tuple((f"f{place}", f"F{place}") for place in range(4))
    survey = make_survey()
    enough = {f"f{place}": 20 for place in range(count)}
    add_question(survey, "faculty", type="choice", page=0, options=options, enough=enough)
    version = publish(survey)
    seal_some(version, [f"f{place}" for place in range(count)] * 20)
    full(version)
    with django_assert_num_queries(2):
        assert full(version) == {"faculty": [f"f{place}" for place in range(count)]}


@pytest.mark.parametrize("required", [True, False])
def test_who_sends_people_away_should_be_required(client: Client, required: bool) -> None:
    """Else who leaves it out is never sent away; it is worth a second look."""
    survey = with_groups({"law": 30})
    set_question(survey, "faculty", required=required)
    client.force_login(somebody())
    page = client.get(f"/staff/studio/{survey.pk}/publish/").content.decode()
    assert ("sends people away, but may be left out" in page) is not required


@pytest.mark.parametrize(("page", "late"), [(1, True), (2, True), (0, False)])
def test_a_question_sends_people_away_only_before_disguised_ones(client: Client, page: int, late: bool) -> None:
    """Else people have answered what is sensitive for nothing; it is not published. Disguised ones are on page 1."""
    survey = make_survey()
    add_question(survey, "faculty", type="choice", page=page, options=FACULTY, enough={"law": 30}, required=True)
    client.force_login(somebody())
    shown = client.get(f"/staff/studio/{survey.pk}/publish/").content.decode()
    asked = next(one.words for one in Draft.load(survey).questions if one.id == "faculty")
    assert (f"“{asked}”: It sends people away who have answered disguised questions by then" in shown) is late
    if late:
        with pytest.raises(InputError, match="put it on a page before them"):
            publish(survey)
    assert SurveyVersion.objects.exists() is False


def test_a_spreadsheet_says_that_it_does_not_carry_them() -> None:
    notes = list_losses(read_document(with_groups({"law": 30})))
    assert [note.sentence for note in notes if "enough" in note.sentence] == [
        "how many people with an answer are enough"
    ]
