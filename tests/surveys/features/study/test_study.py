"""A study: which surveys may be its arms, how the link draws them, and its report, which compares them."""

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import numpy as np
import pytest
from django.test import Client

from privacy.design.rationals import ONE
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import EntryError, InputError
from privacy.records import Records
from privacy.records.packing import pack
from surveys.definition import Definition
from surveys.domain.closed.erase import erase
from surveys.domain.database.used import move
from surveys.domain.drafts.beginnings import beginning
from surveys.domain.messages.invite import invite
from surveys.domain.questionnaire.document import read_document, store
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal
from surveys.features.study import check_study, for_another
from surveys.features.study.draft import newest_of_arm
from surveys.features.study.report import PART
from surveys.models import Invitation, InvitationKey, Membership, SpentToken, Survey, SurveyVersion
from surveys.results.report import data_of
from tests.client.invitations import to_text
from tests.surveys.documents import document, question
from tests.surveys.features.paper.sheets_of import crosswise, of_paper, publish_paper
from tests.surveys.making import make_survey, write
from tests.surveys.sending import send, sign_in_the_open, submission
from tests.surveys.staff import somebody
from tests.surveys.studio.conftest import Walk, on_a_phone

HASH = "1" * 64


def study(*chances: int, **more: Any) -> dict[str, Any]:
    """The entry of a definition: the first chance is that of the survey itself."""
    arms = [{"slug": f"arm-{place}", "version": HASH, "chance": chance} for place, chance in enumerate(chances[1:])]
    return {"here": chances[0], "arms": arms, **more}


@pytest.mark.parametrize(
    ("entry", "more", "sentence"),
    [
        (study(ONE // 2, ONE // 4), {}, "study: the chances of all arms are 2^32 together."),
        (study(ONE), {}, "study: a study has 1 to 8 other arms."),
        (
            study(ONE - 8, *[1] * 8) | {"there": 1},
            {},
            "study holds the weight of this survey, here, and its other arms.",
        ),
        (study(0, ONE), {}, "study: each arm needs a whole number above 0."),
        (study(ONE // 2, ONE // 2), {"slug": "arm-0"}, "study: this survey is an arm already."),
        ({"of": "a/b"}, {}, "the first survey of a study is named by its slug."),
        ({"of": "study"}, {}, "study: this survey is an arm already."),
        (
            {"of": "first"},
            {},
            "Invitations to “first” let people into this arm: set its access to invitations, too.",
        ),
    ],
)
def test_a_study_that_draws_otherwise_is_refused(entry: Any, more: dict[str, Any], sentence: str) -> None:
    """One sentence says what is wrong; a definition without one is as it always was."""
    with pytest.raises(InputError) as refused:
        Definition.parse(document(study=entry, **more))

    assert str(refused.value) == sentence


@pytest.mark.parametrize("slug", ["", "a/b", "a#b", "../a", "x" * 51, None])
def test_an_arm_is_another_survey_of_this_site(slug: Any) -> None:
    """Nothing that leads elsewhere."""
    with pytest.raises(InputError, match="named by the slug"):
        check_study({"here": 1, "arms": [{"slug": slug, "version": HASH, "parts": 1}]}, "parts")


@pytest.fixture
def owned() -> Callable[[str], Survey]:
    """Surveys that may be published, all of one owner."""
    ann = somebody()

    def make(slug: str) -> Survey:
        survey = make_survey(slug=slug)
        Membership.objects.create(survey=survey, user=ann, role=Membership.Role.OWNER)
        return survey

    return make


def test_the_form_offers_surveys_of_the_same_owners_and_publishing_draws_them(
    owned: Callable[[str], Survey], client: Client
) -> None:
    """1 : 3 is a quarter of the devices and three quarters; a survey of other owners is not offered."""
    entry, arm, other = owned("entry"), owned("arm"), make_survey(slug="other")
    published = publish(arm)
    Membership.objects.create(survey=other, user=somebody("view"), role=Membership.Role.OWNER)
    publish(other)
    client.force_login(Membership.objects.get(survey=entry).user)
    page = client.get(f"/staff/studio/{entry.pk}/fieldwork/?way=arms").content.decode()
    answer = client.post(f"/staff/studio/{entry.pk}/arms/", {"here": 1, "arm": 3})
    version = publish(Survey.objects.get(pk=entry.pk))

    assert ('name="arm"' in page, 'name="other"' in page, answer.status_code) == (True, False, 302)
    assert version.parsed.source["study"] == {
        "here": ONE // 4,
        "arms": [{"slug": "arm", "version": published.sha256, "chance": 3 * (ONE // 4)}],
    }


def test_a_study_is_published_when_each_arm_takes_answers(owned: Callable[[str], Survey]) -> None:
    """Its newest version, of a survey of the same owners that is no study: one sentence says what is not so."""
    entry, arm = owned("entry"), owned("arm")
    first = publish(arm)
    chosen = {"here": 1, "arms": [{"slug": "arm", "version": first.sha256, "parts": 1}]}

    def refusal() -> str:
        write(Survey.objects.get(pk=entry.pk), study=chosen)
        with pytest.raises(EntryError) as refused:
            publish(Survey.objects.get(pk=entry.pk))
        return str(refused.value)

    chosen["arms"][0]["version"] = HASH  # type: ignore[index]
    newer = refusal()
    chosen["arms"][0]["version"] = first.sha256  # type: ignore[index]
    Survey.objects.filter(pk=arm.pk).update(closed_at="2026-01-01T00:00Z")
    closed = refusal()
    Membership.objects.filter(survey=arm).delete()

    assert (closed, newer, refusal()) == (
        "“arm” takes no answers any more.",
        "“arm” has a newer version: save the arms again.",
        "“arm” is no published survey that the owners of this one own, too.",
    )


def test_a_copy_is_no_study(owned: Callable[[str], Survey], client: Client) -> None:
    """It is to become an arm."""
    entry, arm = owned("entry"), owned("arm")
    version = publish(arm)
    write(entry, study={"here": 1, "arms": [{"slug": "arm", "version": version.sha256, "parts": 1}]})
    assert read_document(entry)["study"]["here"] == 1
    assert for_another(read_document(entry))["study"] is None


@pytest.fixture
def invited(owned: Callable[[str], Survey]) -> tuple[SurveyVersion, SurveyVersion]:
    """The first survey of a study by invitation, and its other arm."""
    first, arm = owned("first"), owned("arm")
    write(first, access="invitation")
    write(arm, access="invitation", study={"of": "first"})
    published = publish(arm)
    write(first, study={"here": 1, "arms": [{"slug": "arm", "version": published.sha256, "parts": 1}]})
    return publish(first), published


def test_a_token_is_good_once_in_all_arms(invited: tuple[SurveyVersion, SurveyVersion], client: Client) -> None:
    """The first survey signs for all, so the site does not learn of which arm; also after what came was sealed."""
    first, arm = invited
    token = sign_in_the_open(first, b"m" * 32)

    def statuses() -> list[int]:
        return [send(client, one.survey.slug, submission(one, token=token)).status_code for one in (arm, first)]

    before = statuses()
    spent = list(SpentToken.objects.values_list("survey", flat=True))
    move()

    assert first.parsed.source["key"] == arm.parsed.source["key"]
    assert (before, statuses(), spent) == ([201, 409], [409, 409], [first.survey_id])
    unspent = sign_in_the_open(first, b"n" * 32)
    erase(first.survey)
    refused = send(client, "arm", submission(arm, token=unspent))
    assert json.loads(refused.content)["error"] == "closed"


def test_the_site_exchanges_an_invitation_without_the_arm(
    invited: tuple[SurveyVersion, SurveyVersion], client: Client
) -> None:
    """At the first survey alone; what is kept of it names no arm, and the arm has neither key nor invitations."""
    first, arm = invited
    (secret,) = invite(first.survey, "all", 1)

    def exchange(version: SurveyVersion, slug: str) -> int:
        message = {"version": version.sha256, "invitation": secret, "blinded": to_text(b"\1" * 384)}
        return client.post(f"/s/{slug}/invitations", message, content_type="application/json").status_code

    statuses = [exchange(arm, "arm"), exchange(first, "arm"), exchange(arm, "first"), exchange(first, "first")]
    with pytest.raises(EntryError) as refused:
        invite(arm.survey, "all", 1)

    assert statuses == [422, 409, 409, 200]
    assert str(refused.value) == "Invitations to “first” let people in: make them there."
    kept = Invitation.objects.values_list("secret", "batch__survey", "blinded")
    blinded = sha256(b"\1" * 384).digest()
    assert [tuple(row) for row in kept] == [(sha256(secret.encode()).digest(), first.survey_id, blinded)]
    assert not arm.survey.invitation_batches.exists()
    assert not InvitationKey.objects.filter(survey=arm.survey).exists()


def test_an_arm_by_invitation_takes_those_of_a_survey_of_its_owners_that_invites(
    owned: Callable[[str], Survey],
) -> None:
    """And all arms let people in alike, and are all on paper or none: one sentence says what is not so."""
    first, arm, other = owned("first"), owned("arm"), make_survey(slug="other", access="invitation")
    Membership.objects.create(survey=other, user=somebody("view"), role=Membership.Role.OWNER)
    plain = publish(owned("plain"))
    study = {"here": 1, "arms": [{"slug": "plain", "version": plain.sha256, "parts": 1}]}

    def refusal(survey: Survey, **written: Any) -> str:
        write(Survey.objects.get(pk=survey.pk), **written)
        with pytest.raises(EntryError) as refused:
            publish(Survey.objects.get(pk=survey.pk))
        return str(refused.value)

    sentences = [
        refusal(arm, access="invitation", study={"of": "nobody"}),
        refusal(arm, study={"of": other.slug}),
        refusal(arm, study={"of": first.slug}),
        refusal(first, access="invitation", study=study),
    ]
    with pytest.raises(EntryError) as on_paper:
        newest_of_arm(first, "plain", by_invitation=False, on_paper=True)

    assert [*sentences, str(on_paper.value)] == [
        "There is no survey “nobody” whose invitations could let people in.",
        "“other” is no survey whose owners own this one, too.",
        "“first” invites nobody: let in only those who are invited there.",
        "“plain” cannot be an arm: say there whose invitations let people in, and publish it.",
        "“plain” cannot be an arm: all arms are asked on paper, too, or none is.",
    ]


def test_the_form_makes_a_survey_an_arm_of_one_that_invites(owned: Callable[[str], Survey], client: Client) -> None:
    """From then on it lets in those who are invited there, and its page says where invitations are made."""
    arm = owned("arm")
    write(owned("first"), access="invitation")
    client.force_login(Membership.objects.get(survey=arm).user)
    answer = client.post(f"/staff/studio/{arm.pk}/arms/", {"here": 1, "invited.by": "first"})
    document = read_document(arm)
    page = client.get(f"/staff/studio/{arm.pk}/fieldwork/?way=arms").content.decode()

    assert (answer.status_code, document["study"], document["access"]) == (302, {"of": "first"}, "invitation")
    assert "Invitations to “first” let people in: make them there." in page
    assert "Give out no link of this survey." in page


def test_the_start_page_sends_owners_of_an_arm_to_the_survey_that_invites(
    invited: tuple[SurveyVersion, SurveyVersion], client: Client
) -> None:
    """Only there can invitations be made."""
    first, _arm = invited
    client.force_login(Membership.objects.get(survey=first.survey).user)
    facts = {task.survey.slug: task.facts for task in client.get("/staff/studio/").context["tasks"]}

    assert facts == {
        "first": ["Send the invitations."],
        "arm": ["Invitations to “first” let people in: make them there."],
    }


def test_the_way_counts_who_came_to_each_arm(invited: tuple[SurveyVersion, SurveyVersion], client: Client) -> None:
    """In full hundreds while they collect, and together against the invitations that were made."""
    first, arm = invited
    client.force_login(Membership.objects.get(survey=first.survey).user)

    def way() -> tuple[str, str]:
        found = client.get(f"/staff/studio/{first.survey_id}/fieldwork/?way=arms").context["come"]
        (own,) = (one["way"] for one in found if one["way"].name == "arms")
        return str(own.state.words), own.shown["arms_answered"]

    invite(first.survey, "all", 500)
    before = way()
    for version, people in ((first, 240), (arm, 150)):
        codes = np.zeros((people, 3), np.uint8)
        seal.append(version, pack(Records(version.design, codes, np.zeros(people, bool))), [b"{}"] * people)

    assert before == ("in use", "")
    assert way() == ("more than 300 of 500 used", "first: more than 200 answers, arm: more than 100 answers")


def test_the_way_says_that_a_link_may_lead_to_another_arm_until_somebody_begins(
    invited: tuple[SurveyVersion, SurveyVersion], client: Client
) -> None:
    """Who tries a link on a device of their own should not be surprised."""
    first, _arm = invited
    client.force_login(Membership.objects.get(survey=first.survey).user)
    page = " ".join(client.get(f"/staff/studio/{first.survey_id}/fieldwork/?way=arms").content.decode().split())

    assert "Until somebody begins with an invitation, its link may lead to another arm on another device." in page


@pytest.mark.parametrize("let_in", ["arm", "first"])
def test_a_panels_numbers_let_people_into_all_arms_or_none(owned: Callable[[str], Survey], let_in: str) -> None:
    """Else an invitation would be good in one arm alone."""
    first, arm = owned("first"), owned("arm")
    write(first, access="invitation")
    write(arm, access="invitation", study={"of": "first"})
    ends = dict.fromkeys(("sent", "out", "full"), "C0DE")
    write({"first": first, "arm": arm}[let_in], panel={"by": "sona", "name": "SONA", "number": "id", **ends})
    write(first, study={"here": 1, "arms": [{"slug": "arm", "version": publish(arm).sha256, "parts": 1}]})
    with pytest.raises(EntryError) as refused:
        publish(first)

    assert str(refused.value) == "“arm” cannot be an arm: a provider's numbers let people in here or there."


def test_sheets_of_a_study_are_mixed_by_the_chances_of_its_arms(client: Client) -> None:
    """1 : 3 of 240; each kind of sheet as often as its arm is drawn, and its version alone tells the arm."""
    user = somebody()
    arm = publish_paper(crosswise("copied"), slug="own")
    entry = publish_paper(
        crosswise("copied"),
        slug="entry",
        study={"here": ONE // 4, "arms": [{"slug": "own", "version": arm.sha256, "chance": 3 * (ONE // 4)}]},
    )
    for version in (arm, entry):
        Membership.objects.create(survey=version.survey, user=user, role=Membership.Role.OWNER)
    client.force_login(user)
    page = client.get(f"/staff/studio/{entry.survey_id}/paper/print/?sheets=240").content.decode()
    guide = client.get(f"/staff/studio/{entry.survey_id}/paper/guide/").content.decode()
    alone = client.get(f"/staff/studio/{arm.survey_id}/paper/print/?sheets=180").content.decode()

    assert "60 copies of all of it" in page
    assert f"/staff/studio/{arm.survey_id}/paper/print/?sheets=180&amp;in=en&amp;size=a4" in page
    assert [mark in guide for mark in (entry.sha256[:8], arm.sha256[:8])] == [True, True]
    assert guide.count('<ol class="steps">') == 1  # both arms have one draw
    assert ("180 copies of all of it" in alone, "This is a study" in alone) == (True, False)


def answered(slug: str, yes: int, n: int, blocks: list[dict[str, Any]] | None = None, **more: Any) -> SurveyVersion:
    """A survey of n records of `copied`, of which so many are 1."""
    survey = Survey.objects.create(slug=slug, title=slug)
    source = of_paper(blocks or crosswise("copied"), slug=slug, **more)
    del source["mode"]
    frozen = Definition.parse(source).to_bytes()
    version = SurveyVersion.objects.create(
        survey=survey, number=1, definition=frozen, sha256=sha256(frozen).hexdigest(), published_on="2026-01-01"
    )
    codes = np.array([[1]] * yes + [[0]] * (n - yes), np.uint8)
    seal.append(version, pack(Records(version.design, codes, np.zeros(n, bool))), [b"{}"] * n)
    version.refresh_from_db()
    return version


def test_the_report_compares_the_arms_once_all_are_closed() -> None:
    """(.3 − 1/6)/(2/3) = .2 and (.4 − 1/6)/(2/3) = .35: 15 points more, with the error of both."""
    (exact,) = crosswise("copied")
    exact["draw"] = exact["draw"] | {"delta": [0, 1]}
    arm = answered("own", 400, 1000, [exact])
    entry = answered(
        "entry",
        300,
        1000,
        [exact],
        study={"here": ONE // 2, "arms": [{"slug": "own", "version": arm.sha256, "chance": ONE // 2}]},
    )
    (before,) = PART.parts(data_of(entry))
    said = before.context()["sentences"]
    Survey.objects.update(closed_at="2026-01-01T00:00Z")
    (part,) = PART.parts(data_of(entry))
    (figure,) = part.context()["figures"]
    errors = [np.sqrt(p * (1 - p) / 1000) / (2 / 3) for p in (0.3, 0.4)]

    assert [row[1:3] for row in figure.table.rows] == [("entry", "20.0 %"), ("own", "35.0 %")]
    assert figure.table.rows[1][5] == "+15.0"
    low, high = (float(end.replace("−", "-")) for end in figure.table.rows[1][6].split(" … "))
    assert (low, high) == pytest.approx((15 - 196 * np.hypot(*errors), 15 + 196 * np.hypot(*errors)), abs=0.15)
    assert said == ["Arms are compared once all of them are closed."]


@pytest.mark.parametrize(("plain", "is_as_good"), [(200, True), (120, False)])
def test_the_report_says_where_a_plain_question_was_as_good(plain: int, is_as_good: bool) -> None:
    """Of 1 000 the draw finds .2 with an error of .022: a plain .2 lies within √2 of that, and a plain .12 does not."""
    arm = answered("own", 300, 1000)
    study = {"here": ONE // 2, "arms": [{"slug": "own", "version": arm.sha256, "chance": ONE // 2}]}
    asked = question("copied", "yesno", text={"en": "I have copied."}, required=True)
    entry = publish_paper(crosswise("other"), asked, slug="plain", study=study)
    lines = [json.dumps({"copied": str(int(row < plain)), "mode": "web"}).encode() for row in range(1000)]
    records = Records(entry.design, np.zeros((1000, 1), np.uint8), np.zeros(1000, bool))
    seal.append(entry, pack(records), lines)
    Survey.objects.update(closed_at="2026-01-01T00:00Z")
    (part,) = PART.parts(data_of(SurveyVersion.objects.get(pk=entry.pk)))
    (figure,) = part.context()["figures"]
    said = "“I have copied.”: a plain question was as good as own, with fewer people."

    assert (said in figure.caption) == is_as_good


def publish_arm(name: str, **more: Any) -> SurveyVersion:
    """A template of the studio as it is, with who asks."""
    survey = Survey.objects.create(slug=name, title=name)
    store(survey, beginning(name, "Study", "en"))
    write(survey, who={"en": "We", "zh-hans": "我们"}, **more)
    return publish(survey)


def answer(version: SurveyVersion, seed: int) -> None:
    """2 000 simulated people: a fifth did it, all have lied, nobody sat exams for others, half of the slips say yes.

    Of those who draw themselves a fifth presses anything, yes in two of five.
    """
    n, draw, by_person = 2000, np.random.default_rng(seed), version.survey.slug == "validation-own"
    slip = draw.random(n) < 0.5
    truth = {"act": draw.random(n) < 0.2, "never": np.zeros(n, bool), "secret": slip, "always": np.ones(n, bool)}
    asked = np.column_stack([truth[item.id] for item in version.design.items]).astype(np.uint8)
    codes = disguise(version.design, asked, take=words_from_seed(seed)).codes
    if by_person:
        careless = draw.random(n) < 0.2
        codes[careless] = draw.random((int(careless.sum()), codes.shape[1])) < 0.4
    lines = []
    for row in range(n):
        said = {one.id: str(int(truth[one.id][row])) for one in version.parsed.open_questions if one.id in truth}
        look = {"look": ("fact", "opposite")[row % 2]} if by_person else {}
        lines.append(json.dumps(said | look | {"slip": "yes" if slip[row] else "no"}).encode())
    seal.append(version, pack(Records(version.design, codes, np.zeros(n, bool))), lines)


def test_the_templates_of_the_studio_are_a_whole_study() -> None:
    """Published as they are; one report compares them, and corrects where people draw: a fifth did it in each arm.

    Within 4.5 standard errors. As pressed the own draw has a fifth of other answers in it.
    """
    own, device = publish_arm("validation-own"), publish_arm("validation")
    arms = [{"slug": one.survey.slug, "version": one.sha256, "parts": 1} for one in (device, own)]
    plain = publish_arm("validation-plain", study={"here": 1, "arms": arms})
    for seed, version in enumerate((plain, device, own), 84):
        answer(version, seed)
    Survey.objects.update(closed_at="2026-01-01T00:00Z")
    (part,) = PART.parts(data_of(SurveyVersion.objects.get(pk=plain.pk)))
    (figure,) = part.context()["figures"]
    did = [row for row in figure.table.rows if row[0].startswith("Have you copied")]
    shares = [float(row[2].split()[0]) / 100 for row in did]

    assert [row[1] for row in did] == ["validation-plain", "validation", "validation-own"]
    assert [abs(share - 0.2) < 4.5 * error for share, error in zip(shares, (0.009, 0.025, 0.04), strict=True)] == [
        True
    ] * 3
    assert did[2][2] != did[2][4].split(" (")[0]
    never = [row for row in figure.table.rows if row[0].startswith("Have you sat")]
    assert [(row[1], row[5]) for row in never] == [("validation", "–"), ("validation-own", "–")]  # plain shows no share


@pytest.mark.long
@on_a_phone
def test_the_way_is_for_everybody(walk: Walk) -> None:
    """With a survey that may become an arm."""
    entry, arm = make_survey(slug="entry"), make_survey(slug="arm")
    for survey in (entry, arm):
        Membership.objects.create(survey=survey, user=walk.user, role=Membership.Role.OWNER)
    publish(arm)
    walk.look(f"/staff/studio/{entry.pk}/fieldwork/?way=arms")
