"""Logo, colour, pictures and sounds, as a researcher gives them to a survey."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from surveys.domain.questionnaire.document import questions, read_document
from surveys.media import Picture, Sound
from surveys.models import Medium, Survey
from tests.media import MP3, chunk, name_of, png, svg
from tests.surveys.making import make_survey, set_question, write


@pytest.fixture
def survey() -> Survey:
    return make_survey(languages=["en", "de"])


def file(body: bytes, name: str = "any.bin") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, body)


def media_of(survey: Survey, name: str) -> object:
    return next(one["media"] for one in questions(read_document(survey)) if one["id"] == name)


def test_a_logo_and_a_colour_become_part_of_the_draft(ann: Client, survey: Survey) -> None:
    """With the words for those who do not see it; without another file it stays, until it is taken away."""
    address = f"/staff/studio/{survey.pk}/looks/"
    said = {"words-en": "University of Exampleton", "words-de": "Universität", "accent": "#AA0000"}
    assert ann.post(address, {**said, "file": file(svg())}).status_code == 302
    looks = {
        "logo": name_of(svg()),
        "words": {"en": "University of Exampleton", "de": "Universität"},
        "accent": "#aa0000",
    }
    assert read_document(survey)["looks"] == looks
    assert ann.post(address, {**said, "accent": ""}).status_code == 302
    assert read_document(survey)["looks"] == {**looks, "accent": ""}
    assert ann.post(address, {**said, "accent": "", "gone": "on"}).status_code == 302
    assert read_document(survey)["looks"]["logo"] == ""


def test_a_question_has_a_sound_in_each_language(ann: Client, survey: Survey) -> None:
    """One language after the other; without any it has none."""
    address = f"/staff/studio/{survey.pk}/looks/"
    other = MP3 + b"\0"
    for tag, body in (("en", MP3), ("de", other)):
        said = {"question": "theft", "language": tag, "words-en": "Listen", "words-de": "Hören", "file": file(body)}
        assert ann.post(address, said).status_code == 302
    assert media_of(survey, "theft") == {
        "file": {"en": name_of(MP3), "de": name_of(other)},
        "words": {"en": "Listen", "de": "Hören"},
    }
    for tag in ("en", "de"):
        assert ann.post(address, {"question": "theft", "language": tag, "gone": "on"}).status_code == 302
    assert media_of(survey, "theft") is None


def test_a_file_of_a_language_that_went_can_be_taken_away(ann: Client, survey: Survey) -> None:
    address = f"/staff/studio/{survey.pk}/looks/"
    ann.post(address, {"question": "theft", "language": "de", "file": file(MP3)})
    write(survey, languages=["en"])
    assert "?question=theft&amp;language=de" in ann.get(address).content.decode()
    assert ann.post(address, {"question": "theft", "language": "de", "gone": "on"}).status_code == 302
    assert media_of(survey, "theft") is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"words-en": "A shop"}, "say in words what it shows or says (German)."),
        ({"words-en": "A shop", "words-de": "Ein Laden"}, "It is saved, and part of the next version"),
    ],
)
def test_words_that_are_missing_are_asked_for_at_once(
    ann: Client, survey: Survey, words: dict[str, str], said: str
) -> None:
    """Not only when the survey is published."""
    address = f"/staff/studio/{survey.pk}/looks/"
    answer = ann.post(address, {"question": "theft", "language": "en", "file": file(png()), **words}, follow=True)
    assert said in answer.content.decode()


PICTURE, SOUND = Picture.most // 1000, Sound.most // 1000
WANTED = "Before it is published, say in words what this picture shows or this sound says."


def test_a_preview_shows_a_file_without_words_and_says_that_they_are_missing(ann: Client, survey: Survey) -> None:
    """Beside the file, for those who see it, and in its place; words in one language stand in the other."""
    address = f"/staff/studio/{survey.pk}/"
    set_question(survey, "theft", help={"en": "Of any kind.", "de": ""})
    write(survey, who={"en": "The university", "de": "Die Universität"})
    ann.post(f"{address}looks/", {"file": file(svg())})
    ann.post(f"{address}looks/", {"question": "theft", "language": "en", "file": file(png())})
    shown = ann.get(f"{address}preview/questionnaire").json()
    theft = next(one for page in shown["pages"] for one in page["questions"] if one["id"] == "theft")
    assert theft["media"] == {"file": {"en": name_of(png())}, "words": {"en": WANTED, "de": WANTED}}
    assert theft["help"] == {"en": f"Of any kind. {WANTED}", "de": f"Of any kind. {WANTED}"}
    assert shown["looks"]["logo"] == {"file": name_of(svg()), "words": {"en": WANTED, "de": WANTED}}
    assert shown["who"] == {"en": f"The university\n\n{WANTED}", "de": f"Die Universität\n\n{WANTED}"}
    ann.post(f"{address}looks/", {"question": "theft", "language": "en", "words-de": "Ein Laden"})
    shown = ann.get(f"{address}preview/questionnaire").json()
    theft = next(one for page in shown["pages"] for one in page["questions"] if one["id"] == "theft")
    assert (theft["media"]["words"], theft["help"]["en"]) == ({"en": "Ein Laden", "de": "Ein Laden"}, "Of any kind.")


def test_a_gap_leads_to_the_page_that_fills_it(ann: Client, survey: Survey) -> None:
    """A logo without words to that of looks, and a picture to that of its question."""
    address = f"/staff/studio/{survey.pk}/"
    ann.post(f"{address}looks/", {"file": file(svg())})
    ann.post(f"{address}looks/", {"question": "theft", "language": "en", "file": file(png())})
    missing = ann.get(f"{address}publish/").context["list"].missing
    assert {one.address for one in missing if "what the logo shows" in one.sentence} == {f"{address}looks/"}
    of_theft = {one.address for one in missing if "picture or sound" in one.sentence}
    assert of_theft == {f"{address}looks/?question=theft"}


@pytest.mark.parametrize(("typed", "color"), [("AA0000", "#aa0000"), (" #aa0000 ", "#aa0000")])
def test_a_colour_is_taken_as_programs_copy_it(ann: Client, survey: Survey, typed: str, color: str) -> None:
    ann.post(f"/staff/studio/{survey.pk}/looks/", {"accent": typed})
    assert read_document(survey)["looks"]["accent"] == color


def test_a_file_that_is_too_large_to_send_is_refused_before(
    signed_in: Page, live: LiveServer, survey: Survey, tmp_path: Path
) -> None:
    """The site would cut the line; what was typed stays, and a smaller file is sent."""
    (tmp_path / "1.png").write_bytes(bytes(2_500_001))
    signed_in.goto(f"{live.url}/staff/studio/{survey.pk}/looks/?question=theft")
    chosen, words = signed_in.locator("input[type=file]"), signed_in.locator("textarea").first
    words.fill("A shop")
    chosen.set_input_files(tmp_path / "1.png")
    signed_in.get_by_role("button", name="Save").click()
    limits = f"A picture is PNG, JPEG or SVG, of {PICTURE} kB at most; a sound MP3, of {SOUND} kB."
    assert chosen.evaluate("field => field.validationMessage") == limits
    expect(chosen).to_have_accessible_description(limits)
    assert words.input_value() == "A shop"
    chosen.set_input_files({"name": "1.png", "mimeType": "image/png", "buffer": png()})
    signed_in.get_by_role("button", name="Save").click()
    signed_in.locator(".banner").wait_for()
    assert media_of(survey, "theft") == {"file": {"en": name_of(png())}, "words": {"en": "A shop"}}


@pytest.mark.long
def test_a_file_that_no_form_can_send_is_refused_before(signed_in: Page, live: LiveServer, tmp_path: Path) -> None:
    """Where a field has no limit of its own."""
    (tmp_path / "1.json").write_bytes(bytes(2_500_001))
    signed_in.goto(f"{live.url}/staff/studio/import/")
    chosen = signed_in.locator("input[type=file]")
    chosen.set_input_files(tmp_path / "1.json")
    assert chosen.evaluate("field => field.validationMessage") == "A file of more than 2.5 MB cannot be sent."


def test_a_logo_says_its_own_limit_before_a_file_is_chosen(ann: Client, survey: Survey) -> None:
    """It is the limit by which a larger one is refused."""
    address = f"/staff/studio/{survey.pk}/looks/"
    said = f"PNG, JPEG or SVG, of {PICTURE} kB at most."
    page = ann.get(address).content.decode()
    assert (f'data-large="{said}"' in page, f"{said} It stands on the first page" in page) == (True, True)
    large = png(more=chunk(b"IDAT", bytes(PICTURE * 1000)))
    refused = ann.post(address, {"file": file(large)}).content.decode()
    assert f"kB, more than {PICTURE}: everybody loads it" in refused


@pytest.mark.long
def test_the_focus_is_on_the_field_that_was_refused(signed_in: Page, live: LiveServer, survey: Survey) -> None:
    signed_in.goto(f"{live.url}/staff/studio/{survey.pk}/looks/")
    signed_in.get_by_label("Colour").fill("red")
    with signed_in.expect_response(lambda answer: answer.status == 422):
        signed_in.get_by_label("Colour").press("Enter")
    expect(signed_in.get_by_label("Colour")).to_be_focused()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"accent": "red"}, "“red” is no colour: # and six of 0-9 and a-f, such as #17635c."),
        ({"file": MP3}, "A logo is a picture."),
        ({"file": b"GIF89a"}, "This is no PNG, JPEG, SVG or MP3 file."),
        ({"question": "theft", "file": png(5000, 1)}, "The picture has 5000 × 1 pixels; each side has 1 to 4000."),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(ann: Client, survey: Survey, said: dict[str, object], why: str) -> None:
    """With what was typed, and the draft stays as it was."""
    before = read_document(survey)
    sent = {name: file(value) if isinstance(value, bytes) else value for name, value in said.items()}
    answer = ann.post(f"/staff/studio/{survey.pk}/looks/", {"words-en": "As I typed it", **sent})
    page = answer.content.decode()
    assert (answer.status_code, why in page, "As I typed it" in page) == (422, True, True)
    assert (read_document(survey), Medium.objects.count()) == (before, 0)


def test_a_good_file_beside_a_refused_colour_is_asked_for_again(ann: Client, survey: Survey) -> None:
    """A browser forgets it; it would be missed when all is saved."""
    answer = ann.post(f"/staff/studio/{survey.pk}/looks/", {"accent": "maroon", "file": file(svg())})
    assert (answer.status_code, "Choose the file again" in answer.content.decode()) == (422, True)


def test_what_a_picture_shows_is_written_on_its_own_page(ann: Client, survey: Survey) -> None:
    """*Publish* leads there."""
    address = f"/staff/studio/{survey.pk}/looks/?question=theft"
    ann.post(address, {"question": "theft", "language": "en", "file": file(png())})
    assert f'href="{address}"' in ann.get(f"/staff/studio/{survey.pk}/publish/").content.decode()


def test_there_is_no_page_for_a_question_that_is_not_there(ann: Client, survey: Survey) -> None:
    assert ann.get(f"/staff/studio/{survey.pk}/looks/?question=nobody").status_code == 404


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_asks_alike_for_one_question_and_three(
    ann: Client, count: int, django_assert_max_num_queries: object
) -> None:
    survey = make_survey(names=("drugs", "cheating", "theft")[:count])
    for name in ("drugs", "cheating", "theft")[:count]:
        said = {"question": name, "language": "en", "words-en": name, "file": file(png())}
        ann.post(f"/staff/studio/{survey.pk}/looks/", said)
    with django_assert_max_num_queries(14):  # type: ignore[operator]
        page = ann.get(f"/staff/studio/{survey.pk}/looks/").content.decode()
    assert page.count('class="thumbnail"') == count
