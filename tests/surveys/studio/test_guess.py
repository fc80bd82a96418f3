"""The one guess of a draft: where it is kept, what follows it, and what an earlier version says instead."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from privacy.design.items import Item
from privacy.errors import EntryError
from privacy.plan.request import range_of
from surveys.domain.drafts import history
from surveys.domain.drafts.history import Editor, copy_document
from surveys.domain.drafts.protect import usual
from surveys.domain.exchange.formats import FORMATS, read_survey
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import Draft, empty, questions, read_document
from surveys.domain.questionnaire.forecast import forecast_draft
from surveys.domain.questionnaire.guess import Guess, guess_of, guess_of_version, range_of_guess, word_of, write_range
from surveys.domain.questionnaire.publish import publish
from surveys.domain.rehearsal import ask as rehearsing
from surveys.domain.rehearsal.ask import fill
from surveys.models import Survey
from surveys.questions.rows import SKIP
from surveys.results import earlier
from surveys.results.earlier import guesses_of_figures
from surveys.studio import protection
from tests.surveys.making import make_survey, write
from tests.surveys.staff import somebody

TEN = "\n".join(f"Have you ever done thing {letter}?" for letter in "abcdefghij")


@pytest.fixture
def ann() -> Editor:
    return Editor(User.objects.filter(is_superuser=True).first() or somebody(), "tab-1", 10**6)


@pytest.fixture
def survey(ann: Editor) -> Survey:
    survey = Survey.objects.create(slug="new", title="New")
    history.begin(survey, empty("New", ["en"]) | {"protection": usual() | {"way": None}})
    do(survey, ann, "add", type="yesno", lines=TEN, sensitive=True)
    return survey


def do(survey: Survey, by: Editor, name: str, /, **said: Any) -> dict[str, Any]:
    return history.change(survey, by, {"do": name, **said}).document


def names(survey: Survey) -> list[str]:
    return [one["id"] for one in questions(read_document(survey))]


def words(survey: Survey) -> list[str | None]:
    document = read_document(survey)
    return [word_of(document, one["settings"]) for one in questions(document)]


def test_a_new_survey_guesses_five_percent_and_an_older_draft_that_three_in_ten_say_yes(survey: Survey) -> None:
    """With a range from two to ten; a draft without a guess is read as before, and one of the five words, too."""
    older = make_survey(names=("one", "two"))
    item = Item("one")

    assert words(survey) == ["0.05:0.02..0.1"] * 10
    assert [range_of_guess(said) for said in ("rare", None)] == [(0.1, 0.1, 0.1), (0.3, 0.3, 0.3)]
    assert guess_of(Draft.load(older)).shares(item) == Guess().shares(item) == (0.7, 0.3)
    (share,) = {guess_of(Draft.load(survey)).shares(Item(name)) for name in names(survey)}
    assert share == (0.95, 0.05)


def test_one_guess_is_that_of_all_questions_until_one_has_its_own(survey: Survey, ann: Editor) -> None:
    """The guess of all takes away single ones; undo brings them back; any other word is refused."""
    first, *_ = names(survey)
    do(survey, ann, "setting", question=first, name="guess", value="half")
    single = words(survey)
    do(survey, ann, "protect", field="guess", value="some")

    assert single == ["half", *["0.05:0.02..0.1"] * 9]
    assert protection.guess_context(Draft.load(survey))["now"] == "10 are some"
    history.undo(survey, ann)
    assert words(survey) == single
    assert protection.guess_context(Draft.load(survey))["now"] == "9 are about 5 %, perhaps 2 to 10 %, 1 is half"
    for change in ({"do": "protect", "field": "guess"}, {"do": "setting", "question": first, "name": "guess"}):
        with pytest.raises(EntryError, match=re.escape("“often” is no guess, such as 0.05:0.02..0.1")):
            history.change(survey, ann, {**change, "value": "often"})


def test_forecasts_follow_the_guess(survey: Survey, ann: Editor) -> None:
    """Shares and links are of people who answer as guessed, and each question says what is known of it."""
    found = {}
    for word in ("very rare", "half"):
        do(survey, ann, "protect", field="guess", value=word)
        found[word] = forecast_draft(Draft.load(survey))
    shares = [[round(100 * one.among_all) for one in found[word].connections] for word in found]
    do(survey, ann, "setting", question=names(survey)[0], name="guess", value="very rare")
    points = [row["points"] for row in protection.guess_context(Draft.load(survey))["rows"]]

    assert shares == [[2, 2], [50, 50]]
    assert (found["very rare"].most or 0) < (found["half"].most or 0)
    assert points[0] < points[1]
    assert len(set(points[1:])) == 1


def test_the_options_of_a_choice_are_as_rare_as_guessed_but_for_the_harmless_one() -> None:
    """Which is the first one unless another is named; where the rest has less than nothing, all are alike."""
    item = Item("how", ("notes", "phone", "never", SKIP))
    guessed = Guess((("how", 0.1, "never"),))

    assert guessed.shares(item) == pytest.approx((0.095, 0.095, 0.76, 0.05))
    assert guessed.answer_to_link(item) == 0
    assert Guess((("how", 0.1, None),)).shares(item) == pytest.approx((0.76, 0.095, 0.095, 0.05))
    assert Guess((("how", 0.75, None),)).shares(item) == pytest.approx((0.95 / 3,) * 3 + (0.05,))


@pytest.mark.parametrize("name", ["json", "xlsform"])
def test_a_guess_is_kept_through_copies_and_files_and_is_no_part_of_what_is_published(
    survey: Survey, ann: Editor, name: str
) -> None:
    """Of all questions, and of one with its own; respondents get the same bytes whatever is guessed."""
    bytes_before = compose(replace_texts(survey), trial=True).to_bytes()
    do(survey, ann, "protect", field="guess", value="very rare")
    do(survey, ann, "setting", question=names(survey)[3], name="guess", value="most")
    document = read_document(survey)
    form = FORMATS[name]
    assert form.write is not None

    again = read_survey(form.write(document), "Again")[1].document
    kept = [
        (one["protection"]["guess"], [question["settings"].get("guess") for question in questions(one)])
        for one in (document, copy_document(document, "Copy"), again)
    ]

    assert kept == [("very rare", [None] * 3 + ["most"] + [None] * 6)] * 3
    assert compose(replace_texts(survey), trial=True).to_bytes() == bytes_before


def replace_texts(survey: Survey) -> Draft:
    filled = {name: {"en": name} for name in ("heading", "who", "why", "consent", "closing")}
    return replace(Draft.load(survey), document=read_document(survey) | filled)


def test_a_version_keeps_the_guess_it_was_published_with(survey: Survey, ann: Editor) -> None:
    """Its report and its protocol name the numbers of that guess, whatever is guessed for the next version."""
    write(survey, **{name: {"en": name} for name in ("heading", "who", "why", "consent", "closing")})
    then = guess_of(Draft.load(survey))
    version = publish(survey)
    do(survey, ann, "protect", field="guess", value="half")

    assert guess_of_version(version) == then != guess_of(Draft.load(survey))


def test_simulated_people_answer_as_guessed_and_a_report_gives_the_guesses_back(survey: Survey, ann: Editor) -> None:
    """Of 20 000 people of a rehearsal, where the first question is guessed to be answered yes by half."""
    first, *others = names(survey)
    do(survey, ann, "setting", question=first, name="guess", value="half")
    apart = rehearsing.begin(survey, 20_000)
    fill(apart.pk)

    guesses = guesses_of_figures(apart.versions.get())
    ranges = {name: range_of(said, "guess") for name, said in guesses.items()}
    truths = {first: 0.5} | dict.fromkeys(others, 0.05)
    assert ranges.keys() == truths.keys()
    assert all(
        low - 0.03 < (0.5 if name == first else 0.05) < high + 0.03 for name, (_about, low, high) in ranges.items()
    )


def test_the_page_takes_the_figures_of_an_earlier_version_on_request(
    survey: Survey, ann: Editor, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one change, which undo takes back; without sealed responses there is no such button, and it is refused."""
    client.force_login(ann.user)
    sent = {"base": 10**6, "tab": "t", "change": {"do": "guesses"}}
    page = f"/staff/studio/{survey.pk}/"

    refused = client.post(f"{page}change/", json.dumps(sent), content_type="application/json")

    assert (refused.status_code, "nothing to show" in refused.json()["refused"]) == (422, True)
    assert "Take the figures" not in client.get(f"{page}protect/").content.decode()

    apart = rehearsing.begin(survey, 2_000)
    fill(apart.pk)
    sent_by_people = apart.versions.get().snapshots.get()
    monkeypatch.setattr(earlier, "version_of", lambda _survey: sent_by_people.version)
    do(survey, ann, "protect", field="guess", value="half")
    shown = client.get(f"{page}protect/").content.decode()
    taken = client.post(f"{page}change/", json.dumps(sent), content_type="application/json")

    assert "Take the figures of version 1" in shown
    assert taken.status_code == 200
    assert words(survey) == [*guesses_of_figures(sent_by_people.version).values()]


@pytest.mark.parametrize(
    ("begins", "changes", "ends"),
    [
        ("0.05:0.02..0.1", [("about", "10")], "0.1:0.04..0.2"),
        ("rare", [("about", "5,5")], "0.055:0.055..0.055"),
        ("rare", [("low", "2"), ("high", "30 %")], "0.1:0.02..0.3"),
    ],
)
def test_one_part_of_a_guess_is_changed_in_percent(
    survey: Survey, ann: Editor, begins: str, changes: list[tuple[str, str]], ends: str
) -> None:
    """The range goes along with the best guess; a comma is read as a point."""
    do(survey, ann, "protect", field="guess", value=begins)

    for part, value in changes:
        do(survey, ann, "protect", field="guess", part=part, value=value)

    assert set(words(survey)) == {ends}


@pytest.mark.parametrize(
    ("part", "value", "why"),
    [
        ("low", "7", "7 % leaves the guess outside its range."),
        ("high", "3", "3 % leaves the guess outside its range."),
        ("about", "often", "“often” is not a percentage above 0 and below 100."),
        ("about", "0", "“0” is not a percentage above 0 and below 100."),
        ("high", "100", "“100” is not a percentage above 0 and below 100."),
    ],
)
def test_a_part_that_is_no_percentage_or_leaves_the_guess_out_is_refused(
    survey: Survey, ann: Editor, part: str, value: str, why: str
) -> None:
    """With what was typed; the draft stays."""
    do(survey, ann, "protect", field="guess", value="0.05:0.02..0.06")

    with pytest.raises(EntryError) as refused:
        do(survey, ann, "protect", field="guess", part=part, value=value)

    assert str(refused.value) == f"protection: {why}" or str(refused.value) == f"protection.guess: {why}"
    assert set(words(survey)) == {"0.05:0.02..0.06"}


def test_the_way_that_is_best_at_its_worst_within_the_range_is_proposed(survey: Survey, ann: Editor) -> None:
    """Of 2 000 people one word each is best where up to 5 % say yes, and far too wide where 40 % do."""
    do(survey, ann, "protect", field="pairs", value=False)
    do(survey, ann, "protect", field="way", value="best")
    do(survey, ann, "survey", field="expected", value="2000")
    kinds = {}
    for guess in ("0.03:0.01..0.05", "0.03:0.01..0.4"):
        document = do(survey, ann, "protect", field="guess", value=guess)
        kinds[guess] = {block["kind"] for block in document["blocks"]}

    assert kinds["0.03:0.01..0.05"] == {"one-of"}
    assert "one-of" not in kinds["0.03:0.01..0.4"]


def test_figures_become_guesses_within_bounds() -> None:
    """Also of shares that came out below nothing."""
    assert write_range(-0.02, -0.05, 0.01) == "0.001:0.001..0.01"
    assert write_range(0.4567, 0.4, 1.2) == "0.457:0.4..0.999"
