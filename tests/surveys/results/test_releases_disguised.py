"""An undisguised question is disguised in a release: from the form through both files to `candor reconstruct`."""

import json
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from candor.commands import main
from privacy.release.reasons import ReleaseError
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.rehearsal import ask as rehearsing
from surveys.domain.rehearsal.ask import fill
from surveys.models import TableRelease
from surveys.releases.table import answers_of, to_release
from tests.surveys.making import add_question
from tests.surveys.results.making import answer, draft, survey_with_results
from tests.surveys.results.releasing import FORM, files_of, form_of, made, table_of, work

FACULTY = {"role": "disguised", "gamma": 9, "values": ["arts", "law", "music"]}


def test_questions_numbers_and_days_are_disguised_on_the_page_and_reconstructed_from_the_files(
    client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Shares come back within 4.5 standard errors; `mine` and `regress` read the files, and the page says it all.

    A direct respondent's answer is disguised, too.
    """
    version = survey_with_results(800)
    true = answers_of(to_release(version), ["faculty", "hours", "born"])
    client.force_login(User.objects.create_superuser("root"))
    more = {"role-hours": "disguised", "starts-hours": "6, 8", "role-born": "disguised", "starts-born": "2026-04"}
    asked = FORM | more | {"invariant-born": "on"}
    table, design = (str(path) for path in files_of(version, client, asked, tmp_path))
    page = " ".join(
        client.get(reverse("studio:release", args=[version.pk, TableRelease.objects.get().pk])).content.decode().split()
    )
    expected = {
        "faculty=law": true["faculty"].count("law"),
        "hours=6 to below 8": sum(6 <= float(hours) < 8 for hours in true["hours"]),
        "born=below 2026-04": sum(born < "2026-04" for born in true["born"]),
    }

    capsys.readouterr()
    for pattern, count in expected.items():
        assert main(["reconstruct", table, design, f"--pattern={pattern}", "--json"]) == 0
        (found,) = json.loads(capsys.readouterr().out)["patterns"]
        assert abs(found["support"] - count / 800) < 4.5 * found["se"], pattern
    assert main(["mine", table, design, "--min-support", "0.05", "--json"]) == 0
    assert "hours=6 to below 8" in capsys.readouterr().out
    assert (
        main(["regress", table, design, "--outcome", "born=below 2026-04", "--on", "answered_directly", "--json"]) == 0
    )
    assert "answered_directly" in capsys.readouterr().out
    assert json.loads(Path(design).read_text())["direct"] is False
    columns = ["answered_directly", "mood", "drugs", "faculty", "hours", "born"]
    assert list(table_of(TableRelease.objects.get())[0]) == columns
    assert "“Which faculty are you in?” is disguised: many rows show another value than the true one." in page
    assert "Neither limits what a whole group has in common" in page
    assert "The design of “When did you begin?” tells how often each value occurs." in page
    assert "multiply the odds of anything by at most 729, the product of their γ." in page


def test_no_other_column_tells_what_is_disguised() -> None:
    """Neither whom a later question was asked, at any depth, nor another part of the same question."""
    survey = draft(override_by="Tests", override_reason="two blocks")
    yes = {"type": "yesno", "page": 3, "required": True, "text": {"en": "Have you?", "zh-hans": "您有吗？"}}
    add_question(survey, "court", when={"question": "faculty", "is": ["law"]}, **yes)
    add_question(survey, "won", when={"question": "court", "is": ["1"]}, **yes)
    version = publish(survey)
    answer(version, 300)
    close(survey)
    bus = {"role": "disguised", "gamma": 9, "values": ["0", "1", "no answer"]}
    drugs, plain = {"drugs": {"role": "sensitive"}}, {"role": "insensitive"}
    hidden = drugs | {"faculty": FACULTY}

    refused = [hidden | {"court": plain}, hidden | {"won": plain}, drugs | {"bus": bus, "bike": plain}]
    said = ["“court” tells of “faculty”, ", "“won” tells of “faculty”, ", "“bike” tells of “bus”, "]
    for attributes, sentence in zip(refused, said, strict=True):  # before anything is made
        with pytest.raises(ReleaseError, match=sentence):
            made(version, **attributes)
    assert made(version, bus=bus, bike=bus, **drugs).state == TableRelease.State.READY


def test_a_neighbour_of_a_disguised_question_is_refused_at_the_form(client: Client) -> None:
    """One sentence, and the entries stay; nobody waits for a worker that refuses."""
    survey = draft(override_by="Tests", override_reason="two blocks")
    yes = {"type": "yesno", "page": 3, "text": {"en": "Have you?", "zh-hans": "您有吗？"}}
    add_question(survey, "court", when={"question": "faculty", "is": ["law"]}, **yes)
    version = publish(survey)
    answer(version, 300)
    close(survey)
    client.force_login(User.objects.create_superuser("root"))

    refused = client.post(reverse("studio:releases", args=[version.pk]), FORM | {"role-court": "insensitive"})

    (said,) = refused.context["form"].non_field_errors()
    assert said.startswith("“court” tells of “faculty”, which is disguised: it is of the same question")
    assert refused.context["form"]["role-court"].value() == "insensitive"
    assert not TableRelease.objects.exists()


def test_a_release_is_rehearsed_with_simulated_people_before_anybody_answers(client: Client) -> None:
    """With a disguised question; the page of the open survey says where, and nothing of the survey itself is there."""
    survey = draft()
    apart = rehearsing.begin(survey, 400)
    fill(apart.pk)
    version = apart.versions.get()
    people = len(to_release(version).sealed)
    client.force_login(User.objects.create_superuser("root"))

    place = client.post(reverse("studio:releases", args=[version.pk]), FORM)
    assert place.status_code == 302, place.context["form"].errors
    work(TableRelease.objects.get().pk)
    client.post(reverse("studio:release-publish", args=[version.pk, TableRelease.objects.get().pk]))
    release = TableRelease.objects.get()

    assert (release.state, len(table_of(release))) == (TableRelease.State.DONE, people)
    collecting = survey_with_results(300, closed=False, slug="open")
    page = client.get(reverse("studio:releases", args=[collecting.pk])).content.decode()
    assert "A rehearsal, which begins on Try, makes them of simulated people before." in page


@pytest.mark.parametrize(
    ("changed", "refused"),
    [
        ({"gamma-faculty": "1"}, {"gamma-faculty": ["1 is not above 1; at 1 nothing can be learned."]}),
        ({"gamma-faculty": "much"}, {"gamma-faculty": ["Enter a number."]}),
        (
            {"role-hours": "disguised"},
            {"starts-hours": ["Enter where ranges of a disguised question begin, such as 20, 40, 60."]},
        ),
        ({"role-hours": "disguised", "starts-hours": "8, 6"}, {"starts-hours": ["6 after 8 does not rise."]}),
        (
            {"role-born": "disguised", "starts-born": "spring"},
            {"starts-born": ["['spring'] are neither numbers nor days."]},
        ),
    ],
    ids=["one", "no number", "no ranges", "falling", "no day"],
)
def test_a_wrong_disguise_is_refused_at_its_field(changed: dict[str, str], refused: dict[str, list[str]]) -> None:
    assert form_of(survey_with_results(300), FORM | changed).errors == refused
