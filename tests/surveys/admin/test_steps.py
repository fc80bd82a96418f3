"""Trying, publishing, closing and erasing a survey: by POST alone, and only by those who may."""

import re
from datetime import timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from surveys.domain.messages.invite import BITS
from surveys.domain.messages.submission import Stored
from surveys.domain.questionnaire import publish
from surveys.domain.responses.seal import seal_closed
from surveys.models import Block, Invitation, InvitationBatch, Survey, SurveyVersion, Trial
from tests.surveys.admin.pages import entered, question_page, send, somebody, step, survey_page, visit
from tests.surveys.inbox import wait
from tests.surveys.making import make_survey, words

pytestmark = pytest.mark.django_db

STEPS = ("preview", "publish", "close", "invite", "draw", "erase")


@pytest.fixture(scope="module")
def signing_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, BITS)


@pytest.fixture
def survey() -> Survey:
    return make_survey()


@pytest.fixture
def researcher() -> User:
    return somebody()


@pytest.mark.parametrize("name", STEPS)
def test_looking_at_a_page_does_nothing(researcher: User, survey: Survey, name: str) -> None:
    """A link that is opened, or fetched ahead, changes nothing."""
    visit(researcher, step(survey, name))

    assert (SurveyVersion.objects.count(), Trial.objects.count(), Survey.objects.get().closed_at) == (0, 0, None)


@pytest.mark.parametrize(
    ("name", "permissions"),
    [
        ("preview", ["view"]),
        ("publish", ["view", "add", "delete"]),
        ("close", ["view"]),
        ("invite", ["view"]),
        ("draw", ["view"]),
        ("erase", ["view", "change"]),
    ],
)
def test_a_step_needs_its_permission(survey: Survey, name: str, permissions: list[str]) -> None:
    """Changing is for those who may change surveys, erasing for those who may delete them."""
    visitor = somebody(*permissions)

    with pytest.raises(PermissionDenied):
        visit(visitor, step(survey, name), {"slug": survey.slug})

    assert Survey.objects.count() == 1


@pytest.mark.parametrize("name", STEPS)
def test_a_stranger_is_sent_to_sign_in(client: Client, survey: Survey, name: str) -> None:
    """Without an account of the staff there is only the way to sign in."""
    response = client.post(step(survey, name), {"slug": survey.slug})

    assert response.status_code == 302
    assert response.url.startswith("/staff/admin/login/")
    assert (Survey.objects.count(), SurveyVersion.objects.count()) == (1, 0)


def test_a_forged_post_is_refused(survey: Survey) -> None:
    """Another site's page cannot publish with somebody's session."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(somebody())

    assert client.post(step(survey, "publish")).status_code == 403
    assert SurveyVersion.objects.count() == 0


def test_trying_leads_to_the_real_client(researcher: User, survey: Survey) -> None:
    """The draft as it stands gets a link nobody can guess, with its hash; a new try ends the one before."""
    first = visit(researcher, step(survey, "preview"), {})
    second = visit(researcher, step(survey, "preview"), {})

    trial = Trial.objects.get()
    assert re.fullmatch(r"/t/[\w-]{16}/test/#v=[0-9a-f]{64}", second.url)
    assert second.url == f"/t/{trial.code}/test/#v={trial.sha256}"
    assert first.url != second.url


def test_an_unfinished_draft_is_not_tried(researcher: User, survey: Survey) -> None:
    """The reason is said on the survey's own page."""
    survey.questions.all().delete()

    response = visit(researcher, step(survey, "preview"), {})

    assert response.url == survey_page(survey)
    assert Trial.objects.count() == 0


def test_publishing_freezes_a_version_and_shows_it(researcher: User, survey: Survey) -> None:
    """The first version, with the link respondents get."""
    response = visit(researcher, step(survey, "publish"), {})

    version = SurveyVersion.objects.get()
    assert response.url == f"/staff/admin/surveys/surveyversion/{version.pk}/change/"
    assert version.number == 1
    shown = visit(researcher, response.url).context_data
    assert (shown["link"], shown["poster"]) == (f"http://testserver/s/study/#v={version.sha256}", "/s/study/poster/")


def test_a_changed_draft_becomes_the_next_version(researcher: User, survey: Survey) -> None:
    """What was published stays; the page says whether the draft differs from it."""
    publish.publish(survey)
    unchanged = visit(researcher, survey_page(survey)).context_data["unchanged"]
    survey.questions.filter(identifier="theft").delete()

    changed = visit(researcher, survey_page(survey)).context_data["unchanged"]
    visit(researcher, step(survey, "publish"), {})

    assert (unchanged, changed) == (True, False)
    assert [len(version.design.items) for version in SurveyVersion.objects.all()] == [3, 2]


def test_the_same_questionnaire_is_not_published_twice(researcher: User, survey: Survey) -> None:
    """Publishing again without a change is refused."""
    publish.publish(survey)

    response = visit(researcher, step(survey, "publish"), {})

    assert response.status_code == 200
    assert SurveyVersion.objects.count() == 1


def test_a_draft_with_missing_texts_is_not_published(researcher: User, survey: Survey) -> None:
    """The page lists what is missing and publishes nothing."""
    Survey.objects.filter(pk=survey.pk).update(heading={})

    response = visit(researcher, step(survey, "publish"), {})

    assert response.context_data["missing"] == ["“title for respondents” has no text in English."]
    assert SurveyVersion.objects.count() == 0


class TestOverTheLimit:
    """A design whose γ is above the site's limit needs a signature that respondents are shown."""

    @pytest.fixture
    def survey(self) -> Survey:
        survey = make_survey()
        Block.objects.update(settings={"keep": 0.6, "theta": 0.6})
        return survey

    def test_it_is_refused_without_a_reason(self, researcher: User, survey: Survey) -> None:
        """No reason, no version; and nothing is signed."""
        response = visit(researcher, step(survey, "publish"), {"reason": " "})

        assert response.context_data["form"].errors == {"reason": ["This field is required."]}
        assert SurveyVersion.objects.count() == 0
        assert Survey.objects.get().override_by == ""

    def test_it_is_published_with_name_and_reason(self, researcher: User, survey: Survey) -> None:
        """The definition that respondents get carries who signed, why, and both figures."""
        visit(researcher, step(survey, "publish"), {"reason": "A pilot among ourselves."})

        assert SurveyVersion.objects.get().parsed.source["override"] == {
            "by": "may-all",
            "reason": "A pilot among ourselves.",
            "gamma": 24.4375,
            "limit": 19.0,
        }

    def test_a_signature_that_led_nowhere_does_not_stand(self, researcher: User, survey: Survey) -> None:
        """Where publishing is refused for another reason, the signature goes with it."""
        visit(researcher, step(survey, "publish"), {"reason": "First."})

        visit(researcher, step(survey, "close"), {})
        visit(researcher, step(survey, "publish"), {"reason": "Second."})

        assert Survey.objects.get().override_reason == "First."

    def test_nothing_is_signed_below_the_limit(self, researcher: User, survey: Survey) -> None:
        """A reason that is sent along with a design inside the limit is not kept."""
        Block.objects.update(settings={"keep": 0.3, "theta": 0.6})

        visit(researcher, step(survey, "publish"), {"reason": "In case."})

        assert SurveyVersion.objects.get().parsed.source["override"] is None
        assert Survey.objects.get().override_reason == ""


def test_closing_ends_the_survey(researcher: User, survey: Survey) -> None:
    """A closed survey takes no responses and no changes."""
    publish.publish(survey)

    response = visit(researcher, step(survey, "close"), {})

    assert response.url == survey_page(survey)
    assert publish.is_closed(Survey.objects.get())


def test_what_its_date_has_ended_is_not_opened_again(researcher: User, survey: Survey) -> None:
    """Once the last responses are sealed the date is shown, not asked for, and sent all the same it changes nothing."""
    publish.publish(survey)
    past = timezone.now() - timedelta(minutes=5)
    page = survey_page(survey)
    Survey.objects.update(closes_at=timezone.now() + timedelta(days=1))
    before = entered(researcher, page)
    Survey.objects.update(closes_at=past)
    wait(survey.versions.get(), [Stored(bytes(1), b"")])
    seal_closed()

    visit(researcher, page, before | {"closes_at": ""})

    assert "closes_at" in before
    assert "closes_at" not in entered(researcher, page)
    assert Survey.objects.get().closes_at == past


def test_a_draft_is_not_closed(researcher: User, survey: Survey) -> None:
    """There is nothing to close before it was published."""
    visit(researcher, step(survey, "close"), {})

    assert Survey.objects.get().closed_at is None


class TestInviting:
    @pytest.fixture(autouse=True)
    def one_key(self, signing_key: rsa.RSAPrivateKey, monkeypatch: pytest.MonkeyPatch) -> None:
        """Making a key takes longer than all the rest of these tests."""
        monkeypatch.setattr(rsa, "generate_private_key", lambda _exponent, _bits: signing_key)

    @pytest.fixture
    def survey(self) -> Survey:
        return make_survey(access="invitation")

    def make(self, researcher: User, survey: Survey) -> InvitationBatch:
        visit(researcher, step(survey, "invite"), {"label": "Ward 3", "count": "3"})
        return InvitationBatch.objects.get()

    def test_a_batch_is_a_file_of_links(self, researcher: User, survey: Survey) -> None:
        """Each line is a link with the version's hash and a secret of its own; nobody stores the file."""
        version = publish.publish(survey)
        batch = self.make(researcher, survey)

        response = visit(researcher, step(survey, "draw"), {"batch": batch.pk})

        header, *links = [line.strip('"') for line in response.content.decode().splitlines()]
        assert header == "link"
        assert all(
            re.fullmatch(rf"http://testserver/s/study/#v={version.sha256}&i=[\w-]{{22}}", link) for link in links
        )
        assert len(set(links)) == Invitation.objects.count() == 3
        assert response["Content-Disposition"] == f'attachment; filename="invitations-study-{batch.pk}.csv"'
        assert "no-store" in response["Cache-Control"]

    def test_making_a_batch_leads_to_the_page_that_lists_it(self, client: Client, survey: Survey) -> None:
        """With its name and size, an empty form, and no link: pressing again asks for a name first."""
        publish.publish(survey)
        client.force_login(somebody())

        response = client.post(step(survey, "invite"), {"label": "Ward 3", "count": "3"}, follow=True)

        shown = response.context
        assert response.redirect_chain == [(step(survey, "invite"), 302)]
        assert [(batch.label, batch.count, batch.drawn) for batch in shown["batches"]] == [("Ward 3", 3, False)]
        assert not shown["form"].is_bound
        assert Invitation.objects.count() == 0

    def test_the_links_are_given_once(self, researcher: User, survey: Survey) -> None:
        """Asking again gives nothing and makes nothing."""
        publish.publish(survey)
        batch = self.make(researcher, survey)
        visit(researcher, step(survey, "draw"), {"batch": batch.pk})
        kept = set(Invitation.objects.values_list("secret", flat=True))

        again = visit(researcher, step(survey, "draw"), {"batch": batch.pk})

        shown = visit(researcher, step(survey, "invite")).context_data["batches"]
        assert again.url == step(survey, "invite")
        assert set(Invitation.objects.values_list("secret", flat=True)) == kept
        assert [batch.drawn for batch in shown] == [True]

    def test_a_batch_has_a_name_of_its_own(self, researcher: User, survey: Survey) -> None:
        """Sending the form twice makes no second batch."""
        publish.publish(survey)
        self.make(researcher, survey)

        response = visit(researcher, step(survey, "invite"), {"label": "Ward 3", "count": "3"})

        assert response.context_data["form"].errors == {
            "label": ["There is a batch “Ward 3” already; give this one another name."]
        }
        assert InvitationBatch.objects.count() == 1

    @pytest.mark.parametrize("named", ["", "x", "99", "another"])
    def test_links_are_of_a_batch_of_this_survey(self, researcher: User, survey: Survey, named: str) -> None:
        """Whatever else is asked for leads back to the page."""
        publish.publish(survey)
        other = make_survey("other", access="invitation")
        batch = InvitationBatch.objects.create(survey=other, label="x", count=3, created_on="2026-01-01")

        response = visit(researcher, step(survey, "draw"), {"batch": str(batch.pk) if named == "another" else named})

        assert response.url == step(survey, "invite")
        assert Invitation.objects.count() == 0

    def test_a_draft_invites_nobody(self, researcher: User, survey: Survey) -> None:
        """Before there is a version there is nothing to link to."""
        visit(researcher, step(survey, "invite"), {"label": "Ward 3", "count": "3"})

        assert InvitationBatch.objects.count() == 0

    def test_a_closed_survey_invites_nobody(self, researcher: User, survey: Survey) -> None:
        """Its links would lead to nothing."""
        publish.publish(survey)
        publish.close(survey)

        response = visit(researcher, step(survey, "invite"), {"label": "Ward 3", "count": "3"})

        assert response.context_data["form"].non_field_errors() == ["This survey is closed."]

    @pytest.mark.parametrize("count", ["0", "100001", "many", ""])
    def test_a_number_that_is_none_is_refused(self, researcher: User, survey: Survey, count: str) -> None:
        """One to a hundred thousand at a time."""
        publish.publish(survey)

        response = visit(researcher, step(survey, "invite"), {"label": "Ward 3", "count": count})

        assert list(response.context_data["form"].errors) == ["count"]
        assert InvitationBatch.objects.count() == 0

    def test_an_open_survey_invites_nobody(self, researcher: User) -> None:
        """Everybody who has its link may answer; the sentence says how to change that."""
        survey = make_survey("open")
        publish.publish(survey)

        response = visit(researcher, step(survey, "invite"), {"label": "Ward 3", "count": "3"})

        assert response.context_data["form"].non_field_errors() == [
            "This survey is open to everybody: set access to invitations before you publish it."
        ]


def test_erasing_asks_for_the_name(researcher: User, survey: Survey) -> None:
    """A wrong name erases nothing."""
    response = visit(researcher, step(survey, "erase"), {"slug": "studie"})

    assert response.context_data["form"].errors == {"slug": ["Type “study” to erase this survey."]}
    assert Survey.objects.count() == 1


def test_erasing_leaves_nothing(researcher: User, survey: Survey) -> None:
    """Questionnaire, versions and blocks go together."""
    publish.publish(survey)

    response = visit(researcher, step(survey, "erase"), {"slug": "study"})

    assert response.url == "/staff/admin/surveys/survey/"
    assert (Survey.objects.count(), SurveyVersion.objects.count(), Block.objects.count()) == (0, 0, 0)


def test_the_history_says_what_was_done_and_by_whom(researcher: User, survey: Survey) -> None:
    """Publishing and closing stand in the survey's history."""
    visit(researcher, step(survey, "publish"), {})
    visit(researcher, step(survey, "close"), {})

    history = LogEntry.objects.order_by("pk").values_list("user__username", "object_id", "change_message")
    assert list(history) == [
        ("may-all", str(survey.pk), "Version 1 is published."),
        ("may-all", str(survey.pk), "The survey is closed. What is still waiting is sealed within a minute."),
    ]


def test_a_question_is_changed_in_the_history_of_its_survey(researcher: User, survey: Survey) -> None:
    """And when the survey is erased, no name of it or its questions stays behind."""
    send(researcher, question_page(survey.questions.get(identifier="theft")), {"help:en": "Any."})
    history = [(entry.object_id, entry.get_change_message()) for entry in LogEntry.objects.all()]

    visit(researcher, step(survey, "erase"), {"slug": "study"})

    assert history == [(str(survey.pk), "Changed Help text for question “theft”.")]
    assert not LogEntry.objects.exists()


def test_the_reasons_are_escaped(client: Client, survey: Survey) -> None:
    """What a researcher wrote is text on every page of the admin."""
    client.force_login(somebody())
    Survey.objects.filter(pk=survey.pk).update(heading=words("<b>x</b>"), title="<i>y</i>")
    version = publish.publish(Survey.objects.get())

    for url in (survey_page(survey), f"/staff/admin/surveys/surveyversion/{version.pk}/change/", step(survey, "erase")):
        body = client.get(url).content.decode()
        assert "<b>x</b>" not in body
        assert "<i>y</i>" not in body
