"""Named changes of a draft: what they make of it, who sees a conflict, and what may be taken back."""

import json
import re
from dataclasses import asdict, replace
from typing import Any

import pytest
from django.contrib.auth.models import User

from privacy.errors import EntryError, InputError
from privacy.location.outline import read_outline
from privacy.output import format_count as whole_number
from privacy.plan.connections import roughly
from surveys.domain.drafts import history
from surveys.domain.drafts.history import ConflictError, Editor, join_parts, parts
from surveys.domain.drafts.protect import usual
from surveys.domain.questionnaire.check import missing, refusals
from surveys.domain.questionnaire.compose import compose_design, page_entries
from surveys.domain.questionnaire.document import Draft, empty, questions, read_document, sensitive
from surveys.domain.questionnaire.forecast import forecast_draft
from surveys.domain.questionnaire.publish import publish
from surveys.features.questions.no_skip import is_unskipped
from surveys.models import DraftChange, Survey
from surveys.studio.alternatives import price_of_skipping
from surveys.studio.history import name_parts, offers
from tests.cases import every, first
from tests.surveys.making import make_survey

TEN = "\n".join(f"Have you ever done thing {letter}?" for letter in "abcdefghij")
TEXT = {"do": "question", "question": "one", "field": "text", "language": "en"}
UNSTORED = "^this contains a letter or a number that cannot be stored.$"
QUESTIONS = "Have you ever copied in an exam?\nHave you paid for an essay?\nHave you used drugs?"


@pytest.fixture
def survey() -> Survey:
    survey = Survey.objects.create(slug="new", title="New")
    history.begin(survey, empty("New", ["en", "zh-hans"]) | {"protection": usual() | {"way": None}})
    return survey


@pytest.fixture
def ann() -> Editor:
    return Editor(User.objects.create(username="ann"), "tab-1", 0)


def do(survey: Survey, by: Editor, name: str, **said: Any) -> history.Changed:
    return history.change(survey, by, {"do": name, **said})


def names(survey: Survey) -> list[list[str]]:
    return [[question["id"] for question in page["questions"]] for page in read_document(survey)["pages"]]


def test_pasted_lines_become_questions_with_names_of_their_own(survey: Survey, ann: Editor) -> None:
    """Each line is a question; sensitive ones stand in a block that is proposed for all of them."""
    do(survey, ann, "add", type="yesno", lines=QUESTIONS, sensitive=True)

    assert names(survey) == [["copied-exam", "paid-essay", "used-drugs"]]
    assert sensitive(read_document(survey)) == {"copied-exam", "paid-essay", "used-drugs"}
    (block,) = read_document(survey)["blocks"]
    assert set(block["questions"]) == {"copied-exam", "paid-essay", "used-drugs"}


def test_what_the_studio_wrote_can_be_published(survey: Survey, ann: Editor) -> None:
    """Ten sensitive yes/no questions, one choice and one text keep the promise of the site without another word."""
    for field in ("heading", "who", "why", "consent"):
        for tag in ("en", "zh-hans"):
            do(survey, ann, "survey", field=field, language=tag, value=field)
    do(survey, ann, "add", type="yesno", lines="\n".join(f"Number {n} at work?" for n in range(10)), sensitive=True)
    do(survey, ann, "add", type="choice", lines="How old are you?", rows="18-29\n30-49\n50+", sensitive=True)
    do(survey, ann, "add", type="text", lines="What else?")
    for question in questions(read_document(survey)):
        do(survey, ann, "question", question=question["id"], field="text", language="zh-hans", value="问")
        for group in ("options",) if question["type"] == "choice" else ():
            do(survey, ann, "rows", question=question["id"], group=group, language="zh-hans", lines="一\n二\n三")

    assert missing(Draft.load(survey)) == []
    assert publish(survey).design.odds <= 19


def condition(survey: Survey) -> Any:
    return list(questions(read_document(survey)))[-1]["when"]


def test_a_condition_is_put_together_from_answers(survey: Survey, ann: Editor) -> None:
    """It begins with the first answer of a question; “and” and “or” add parts; what goes leaves the rest."""
    do(survey, ann, "add", type="choice", lines="How old?", rows="Young\nMiddle\nOld")
    do(survey, ann, "add", type="yesno", lines="Job?\nCar?\nWhy?")
    asked = list(questions(read_document(survey)))
    (old, job, car, why), (young, middle, _old) = (
        [one["id"] for one in asked],
        [option["value"] for option in asked[0]["options"]],
    )
    said = {"question": why}
    do(survey, ann, "when", value=old, **said)
    assert condition(survey) == {"question": old, "is": [young]}
    do(survey, ann, "tick", answer=middle, value=True, **said)
    do(survey, ann, "and-or", join="any", **said)
    do(survey, ann, "when", at=[1], value=job, **said)
    do(survey, ann, "and-or", at=[1], join="all", **said)
    do(survey, ann, "when", at=[1, 1], value=car, **said)
    aged = {"question": old, "is": [young, middle]}
    works, drives = ({"question": name, "is": ["0"]} for name in (job, car))
    assert condition(survey) == {"any": [aged, {"all": [works, drives]}]}

    do(survey, ann, "name", question=car, value="auto")
    assert condition(survey)["any"][1]["all"][1] == {"question": "auto", "is": ["0"]}
    do(survey, ann, "tick", at=[1, 1], answer="0", value=False, **said)
    assert condition(survey) == {"any": [aged, works]}
    do(survey, ann, "and-or", at=[0], join="all", **said)
    assert condition(survey) == {"any": [{"all": [aged, aged]}, works]}
    do(survey, ann, "delete", question=old)
    assert condition(survey) == works
    do(survey, ann, "when", value="", **said)
    assert condition(survey) is None


@pytest.mark.parametrize(
    "said",
    [
        {"do": "and-or", "join": "xor"},
        {"do": "tick", "at": [3], "answer": "1", "value": True},
        {"do": "when", "value": "no"},
    ],
)
def test_what_makes_no_condition_changes_nothing(survey: Survey, ann: Editor, said: dict[str, Any]) -> None:
    do(survey, ann, "add", type="yesno", lines="Job?\nWhy?")
    (job, why) = (question["id"] for question in questions(read_document(survey)))
    do(survey, ann, "when", question=why, value=job)
    with pytest.raises(EntryError):
        history.change(survey, ann, {"question": why, **said})
    assert condition(survey) == {"question": job, "is": ["0"]}


def test_two_people_who_change_different_questions_keep_both(survey: Survey, ann: Editor) -> None:
    """The later change is made on what the earlier one left."""
    first = do(survey, ann, "add", type="yesno", lines=QUESTIONS)
    ann = Editor(ann.user, ann.tab, first.number)
    ben = Editor(User.objects.create(username="ben"), "tab-2", first.number)
    do(survey, ann, "question", question="paid-essay", field="text", language="en", value="Ann's?")

    merged = do(survey, ben, "question", question="used-drugs", field="text", language="en", value="Ben's?")

    assert [question["text"]["en"] for question in questions(merged.document)][1:] == ["Ann's?", "Ben's?"]


def test_two_people_who_change_the_same_question_are_told(survey: Survey, ann: Editor) -> None:
    """The second is refused, with who was first; what the first wrote stands."""
    first = do(survey, ann, "add", type="yesno", lines=QUESTIONS)
    ben = Editor(User.objects.create(username="ben"), "tab-2", first.number)
    do(survey, ann, "question", question="used-drugs", field="text", language="en", value="Ann's?")

    with pytest.raises(ConflictError, match="ann has changed this in the meantime") as refused:
        do(survey, ben, "question", question="used-drugs", field="text", language="en", value="Ben's?")

    assert refused.value.parts == ["question.used-drugs"]
    assert list(questions(read_document(survey)))[2]["text"] == {"en": "Ann's?"}


def test_two_tabs_of_one_person_are_two_editors(survey: Survey, ann: Editor) -> None:
    """A tab that was forgotten overwrites nothing."""
    first = do(survey, ann, "add", type="yesno", lines="One?")
    do(survey, ann, "question", question="one", field="text", language="en", value="New?")

    with pytest.raises(ConflictError):
        history.change(survey, Editor(ann.user, "tab-2", first.number), {**TEXT, "value": "Old?"})


def test_undo_and_redo_go_through_all_changes(survey: Survey, ann: Editor) -> None:
    """Each undo takes one change back, each redo makes it again; a new change ends what could be redone."""
    seen = [read_document(survey)]
    do(survey, ann, "add", type="yesno", lines=QUESTIONS, sensitive=True)
    seen.append(read_document(survey))
    do(survey, ann, "move", question="used-drugs", to="up")
    seen.append(read_document(survey))
    do(survey, ann, "delete", question="paid-essay")
    seen.append(read_document(survey))

    for expected in reversed(seen[:-1]):
        assert history.undo(survey, ann).document == expected == read_document(survey)
    with pytest.raises(EntryError, match="nothing to undo"):
        history.undo(survey, ann)
    for expected in seen[1:]:
        assert history.redo(survey, ann).document == expected == read_document(survey)
    history.undo(survey, ann)
    do(survey, ann, "survey", field="title", value="Other")
    with pytest.raises(EntryError, match="nothing to redo"):
        history.redo(survey, ann)


def test_a_page_takes_back_what_was_changed_on_it_and_says_what_that_is(survey: Survey, ann: Editor) -> None:
    """Changes of forms, and those of versions that noted no page, belong to the writing page."""
    protect = replace(ann, tab="tab-2", step="protect")
    do(survey, ann, "add", type="yesno", lines="One?\nTwo?\nThree?")
    do(survey, ann, "question", question="one", field="text", language="en", value="First?")
    do(survey, protect, "survey", field="expected", value=4000)
    said = [offers(survey, ann.user, step) for step in ("write", "protect")]
    DraftChange.objects.filter(step="write").update(step="")

    undone = history.undo(survey, ann).document
    assert said == [
        {"undo": "question changed: “First?”", "redo": ""},
        {"undo": "survey changed: expected people", "redo": ""},
    ]
    assert (next(question["text"]["en"] for question in questions(undone)), undone["expected"]) == ("One?", 4000)
    assert offers(survey, ann.user, "write") == {
        "undo": "questions added: “One?”, “Two?” …",
        "redo": "question changed: “One?”",
    }
    assert history.undo(survey, protect).document["expected"] == 1000
    with pytest.raises(EntryError, match="nothing to undo"):
        history.undo(survey, protect)


def test_no_part_of_a_draft_is_called_by_its_key(survey: Survey, ann: Editor) -> None:
    """Where two people changed it; a question is called by its words, and by its short name once it is deleted."""
    do(survey, ann, "add", type="yesno", lines="One?")
    keys = [*parts(read_document(survey)), history.SLUG, "question.gone"]
    named = dict(zip(keys, name_parts(survey, keys), strict=True))

    own = {"consent", "interviews", "languages", "protection"}  # their words are these
    assert [key for key in keys if named[key] in {key, key.removeprefix("survey.")} - own] == []
    assert {key: named[key] for key in ("survey.closing", "question.one", "question.gone", "survey.slug")} == {
        "survey.closing": "thanks after sending",
        "question.one": "“One?”",
        "question.gone": "gone",
        "survey.slug": "address of the survey",
    }


def test_a_change_that_was_noted_in_an_earlier_format_is_undone(survey: Survey, ann: Editor) -> None:
    """The history stays as it was written, under the names that fields had then."""
    do(survey, ann, "add", type="number", lines="How old?")
    before = read_document(survey)
    (name,) = (question["id"] for question in questions(before))
    do(survey, ann, "question", question=name, field="max", value="99")
    row = survey.draft_changes.last()
    assert row is not None
    for part in row.parts[f"question.{name}"]:
        part["name"], part["minimum"], part["maximum"] = part.pop("id"), part.pop("min"), part.pop("max")
    row.save()
    assert history.undo(survey, ann).document == before


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"survey.waves": ["two", None]}, "This change was of something that surveys no longer have"),
        ({"protection": [{"epsilon": 1}, None]}, "protection.epsilon: Candor counts no answers with noise any more"),
        ({"blocks": [[{"name": "b", "kind": "coin-arms", "settings": {}, "questions": []}], None]}, "no such kind"),
    ],
)
def test_a_change_of_what_candor_no_longer_has_is_not_taken_back(
    survey: Survey, ann: Editor, parts: dict[str, Any], sentence: str
) -> None:
    """One sentence says so, and the draft stays as it is."""
    do(survey, ann, "survey", field="expected", value="900")
    before = read_document(survey)
    row = survey.draft_changes.last()
    assert row is not None
    row.parts = {part: [old, before.get(part)] for part, (old, _new) in parts.items()}
    row.save()

    with pytest.raises(EntryError, match=sentence):
        history.undo(survey, ann)

    assert read_document(survey) == before


def test_nobody_undoes_what_another_has_changed_since(survey: Survey, ann: Editor) -> None:
    """The undo is refused, and both changes stand."""
    do(survey, ann, "add", type="yesno", lines="One?")
    do(survey, ann, "question", question="one", field="text", language="en", value="Ann's?")
    ben = Editor(User.objects.create(username="ben"), "tab-2", 99)
    do(survey, ben, "question", question="one", field="text", language="en", value="Ben's?")

    with pytest.raises(ConflictError):
        history.undo(survey, ann)

    assert next(questions(read_document(survey)))["text"] == {"en": "Ben's?"}


def test_letters_typed_into_one_text_are_one_change(survey: Survey, ann: Editor) -> None:
    """Undo takes back the sentence, not its last letters."""
    for text in ("C", "Co", "Cop"):
        do(survey, ann, "survey", field="heading", language="en", value=text)

    assert DraftChange.objects.count() == 1
    assert history.undo(survey, ann).document["heading"] == {}


def test_a_page_has_an_order_by_chance_until_it_is_taken_back(survey: Survey, ann: Editor) -> None:
    """Its questions, and its place among the pages that move; each is published only where it was chosen."""
    do(survey, ann, "add", type="text", lines="One\nTwo")
    for field in ("shuffle", "moves"):
        do(survey, ann, "page-order", question="one", field=field, value=True)
    chosen = page_entries(Draft.load(survey), ["en"])[0]
    for field in ("shuffle", "moves"):
        do(survey, ann, "page-order", question="one", field=field, value=False)

    assert (chosen["shuffle"], chosen["moves"]) == (True, True)
    assert page_entries(Draft.load(survey), ["en"])[0].keys() == {"questions"}
    with pytest.raises(InputError):
        do(survey, ann, "page-order", question="one", field="title", value=True)


@pytest.mark.parametrize(("kind", "rows"), [("choice", "options"), ("several", "items"), ("ranking", "items")])
def test_an_option_stays_after_the_others_until_it_may_move(survey: Survey, ann: Editor, kind: str, rows: str) -> None:
    """Where the order of options is drawn, and in what is published of it; no other option is touched."""
    do(survey, ann, "add", type=kind, lines="Which?", rows="One\nOther\nThree")
    do(survey, ann, "sensitive", question="which", value=False)
    do(survey, ann, "question", question="which", field="shuffle", value=True)

    published = []
    for value in (True, False):
        do(survey, ann, "stay", question="which", answer="other", value=value)
        (page,) = page_entries(Draft.load(survey), ["en"])
        published.append([option.get("last", False) for option in page["questions"][0][rows]])

    assert published == [[False, True, False], [False, False, False]]


def test_a_page_asks_some_of_its_questions_until_it_asks_all(survey: Survey, ann: Editor) -> None:
    """As the list of the page's head says it: a number, or nothing."""
    do(survey, ann, "add", type="text", lines="One\nTwo\nThree")
    for value, asked in (("2", 2), ("", None)):
        do(survey, ann, "page-order", question="one", field="ask", value=value)
        assert read_document(survey)["pages"][0]["ask"] == asked


def test_pages_break_join_and_vanish(survey: Survey, ann: Editor) -> None:
    """A page begins with a question; without questions there is no page."""
    do(survey, ann, "add", type="yesno", lines="One?\nTwo?\nThree?")
    do(survey, ann, "break", question="two")
    assert names(survey) == [["one"], ["two", "three"]]
    do(survey, ann, "move", question="one", to="down")
    assert names(survey) == [["one", "two", "three"]]
    do(survey, ann, "break", question="three")
    do(survey, ann, "page", question="three", language="en", value="End")
    do(survey, ann, "join", question="three")
    assert names(survey) == [["one", "two", "three"]]


def test_prefer_not_to_say_comes_and_goes(survey: Survey, ann: Editor) -> None:
    """One tick adds the answer in both languages, under another disguise; another tick leaves the plain question."""
    do(survey, ann, "add", type="yesno", lines="One?\nTwo?", sensitive=True)
    before = read_document(survey)

    after = do(survey, ann, "skip", question="one", value=True).document

    assert [option["value"] for option in next(questions(after))["options"]] == ["1", "0", "secret"]
    assert next(questions(after))["options"][2]["label"] == {"en": "Prefer not to say", "zh-hans": "不愿透露"}
    assert after["blocks"] != before["blocks"]
    assert do(survey, ann, "skip", question="one", value=False).document == before


def test_options_keep_their_values_when_a_line_is_reworded(survey: Survey, ann: Editor) -> None:
    """Values stand in records: a corrected letter makes no new one; a new line does."""
    do(survey, ann, "add", type="choice", lines="Age?", rows="18-29\n30-49\n50 and over")

    def lines(text: str) -> list[str]:
        after = do(survey, ann, "rows", question="age", group="options", language="en", lines=text).document
        return [option["value"] for option in next(questions(after))["options"]]

    assert lines("18-29\n30–49\n50 and over") == ["18-29", "30-49", "50-and-over"]
    assert lines("50 and over\n18-29\n30–49\nno answer") == ["50-and-over", "18-29", "30-49", "no-answer"]


def test_a_scale_is_one_choice(survey: Survey, ann: Editor) -> None:
    """Points of a matrix, options of a choice, ends of a scale."""
    do(survey, ann, "add", type="matrix", lines="Work?", rows="I am heard\nI am paid well")
    do(survey, ann, "add", type="scale", lines="Mood?")

    matrix = next(questions(do(survey, ann, "scale", question="work", value="agreement").document))
    scale = list(questions(do(survey, ann, "scale", question="mood", value="agree7").document))[1]

    assert [option["value"] for option in matrix["options"]] == ["am-heard", "am-paid-well", "1", "2", "3", "4", "5"]
    assert (scale["min"], scale["max"], scale["high"]["zh-hans"]) == ("1", "7", "非常同意")


def test_duplicates_have_names_of_their_own(survey: Survey, ann: Editor) -> None:
    """The copy is as sensitive as the question, and so are its items."""
    do(survey, ann, "add", type="several", lines="Which?", rows="cannabis\nspeed", sensitive=True)

    after = do(survey, ann, "duplicate", question="which").document

    assert names(survey) == [["which", "which-2"]]
    assert sensitive(after) == {"which", "which-2"}
    assert [option["value"] for option in list(questions(after))[1]["options"]] == ["cannabis-2", "speed-2"]


def place(survey: Survey) -> dict[str, Any]:
    """What is stored of the last question, a place: its settings."""
    *_others, asked = questions(read_document(survey))
    settings: dict[str, Any] = asked["settings"]
    return settings


@pytest.mark.parametrize("by_hand", first(1, [False, True]), ids=["proposed", "by hand"])
def test_a_place_has_zones_once_one_is_drawn(survey: Survey, ann: Editor, by_hand: bool) -> None:
    """Its block hides places in zones, as long as there is one; each zone is added, changed, taken away by itself."""
    add_map(survey, ann)
    if not by_hand:
        do(survey, ann, "protect", field="by", value="proposal")
    kinds = []
    for said in (
        {"zone": None, "value": [400, 300, 200, 200]},
        {"zone": 1, "value": [0, 0, 100.0, 50.5]},
        {"zone": 0, "part": "width", "value": "250"},
        {"zone": 1, "part": "epsilon", "value": "1.5"},
        {"zone": 1, "value": [0, 50, 100, 50.5]},
        {"zone": 1, "part": "epsilon", "value": ""},
        {"zone": 0, "value": None},
        {"zone": 0, "value": None},
    ):
        do(survey, ann, "zone", question="live", **said)
        kinds.append((read_document(survey)["blocks"][0]["kind"], place(survey).get("zones")))

    assert kinds == [
        ("zones", [[400, 300, 200, 200]]),
        ("zones", [[400, 300, 200, 200], [0, 0, 100, 50.5]]),
        ("zones", [[400, 300, 250, 200], [0, 0, 100, 50.5]]),
        ("zones", [[400, 300, 250, 200], [0, 0, 100, 50.5, 1.5]]),
        ("zones", [[400, 300, 250, 200], [0, 50, 100, 50.5, 1.5]]),
        ("zones", [[400, 300, 250, 200], [0, 50, 100, 50.5]]),
        ("zones", [[0, 50, 100, 50.5]]),
        ("square", None),
    ]
    assert [block["kind"] for block in read_document(survey)["blocks"]] == ["square"]


def add_map(survey: Survey, ann: Editor) -> None:
    """A question for a place on a map of 1000 by 800 in cells of 10."""
    do(survey, ann, "add", type="place", lines="Where do you live?")
    for field, value in (("width", "1000"), ("height", "800"), ("cell", "10")):
        do(survey, ann, "map", question="live", field=field, value=value)


def test_zones_that_cannot_be_used_stay_and_the_question_says_why(survey: Survey, ann: Editor) -> None:
    """Nothing that was drawn is lost to a smaller map."""
    do(survey, ann, "protect", field="by", value="proposal")
    do(survey, ann, "add", type="place", lines="Where do you live?")
    do(survey, ann, "map", question="live", field="width", value="1000")
    do(survey, ann, "zone", question="live", zone=None, value=[400, 20, 200, 50])
    do(survey, ann, "map", question="live", field="width", value="300")

    assert place(survey)["zones"] == [[400, 20, 200, 50]]
    (refusal,) = refusals(Draft.load(Survey.objects.get(pk=survey.pk)))
    assert refusal.sentence == "The zone lies outside the map."


def test_a_block_for_zones_without_one_misses_it_at_its_question(survey: Survey, ann: Editor) -> None:
    """The draft still opens: who chose the disguise may draw a zone next."""
    add_map(survey, ann)
    do(survey, ann, "block", place=0, field="kind", value="zones")

    draft = Draft.load(Survey.objects.get(pk=survey.pk))
    assert [*refusals(draft)] == []
    assert "mark at least one sensitive zone" in " ".join(map(str, missing(draft)))


@pytest.mark.parametrize("written", ["en zh-hans de", "en, zh-hans, de"])
def test_languages_are_written_with_commas_or_without(survey: Survey, ann: Editor, written: str) -> None:
    """As the example of their refusal writes them."""
    do(survey, ann, "survey", field="languages", value=written)

    assert read_document(survey)["languages"] == ["en", "zh-hans", "de"]


def test_ready_made_options_come_in_every_language_that_is_chosen(survey: Survey, ann: Editor) -> None:
    """Whichever comes first, the option or the language; words of one's own stay in their language alone."""
    do(survey, ann, "survey", field="languages", value="en")
    do(survey, ann, "add", type="choice", lines="How often?", sensitive=True)
    do(survey, ann, "scale", question="often", value="often")
    do(survey, ann, "skip", question="often", value=True)
    do(survey, ann, "survey", field="also", value="ar")
    do(survey, ann, "survey", field="also", value="de")

    question = next(questions(read_document(survey)))
    labels = [option["label"] for option in question["options"]]
    assert [label["en"] for label in labels] == ["Never", "Once", "A few times", "Many times", "Prefer not to say"]
    assert [label["de"] for label in labels] == ["Nie", "Einmal", "Einige Male", "Viele Male", "Möchte ich nicht sagen"]
    assert labels[-1]["ar"] == "أفضّل عدم الإجابة"
    assert question["text"] == {"en": "How often?"}


def test_a_main_language_that_replaces_another_takes_its_texts_along(survey: Survey, ann: Editor) -> None:
    """Who has written German into an English survey corrects the language alone; yes and no become German."""
    do(survey, ann, "survey", field="languages", value="en fr")
    do(survey, ann, "add", type="yesno", lines="Haben Sie gestohlen?", sensitive=True)
    (name,) = (question["id"] for question in questions(read_document(survey)))
    do(survey, ann, "skip", question=name, value=True)
    do(survey, ann, "survey", field="main", value="de")
    moved = read_document(survey)
    do(survey, ann, "survey", field="main", value="fr")

    question = next(questions(moved))
    assert (moved["languages"], read_document(survey)["languages"]) == (["de", "fr"], ["fr", "de"])
    assert question["text"] == {"de": "Haben Sie gestohlen?"}
    assert [option["label"]["de"] for option in question["options"]] == ["Ja", "Nein", "Möchte ich nicht sagen"]
    assert next(questions(read_document(survey)))["text"] == question["text"]


@pytest.mark.parametrize(
    ("tag", "yes"), [("pt-br", "Sim"), ("es-419", "Sí"), ("zh-tw", "是"), ("de-at", "Ja"), ("it", "Yes")]
)
def test_a_region_has_the_ready_made_options_of_its_language(survey: Survey, ann: Editor, tag: str, yes: str) -> None:
    """A language without them begins in English, which the last page before publication says."""
    do(survey, ann, "survey", field="languages", value=tag)
    do(survey, ann, "add", type="yesno", lines="Rubato?", sensitive=True)
    do(survey, ann, "skip", question="rubato", value=True)

    question = next(questions(read_document(survey)))
    assert question["options"][0]["label"] == {tag: yes}


@pytest.mark.parametrize("sensitive", [True, False])
@pytest.mark.parametrize("end", ["nan", "-inf", "1e999"])
def test_an_end_of_a_number_that_is_no_number_stays_and_the_question_says_so(
    survey: Survey, ann: Editor, sensitive: bool, end: str
) -> None:
    """Disguised or not: a range needs two ends."""
    do(survey, ann, "protect", field="by", value="proposal")
    do(survey, ann, "add", type="number", lines="How often?", sensitive=sensitive)
    do(survey, ann, "question", question="often", field="max", value="9")
    do(survey, ann, "question", question="often", field="min", value=end)

    said = [refusal.sentence for refusal in refusals(Draft.load(Survey.objects.get(pk=survey.pk)))]

    assert f"'{end}' is not a number." in said


@pytest.mark.parametrize("by_hand", [False, True], ids=["proposed", "by hand"])
def test_a_sensitive_question_of_another_type_stays_sensitive(survey: Survey, ann: Editor, by_hand: bool) -> None:
    """In a block that takes the new type. Its options wait for a type that has some; nothing shows them until then."""
    do(survey, ann, "add", type="yesno", lines="Other?", sensitive=True)
    before = do(survey, ann, "add", type="choice", lines="Drug?", rows="a\nb\nc", sensitive=True, skip=True).document
    if by_hand:
        do(survey, ann, "block", place=0, field="kind", value=before["blocks"][0]["kind"])

    number = do(survey, ann, "type", question="drug", value="number").document
    assert sensitive(number) == {"other", "drug"}
    assert list(questions(number))[1]["options"] == list(questions(before))[1]["options"]
    asked = Draft.from_document(survey, number).questions[1]
    assert (asked.options, asked.block and asked.block.kind) == ((), "square-wave")
    assert (
        "a disguised number needs a minimum and a maximum."
        in str([*refusals(Draft.from_document(survey, number))]).lower()
    )
    for field, value in (("min", "0"), ("max", "9")):
        number = do(survey, ann, "question", question="drug", field=field, value=value).document
    assert [*refusals(Draft.from_document(survey, number))] == []

    after = do(survey, ann, "type", question="drug", value="choice").document
    assert sensitive(after) == {"other", "drug"}
    assert list(questions(after)) == list(questions(before))
    assert [*refusals(Draft.from_document(survey, after))] == []


@pytest.mark.parametrize("skip", [True, False])
def test_a_choice_keeps_prefer_not_to_say_until_its_options_come(survey: Survey, ann: Editor, skip: bool) -> None:
    """It is no option of its own: without others they are still missing."""
    do(survey, ann, "add", type="choice", lines="Drug?", sensitive=True, skip=skip)
    assert "“Drug?” has no options yet." in missing(Draft.load(survey))

    after = do(survey, ann, "rows", question="drug", group="options", language="en", lines="Speed\nCoke").document

    values = [option["value"] for option in next(questions(after))["options"]]
    assert values == ["speed", "coke", *(["secret"] if skip else [])]
    assert "“Drug?” has no options yet." not in missing(Draft.load(survey))


def test_prefer_not_to_say_becomes_no_item(survey: Survey, ann: Editor) -> None:
    """Several answers are items with names of their own."""
    do(survey, ann, "add", type="choice", lines="Drug?", rows="Speed\nCoke", sensitive=True, skip=True)

    after = do(survey, ann, "type", question="drug", value="several").document

    assert [option["label"]["en"] for option in next(questions(after))["options"]] == ["Speed", "Coke"]


@pytest.mark.parametrize("kind", ["text", "date"])
def test_a_sensitive_question_becomes_no_open_one_by_its_type(survey: Survey, ann: Editor, kind: str) -> None:
    """What cannot be disguised is refused as long as the tick is there; an undisguised question may become it."""
    before = do(survey, ann, "add", type="yesno", lines="Drug?", sensitive=True).document

    with pytest.raises(EntryError, match=r"this question would become open\."):
        do(survey, ann, "type", question="drug", value=kind)
    assert read_document(survey) == before
    do(survey, ann, "sensitive", question="drug", value=False)

    assert next(questions(do(survey, ann, "type", question="drug", value=kind).document))["type"] == kind


def test_an_outline_stays_while_it_fits_the_map(survey: Survey, ann: Editor) -> None:
    """Other cells keep it; a map too small for it is a plain grid, and so is one whose outline is given up."""
    do(survey, ann, "add", type="place", lines="Where do you live?")
    file = {"type": "LineString", "coordinates": [[13.3, 52.4], [13.4, 52.5], [13.5, 52.4]]}
    line = asdict(read_outline(json.dumps(file).encode()))

    lines = []
    for field, value in (
        ("outline", line),
        ("cell", "25"),
        ("width", "1000"),
        ("outline", line),
        ("outline", ""),
    ):
        do(survey, ann, "map", question="live", field=field, value=value)
        lines.append(len(place(survey)["map"].get("lines", [])))

    assert lines == [1, 1, 0, 1, 0]


@pytest.mark.parametrize(
    ("said", "sentence"),
    every(4, [
        ({"do": "nothing"}, "there is no change with this name"),
        ({"do": "move"}, "this change lacks a field"),
        ({"do": "question", "question": "gone", "field": "text", "language": "en", "value": "x"}, "no longer exists"),
        ({"do": "question", "question": "one", "field": "block", "value": 1}, "lacks a field"),
        ({"do": "question", "question": "one", "field": "text", "language": "<b>", "value": "x"}, "tags to texts"),
        ({"do": "question", "question": "one", "field": "required", "value": "yes"}, "this is true or false"),
        ({"do": "name", "question": "one", "value": "One!"}, "a name is a small letter"),
        ({"do": "name", "question": "one", "value": "two"}, "is used for two questions"),
        ({"do": "survey", "field": "title", "value": " "}, "needs a working title"),
        ({"do": "survey", "field": "title", "value": "x" * 201}, "more than 200"),
        ({"do": "survey", "field": "languages", "value": []}, "list language tags"),
        ({"do": "survey", "field": "languages", "value": "en-usa"}, "list language tags"),
        ({"do": "media", "question": "one", "language": "en", "file": "", "words": {"en": "A dog"}}, "choose the file"),
        ({"do": "survey", "field": "expected", "value": -1}, "not a number of people"),
        ({"do": "sensitive", "question": "note", "value": True}, "cannot be disguised"),
        ({"do": "skip", "question": "note", "value": True}, "cannot be added"),
        ({"do": "replace", "document": {"candor": 1}}, "title: this is missing"),
        ({"do": "add", "type": "yesno", "lines": "x\n" * 300}, "more than 200"),
        ({"do": "zone", "question": "one", "zone": 0, "part": "left", "value": "1"}, "lacks a field"),
        ({"do": "zone", "question": "one", "zone": None, "value": [1, 2, 3]}, "lacks a field"),
        ({"do": "zone", "question": "one", "zone": None, "value": [1, 2, "", 3]}, "'' is not a number"),
        ({"do": "zone", "question": "one", "zone": None, "value": [1, 2, "inf", 3]}, "that cannot be stored"),
        ({"do": "map", "question": "one", "field": "width", "value": "far"}, "'far' is not a number"),
        ({"do": "block", "place": 0, "field": "kind", "value": "none"}, "^block: this change lacks a field.$"),
        ({"do": "block", "place": 1, "field": "keep", "value": "0.5"}, "^block: this change lacks a field.$"),
        ({"do": "block", "place": 0, "field": "keep", "value": "half"}, "^keep: “half” is no number.$"),
        ({"do": "block", "place": 0, "field": "flips", "value": "0.5, 0.5"}, "^block: this change lacks a field.$"),
        ({"do": "protect", "field": "sure", "value": "x"}, "^protect: this change lacks a field.$"),
        ({"do": "protect", "field": "sure", "value": 100}, "sure: 100 is not a percentage above 5 and below 100.$"),
        ({"do": "protect", "field": "asked", "value": -1}, "-1 is not a valid number of questions per person.$"),
        ({"do": "protect", "field": "tell", "value": []}, "^protect: this change lacks a field.$"),
        ({"do": "protect", "field": "by", "value": "nobody"}, "^protect: this change lacks a field.$"),
        ({**TEXT, "value": "\ud800"}, UNSTORED),
        ({**TEXT, "value": "a\0b"}, UNSTORED),
        ({"do": "setting", "question": "one", "name": "x", "value": float("nan")}, UNSTORED),
    ]),
    ids=range(35),
)  # fmt: skip
def test_a_change_that_cannot_be_is_refused(survey: Survey, ann: Editor, said: dict[str, Any], sentence: str) -> None:
    """With one sentence, and the draft stays as it was: also what no page could work out, or no database store."""
    do(survey, ann, "add", type="yesno", lines="One?\nTwo?", sensitive=True)
    do(survey, ann, "add", type="text", lines="Note?")
    before = read_document(survey)

    with pytest.raises(EntryError, match=sentence):
        history.change(survey, ann, said)

    assert read_document(survey) == before


def test_a_closed_survey_takes_no_change(survey: Survey, ann: Editor) -> None:
    """Its content is what was published."""
    Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    with pytest.raises(EntryError, match="closed"):
        do(survey, ann, "add", type="yesno", lines="One?")


def test_a_document_is_the_same_after_parts() -> None:
    """parts and whole are inverse."""
    document = read_document(make_survey())
    assert join_parts(parts(document)) == document


def test_a_survey_without_a_draft_begins_with_an_empty_one(ann: Editor) -> None:
    """Its title and who may answer are those of the survey."""
    survey = Survey.objects.create(slug="bare", title="Bare", access=Survey.Access.INVITATION)
    assert history.current_draft(survey).document == empty("Bare", ["en"]) | {"access": "invitation"}
    do(survey, ann, "add", type="yesno", lines="One?")
    assert names(survey) == [["one"]]


def test_what_prefer_not_to_say_costs_stands_beside_it(survey: Survey, ann: Editor) -> None:
    """How many people find links with it at every question and without, whether it is ticked or not."""
    do(survey, ann, "add", type="yesno", lines=TEN, sensitive=True, skip=True)
    with_it = price_of_skipping(survey, read_document(survey), names(survey)[0][0])
    one = forecast_draft(Draft.load(survey)).pair
    do(survey, ann, "skip", **{"for": "all", "value": False})
    other = forecast_draft(Draft.load(survey)).pair

    assert one is not None and one.needed is not None  # noqa: PT018
    assert other is not None and other.needed is not None  # noqa: PT018
    assert one.needed > 1.5 * other.needed
    said = f"; links need {whole_number(roughly(one.needed))} people instead of {whole_number(roughly(other.needed))}"
    assert with_it.endswith(said)
    assert with_it == price_of_skipping(survey, read_document(survey), names(survey)[0][0])


def test_who_asks_for_shares_alone_reads_the_price_in_points(survey: Survey, ann: Editor) -> None:
    """Links are none of their business."""
    do(survey, ann, "add", type="yesno", lines=TEN, sensitive=True)
    do(survey, ann, "protect", field="pairs", value=False)

    said = price_of_skipping(survey, read_document(survey), names(survey)[0][0])

    assert re.fullmatch(r"shares ±[\d.]+ points instead of ±[\d.]+", said)


def test_under_blocks_of_ones_own_somebody_may_become_surer(survey: Survey) -> None:
    """From what to what stands before the people."""
    coin = make_survey()

    said = price_of_skipping(coin, read_document(coin), names(coin)[0][0])

    assert said.startswith("somebody may become 33 % sure instead of 29 %. shares ±")


def test_prefer_not_to_say_goes_from_all_sensitive_questions_at_once(survey: Survey, ann: Editor) -> None:
    """And comes back; undisguised questions stay as they are, and each without it still asks why."""
    do(survey, ann, "add", type="yesno", lines="One?\nTwo?", sensitive=True, skip=True)
    do(survey, ann, "add", type="yesno", lines="Open?")
    before = read_document(survey)
    without = do(survey, ann, "skip", **{"for": "all", "value": False}).document

    assert [question["options"] for question in questions(without)] == [[], [], []]
    assert [one.id for one in Draft.load(survey).questions if is_unskipped(one)] == ["one", "two"]
    assert do(survey, ann, "skip", **{"for": "all", "value": True}).document == before


@pytest.mark.parametrize(
    "mix", first(3, ["yyyyyyyyyy", "y", "yc", "ccc", "yyycccss", "syy", "yyn", "ynn", "mmy", "c", "nn"])
)
def test_proposed_blocks_keep_the_promise(survey: Survey, ann: Editor, mix: str) -> None:
    """Whatever types are mixed, the odds grow 19 times at most, and by what was promised nearly."""
    kinds = {"y": "yesno", "c": "choice", "s": "scale", "n": "number", "m": "several"}
    for place, letter in enumerate(mix):
        rows = "\n".join(f"a{place}{row}" for row in "xyz")
        do(survey, ann, "add", type=kinds[letter], lines=f"Thing {place}?", rows=rows, sensitive=True)
        name = list(questions(read_document(survey)))[-1]["id"]
        if letter in "sn":
            do(survey, ann, "question", question=name, field="min", value="0")
            do(survey, ann, "question", question=name, field="max", value="9")
        do(survey, ann, "sensitive", question=name, value=True)

    odds = compose_design(Draft.load(survey)).odds

    assert 0.5 * 19 < odds <= 19


def by_hand(survey: Survey, ann: Editor, kind: str, settings: dict[str, Any]) -> None:
    """Replace the document by one whose only block has these settings."""
    do(survey, ann, "add", type="yesno", lines="One?", sensitive=True)
    blocks = [{"name": "b", "kind": kind, "settings": settings, "questions": ["one"]}]
    do(survey, ann, "replace", document={**read_document(survey), "protection": {"by": "hand"}, "blocks": blocks})


def test_a_block_with_a_word_for_a_number_is_stored_and_says_what_is_wrong(survey: Survey, ann: Editor) -> None:
    """As everything that is unfinished."""
    by_hand(survey, ann, "coin", {"keep": "x", "theta": 0.5})

    with pytest.raises(EntryError) as refused:
        compose_design(Draft.load(Survey.objects.get(pk=survey.pk)))

    assert str(refused.value) == "block 'b'.keep: 'x' is not a number."


def test_a_block_with_a_list_for_a_number_is_refused(survey: Survey, ann: Editor) -> None:
    """No page could show it."""
    with pytest.raises(EntryError) as refused:
        by_hand(survey, ann, "flip", {"gamma": [], "radius": {}})

    assert str(refused.value) == "blocks[0].settings.gamma: this is a number or a short text."
