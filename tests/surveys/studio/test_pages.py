"""The other pages of the studio: tasks, templates, copies, translations, previews, the address of changes."""

import csv
import io
import json
import re
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from surveys.domain.closed.erase import erase
from surveys.domain.demo.surveys import load
from surveys.domain.drafts.beginnings import BEGINNINGS, FOLDER, beginning
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import usual
from surveys.domain.people import log
from surveys.domain.people.roles import give
from surveys.domain.questionnaire.check import missing
from surveys.domain.questionnaire.document import Draft, empty, new_page, questions, read_document, sensitive, store
from surveys.domain.questionnaire.publish import publish
from surveys.features import odds_of_secrets
from surveys.models import Membership, Survey, Trial
from surveys.questions import TYPES
from surveys.studio.home import ROWS, begin
from tests.cases import every, first
from tests.surveys.databases import count_queries
from tests.surveys.making import drop_questions, make_survey, write
from tests.surveys.staff import somebody
from tests.surveys.studio.conftest import Walk, on_a_phone, wait_until_saved


@pytest.fixture
def researcher() -> User:
    """Somebody who was invited: no permission but to begin surveys."""
    user = User.objects.create(username="ann", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="add_survey"))
    return user


@pytest.fixture
def own(client: Client, researcher: User) -> Client:
    client.force_login(researcher)
    return client


@pytest.fixture
def draft(researcher: User) -> Survey:
    return begin(researcher, beginning("academic-integrity", "Honest", "en"))


@pytest.fixture
def small(researcher: User) -> Survey:
    """A draft of one question."""
    survey = begin(researcher, empty("Small", ["en"]) | {"protection": usual()})
    store(survey, apply(survey, read_document(survey), {"do": "add", "type": "yesno", "lines": "One?"}))
    return survey


def send(client: Client, survey: Survey, change: Any, **more: Any) -> Any:
    body = {"base": 0, "tab": "t", "change": change, **more}
    return client.post(f"/staff/studio/{survey.pk}/change/", json.dumps(body), content_type="application/json")


@pytest.mark.parametrize("name", BEGINNINGS)
def test_a_template_names_the_sources_of_every_sensitive_question(own: Client, name: str) -> None:
    """On the start page, so that no guide repeats them."""
    written = json.loads((FOLDER / BEGINNINGS[name].file).read_text(encoding="utf-8"))
    asked = {each["id"] for page in written["pages"] for each in page["questions"] if each.get("sensitive")}
    assert {item for source in written["sources"] for item in source["items"]} == asked

    page = own.get("/staff/studio/").content.decode()
    assert [source for source in BEGINNINGS[name].sources if escape(source) not in page] == []


@pytest.mark.parametrize("name", BEGINNINGS)
def test_a_template_promises_nothing(name: str) -> None:
    """What holds of the questions that are asked in the end, disguised or not, the page says by itself."""
    document = beginning(name, "Mine", "en")
    texts = [words for part in ("heading", "why", "consent", "closing") for words in document[part].values()]
    promise = r"\b(no|nobody|never|only|trace\w*|publish\w*|prosecut\w*|anonym\w*)\b|无法|匿名|公布|追溯|不会"
    assert [words for words in texts if re.search(promise, words, re.IGNORECASE)] == []


@pytest.mark.parametrize("name", BEGINNINGS)
@pytest.mark.parametrize("language", first(1, ["en", "zh-hans"]))
def test_a_template_lacks_only_who_asks(own: Client, name: str, language: str) -> None:
    """Everything else is there in both languages; with the name of who asks it is published under the limit."""
    own.post("/staff/studio/new/", {"title": "Mine", "beginning": name}, headers={"Accept-Language": language})
    survey = Survey.objects.get()
    assert read_document(survey)["languages"][0] == language
    assert len(missing(Draft.load(survey))) == 2

    write(survey, who={"en": "We", "zh-hans": "我们"})
    version = publish(survey)
    assert odds_of_secrets(version.design, version.parsed.source) <= 19
    assert survey.memberships.get().role == Membership.Role.OWNER


def test_a_new_survey_is_empty_and_ones_own(own: Client, researcher: User) -> None:
    """Its short name follows from its title; a second one of the same title has another."""
    first = own.post("/staff/studio/new/", {"title": "Drugs at work"})
    own.post("/staff/studio/new/", {"title": "Drugs at work"})
    one, two = Survey.objects.order_by("pk")

    assert first["Location"] == f"/staff/studio/{one.pk}/"
    assert (one.slug, two.slug.rpartition("-")[0]) == ("drugs-work", "drugs-work")
    assert list(questions(read_document(one))) == []
    assert {row.user for row in Membership.objects.all()} == {researcher}


def test_titles_that_the_site_proposes_have_a_number_from_the_second_survey_on(own: Client, draft: Survey) -> None:
    """A new survey, and a copy: two of one title look alike in the list. What somebody typed stays."""
    for _again in range(3):
        own.post("/staff/studio/new/")
        own.post(f"/staff/studio/{draft.pk}/copy/")
    assert [*Survey.objects.exclude(pk=draft.pk).order_by("pk").values_list("title", flat=True)] == [
        "New survey",
        "Copy of Honest",
        "New survey 2",
        "Copy of Honest 2",
        "New survey 3",
        "Copy of Honest 3",
    ]


def test_who_may_not_begin_surveys_is_refused(client: Client) -> None:
    """A viewer copies nothing either."""
    user = User.objects.create(username="v", is_staff=True)
    survey = make_survey()
    give(survey, user, Membership.Role.VIEWER)
    client.force_login(user)
    assert client.post("/staff/studio/new/", {"title": "X"}).status_code == 403
    assert client.post(f"/staff/studio/{survey.pk}/copy/").status_code == 403


def test_an_unknown_template_begins_nothing(own: Client) -> None:
    """Nor does GET."""
    assert own.post("/staff/studio/new/", {"beginning": "../secret"}).status_code == 302
    assert own.get("/staff/studio/new/").status_code == 405
    assert Survey.objects.count() == 0


def test_the_start_page_says_what_to_do_next(own: Client, draft: Survey, researcher: User) -> None:
    """Of a draft what is missing first; of a survey that collects to hand out its link; of a closed one to read."""
    give(make_survey("strange"), somebody(), Membership.Role.OWNER)
    collecting, closed = make_survey("collecting"), make_survey("closed", heading={"en": "C"})
    for survey in (collecting, closed):
        publish(survey)
        give(survey, researcher, Membership.Role.VIEWER)
    Survey.objects.filter(pk=closed.pk).update(closed_at="2026-01-01T00:00Z")

    page = own.get("/staff/studio/").content.decode()

    assert "“who asks” has no text in English." in page
    assert "Hand out the link." in page
    assert "Nobody has answered." in page
    assert "Strange" not in page


def test_the_start_page_says_when_a_draft_was_saved_where_that_is_known(own: Client, draft: Survey) -> None:
    """Of drafts that are older than documents it may be known to nobody."""
    draft.draft.changed_at = timezone.now() - timedelta(days=3)
    draft.draft.save()
    known = own.get("/staff/studio/").content.decode()
    draft.draft.changed_at = None
    draft.draft.save()
    unknown = own.get("/staff/studio/").content.decode()

    assert ("saved 3\xa0days ago" in known, "saved" in unknown) == (True, False)


def test_a_survey_by_invitation_has_no_link_to_hand_out(own: Client, researcher: User) -> None:
    """The start page sends its owner to the invitations."""
    survey = make_survey(access=Survey.Access.INVITATION)
    publish(survey)
    give(survey, researcher, Membership.Role.OWNER)

    page = own.get("/staff/studio/").content.decode()

    assert "Send the invitations." in page
    assert "Hand out the link" not in page


DRAWS = {"do": "draws", "value": "by-person"}
SONA = {"by": "sona", "name": "SONA", "number": "id", "sent": "https://x.example/XXXX", "out": "", "full": ""}


@pytest.mark.parametrize(
    "fields", [{}, {"panel": SONA}, {"study": {"here": 1, "arms": []}}, {"study": {"of": "first"}}]
)
def test_the_start_page_asks_as_often_for_many_whole_drafts_as_for_one(
    own: Client, researcher: User, fields: dict[str, Any]
) -> None:
    """However many surveys there are, and whatever other surveys it takes to publish them."""
    sides = {"arm": make_survey(slug="arm", direct=False), "first": make_survey(slug="first", access="invitation")}
    for survey in sides.values():
        give(survey, researcher, Membership.Role.OWNER)
    if "here" in fields.get("study", {}):
        fields["study"]["arms"] = [{"slug": "arm", "version": publish(sides["arm"]).sha256, "parts": 1}]

    def queries(*slugs: str) -> int:
        for slug in slugs:
            survey = make_survey(slug=slug, names=("drugs",), direct=False)
            give(survey, researcher, Membership.Role.OWNER)
            store(survey, apply(survey, read_document(survey), DRAWS))
            write(survey, **fields, **({"access": "invitation"} if "of" in fields.get("study", {}) else {}))
            assert missing(Draft.load(survey)) == []
        return count_queries(lambda: own.get("/staff/studio/"))

    queries("one")  # what a process reads once
    assert queries() == queries("two", "three")


def test_many_surveys_are_paged_and_searched(own: Client, researcher: User) -> None:
    """Two hundred are as easy to find as two, and no page asks more often for them than for one."""
    for number in range(ROWS + 2):
        survey = Survey.objects.create(slug=f"s{number}", title=f"Survey {number:02}")
        give(survey, researcher, Membership.Role.OWNER)

    def titles(query: str) -> list[str]:
        return [task.survey.title for task in own.get(f"/staff/studio/{query}").context["tasks"]]

    assert titles("") == [f"Survey {number:02}" for number in range(ROWS + 1, 1, -1)]
    assert titles("?page=2") == ["Survey 01", "Survey 00"]
    assert titles("?q=+VEY+03") == ["Survey 03"]
    page = own.get("/staff/studio/?q=nothing").content.decode()
    assert "No survey has “nothing” in its title." in page
    assert 'name="q"' in page


def test_a_survey_shows_its_first_people_and_how_many_more(own: Client, draft: Survey) -> None:
    """By two letters each that nobody else has, with the name for a person who hears the page."""
    for number in range(4):
        person = User.objects.create(username=f"p{number}", first_name="Mary", last_name=f"O{number}")
        give(draft, person, Membership.Role.VIEWER)
    page = own.get("/staff/studio/").content.decode()
    assert re.findall(r'<span aria-hidden="true">(\w+)</span>', page) == ["AN", "MO", "M2"]
    assert "<li>+2</li>" in page


def test_the_writing_page_asks_as_often_for_many_questions_as_for_few(own: Client, small: Survey) -> None:
    """And so does a change."""
    said = {"do": "survey", "field": "expected", "value": 5}
    look = partial(count_queries, lambda: own.get(f"/staff/studio/{small.pk}/"))
    change = partial(count_queries, lambda: send(own, small, said))
    change()  # what a process reads once
    few = look(), change()
    send(own, small, {"do": "add", "type": "yesno", "lines": "\n".join(f"Thing {n}?" for n in range(5))})
    assert look() == few[0]
    assert change() <= few[1]


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    first(
        3,
        [
            (b"{}", "application/json", 400),
            (b"[1]", "application/json", 400),
            (b"\xff", "application/json", 400),
            (b'{"base": "x", "tab": "", "change": {"do": "undo"}}', "application/json", 400),
            (b'{"base": 0, "tab": "", "change": {"do": []}}', "application/json", 400),
            (b'{"base": 0, "tab": "", "change": {"do": "strange"}}', "application/json", 422),
            (b'{"base": 0, "tab": "", "change": {"do": "undo"}}', "application/json", 422),
            (b'{"base": 0, "tab": "", "change": {"do": "undo"}}', "text/plain", 415),
            (b" " * (2 * 2**20 + 1), "application/json", 413),
        ],
    ),
)
def test_what_is_no_change_is_refused(own: Client, draft: Survey, body: bytes, kind: str, status: int) -> None:
    """With the right status and one sentence; nothing changes."""
    before = read_document(draft)
    answer = own.post(f"/staff/studio/{draft.pk}/change/", body, content_type=kind)
    assert (answer.status_code, next(iter(answer.json()))) == (status, "refused")
    assert read_document(draft) == before


def test_what_was_typed_is_shown_escaped(own: Client, small: Survey) -> None:
    """In the page and in the answer of a change."""
    answer = send(own, small, {"do": "add", "type": "text", "lines": "<script>alert(1)</script>"})
    assert "<script>alert" not in answer.json()["sheet"]
    assert "<script>alert" not in own.get(f"/staff/studio/{small.pk}/").content.decode()


def test_a_translation_goes_out_and_comes_back(own: Client, draft: Survey) -> None:
    """A file for a new language names every text; read back, every text has it."""
    sent = own.get(f"/staff/studio/{draft.pk}/translation/?language=de").content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(sent)))
    translated = io.StringIO()
    csv.writer(translated).writerows([rows[0], *([place, main, f"DE {main}"] for place, main, _none in rows[1:])])
    file = SimpleUploadedFile("de.csv", translated.getvalue().encode())

    answer = own.post(f"/staff/studio/{draft.pk}/translation/", {"file": file})

    draft.refresh_from_db()
    assert (answer.status_code, rows[0]) == (302, ["place", "en", "de"])
    assert read_document(draft)["languages"] == ["en", "zh-hans", "de"]
    assert all(question["text"]["de"] == f"DE {question['text']['en']}" for question in questions(read_document(draft)))


def test_a_translator_reads_no_formula(own: Client, small: Survey) -> None:
    """A text that a spreadsheet would compute begins with an apostrophe, and comes back without it."""
    page = f"/staff/studio/{small.pk}/translation/"
    send(own, small, {"do": "survey", "field": "heading", "language": "en", "value": "=1+1"})
    assert '"heading","\'=1+1",' in own.get(f"{page}?language=zh-hans").content.decode()
    file = SimpleUploadedFile("t.csv", b"place,en,zh-hans\nheading,'=1+1,'=2+2\n")
    assert own.post(page, {"file": file}).status_code == 302
    assert read_document(small)["heading"] == {"en": "=1+1", "zh-hans": "=2+2"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    every(3, [
        (b"\xff\xfe", "is not a UTF-8 CSV table"),
        (b"a,b\n", "the first line must be"),
        (b"", "empty"),
        (b"place,en,de\nheading,x\n", "every line needs three cells"),
        (b"place,en,de\nheading,x," + b"y" * (2 * 2**20) + b"\n", "more than 2097152"),
        (b'place,en,de\nheading,x,"y', "not a UTF-8 CSV table"),
        (b"place,en,de\nnowhere.text,x,y\n", "nowhere.text"),
    ]),
    ids=range(7),
)  # fmt: skip
def test_a_file_that_is_no_translation_is_refused(own: Client, small: Survey, content: bytes, sentence: str) -> None:
    """One sentence says why; lines that fit no text are listed."""
    page = own.post(f"/staff/studio/{small.pk}/translation/", {"file": SimpleUploadedFile("t.csv", content)})
    assert sentence in page.content.decode()


def test_another_language_must_be_one(own: Client, small: Survey) -> None:
    """Neither the main one nor what is no tag."""
    for language in ("en", "<b>", "x y"):
        assert (
            "is not another language"
            in own.get(f"/staff/studio/{small.pk}/translation/", {"language": language}).content.decode()
        )


def test_the_preview_may_stand_in_a_frame_of_this_site_alone(own: Client, draft: Survey) -> None:
    """Its headers are those of the respondent's page but for that; a draft with nothing to disguise says so."""
    page = own.get(f"/staff/studio/{draft.pk}/preview/")
    assert "frame-ancestors 'self'" in page["Content-Security-Policy"]
    assert page["X-Frame-Options"] == "SAMEORIGIN"
    assert own.get(f"/staff/studio/{draft.pk}/preview/questionnaire").json()["trial"] is True
    empty = begin(
        User.objects.get(),
        {**beginning("corruption", "E", "en"), "blocks": [], "pages": [new_page(1)]},
    )
    assert "No question is disguised" in own.get(f"/staff/studio/{empty.pk}/preview/").content.decode()
    assert own.get(f"/staff/studio/{empty.pk}/preview/questionnaire").status_code == 404


def test_an_untitled_draft_is_shown_under_its_working_title(own: Client, draft: Survey) -> None:
    """A page without a heading could not be found by its headings."""
    write(draft, heading={})
    shown = own.get(f"/staff/studio/{draft.pk}/preview/questionnaire").json()
    assert shown["title"] == {"en": "Honest", "zh-hans": "Honest"}


def test_nobody_reads_the_studio_without_signing_in(client: Client) -> None:
    """The way leads back after the sign-in."""
    assert client.get("/staff/studio/")["Location"] == "/staff/admin/login/?next=/staff/studio/"


def test_languages_are_named_in_their_order(own: Client, small: Survey) -> None:
    """The main one first; one that is named twice is refused."""
    change = {"do": "survey", "field": "languages"}
    answers = [send(own, small, {**change, "value": value}, base=10**6) for value in ("zh-hans EN", "en en")]

    assert [answer.status_code for answer in answers] == [200, 422]
    assert read_document(small)["languages"] == ["zh-hans", "en"]


def test_a_trial_opens_the_draft_under_a_link_that_nobody_can_guess(
    own: Client, draft: Survey, researcher: User
) -> None:
    """In the respondent's page, with its hash; a new one ends the one before. What is unfinished is not tried."""
    drop_questions(draft)
    unfinished = own.post(f"/staff/studio/{draft.pk}/trial/")
    assert (unfinished["Location"], Trial.objects.count()) == (f"/staff/studio/{draft.pk}/try/", 0)

    whole = make_survey("whole")
    give(whole, researcher, "editor")
    first, second = (own.post(f"/staff/studio/{whole.pk}/trial/")["Location"] for _ in range(2))

    trial = Trial.objects.get()
    assert re.fullmatch(r"/t/[\w-]{16}/test/#v=[0-9a-f]{64}", second)
    assert (first != second, second) == (True, f"/t/{trial.code}/test/#v={trial.sha256}")


@on_a_phone
@pytest.mark.parametrize("pages", first(1, ["most", "others"]))
def test_every_page_is_accessible(walk: Walk, pages: str) -> None:
    """The two that have most to show, and the others: on a desk by day, and on a phone at night."""
    who = {"en": "We", "zh-hans": "我们"}
    draft = begin(walk.user, {**beginning("academic-integrity", "Honest", "en"), "who": who})
    log.note_down(draft, walk.user, "A report was shared: academic-integrity-and-honesty@example.org.")
    collecting, invited, gone = make_survey("collecting"), make_survey("by-name", access="invitation"), make_survey("x")
    for survey in (collecting, invited, gone):
        publish(survey)
    erase(gone)
    most = (f"{draft.pk}/?beside=zh-hans", f"{draft.pk}/protect/")
    of_draft = ("people", "log", "document", "history", "translation", "export", "erase", "publish", "fieldwork",
                "protocol", "label", "preregistration", "looks")  # fmt: skip
    others = (
        *("", "import/", "erased/", "terms/", *(f"{draft.pk}/{name}/" for name in of_draft)),
        *(f"{collecting.pk}/{name}" for name in ("fieldwork/", "close/", "looks/?question=theft")),
        f"{invited.pk}/fieldwork/",
    )
    for name in most if pages == "most" else others:
        walk.look(f"/staff/studio/{name}")


def test_an_empty_field_for_lines_is_wide_enough_to_be_seen(signed_in: Page, live: LiveServer) -> None:
    """It grows with what is typed, and never begins as narrow as its border, on any page of staff."""
    signed_in.goto(f"{live.url}/staff/studio/")
    signed_in.evaluate(
        "document.querySelector('main').insertAdjacentHTML('beforeend', "
        "'<textarea></textarea><p><textarea class=\"input\"></textarea></p><form><p><textarea></textarea></p></form>')"
    )
    widths = signed_in.locator("main textarea").evaluate_all("all => all.map(one => one.offsetWidth)")
    assert [width >= 240 for width in widths] == [True] * 3


def test_what_goes_together_is_a_tab_of_results(client: Client) -> None:
    """For those who may see what was found; it leads to the sure pairs where nobody has searched yet."""
    demo = next(load())[0]
    tab = f'<a href="{reverse("mining_start", args=[demo.pk])}">What goes together</a>'
    shown = {}
    for user in (somebody(), somebody("change")):
        client.force_login(user)
        shown[user.username] = tab in client.get(f"/staff/studio/{demo.pk}/results/", follow=True).content.decode()
    assert shown == {"may-all": True, "may-change": False}


@pytest.mark.parametrize("kind", every(8, TYPES))
def test_every_type_of_question_can_be_written(own: Client, small: Survey, kind: str) -> None:
    """What its module says of its rows, range, map and scales is on the page, without a list of types there."""
    added = send(own, small, {"do": "add", "type": kind, "lines": "New thing?", "rows": "One\nTwo"})
    sheet = added.json()["sheet"].partition('id="q-new-thing"')[2].partition("</li>")[0]

    assert added.status_code == 200
    for group in TYPES[kind].groups:
        assert str(group.label) in sheet
    for scale in TYPES[kind].scales:
        assert send(own, small, {"do": "scale", "question": "new-thing", "value": scale.name}).status_code == 200
    for word, name in (("Minimum", "min"), ("Maximum", "max"), ("Outline", "map"), ("random order", "shuffle")):
        assert (word in sheet) is (name in TYPES[kind].uses)
    for other in (next(iter(TYPES)), kind):
        assert send(own, small, {"do": "type", "question": "new-thing", "value": other}).status_code == 200
    assert own.get(f"/staff/studio/{small.pk}/").status_code == 200


def test_only_a_sensitive_question_of_ones_own_survey_has_a_price(own: Client, small: Survey) -> None:
    """An undisguised question, one that is not there, and a survey of others: the address says nothing of them."""
    send(own, small, {"do": "add", "type": "yesno", "lines": "Drugs?", "sensitive": True})
    other = Survey.objects.create(slug="of-others", title="Of others")

    prices = [own.get(f"/staff/studio/{small.pk}/price/{name}/").content for name in ("drugs", "one", "no-such")]

    assert (sensitive(read_document(small)), bool(prices[0]), set(prices[1:])) == ({"drugs"}, True, {b""})
    assert own.get(f"/staff/studio/{other.pk}/price/drugs/").status_code == 404


def test_figures_are_grey_from_the_first_letter_until_those_of_the_change_have_come(
    live: LiveServer, signed_in: Page
) -> None:
    """Somebody who types another number of people reads no figure of the old one as if it were the new one."""
    draft = make_survey(names=("theft",))
    signed_in.goto(f"{live.url}/staff/studio/{draft.pk}/protect/")
    expect(signed_in.locator("[aria-busy]")).to_have_count(0)
    verdict = signed_in.locator("#panel-verdict")
    grey = lambda: verdict.evaluate("panel => getComputedStyle(panel).filter")  # noqa: E731
    before = grey()

    signed_in.locator("#expected").press_sequentially("5")
    typed = grey()
    signed_in.locator("#expected").blur()
    wait_until_saved(signed_in)
    expect(signed_in.locator("[aria-busy]")).to_have_count(0)

    assert (before, typed, grey()) == ("none", "grayscale(1)", "none")
