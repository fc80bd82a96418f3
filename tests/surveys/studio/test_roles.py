"""Who may do what: every address of a survey, walked by every role."""

import re
from datetime import date

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import translation

from surveys.domain.people import log
from surveys.domain.people.roles import MAY, Action, Role, give, may
from surveys.domain.questionnaire.closing import is_closed
from surveys.domain.questionnaire.publish import publish
from surveys.models import Survey, SurveyVersion
from tests.cases import first
from tests.surveys.making import make_survey, set_questions, write
from tests.surveys.staff import leave_unwritten, somebody
from tests.surveys.studio.walking import addresses

STRANGER = "stranger"
PEOPLE = (*Role.values, STRANGER)
OWNER, EDITOR, ANALYST, VIEWER, CLERK, INTERVIEWER = Role.values
ALL = {OWNER, EDITOR, ANALYST, VIEWER}  # who see a survey: a clerk enters sheets, and sees nothing else
WRITERS, TAKERS = {OWNER, EDITOR}, {OWNER, ANALYST}

# Whom each page of one survey lets in. An address that is missing here fails the walk.
STUDIO = {
    "studio:write": ALL,
    "studio:change": WRITERS,
    "studio:document": WRITERS,
    "studio:history": ALL,
    "studio:copy": set(),  # who may begin surveys, too
    "studio:translation": WRITERS,
    "studio:panel": WRITERS,
    "studio:frames": WRITERS,
    "studio:arms": WRITERS,
    "studio:looks": WRITERS,
    "studio:interviews": {*WRITERS, INTERVIEWER},
    "studio:interviews-choose": WRITERS,
    "studio:interviews-last": WRITERS,
    "studio:shared": WRITERS,
    "studio:paper": {*WRITERS, CLERK},
    "studio:paper-choose": WRITERS,
    "studio:paper-print": set(),  # no version may be answered on paper
    "studio:paper-guide": set(),
    "studio:paper-odk": set(),
    "studio:paper-typed": {*WRITERS, CLERK},
    "studio:publish": WRITERS,
    "studio:protocol": ALL,
    "studio:label": ALL,
    "studio:preregistration": ALL,
    "studio:protect": ALL,
    "studio:report": ALL,
    "studio:try": ALL,
    "studio:rehearsal-start": WRITERS,
    "studio:rehearsal-discard": WRITERS,
    "studio:rehearsal-progress": ALL,
    "studio:fieldwork": ALL,
    "studio:dates": WRITERS,
    "studio:invite": WRITERS,
    "studio:closed-text": WRITERS,
    "studio:mail": WRITERS,
    "studio:close": WRITERS,
    "studio:erase": {OWNER},
    "studio:export": ALL,
    "studio:export-file": ALL,
    "studio:people": {OWNER},
    "studio:alternatives": ALL,
    "studio:price": ALL,
    "studio:log": ALL,
    "studio:trial": WRITERS,
    "studio:preview": ALL,
    "studio:preview-questionnaire": ALL,
    "studio:preview-responses": {*PEOPLE},  # it stores nothing, and knows nobody
    "studio:preview-groups": {*PEOPLE},
    "studio:who-comes": WRITERS,
    "studio:test": set(),  # nobody named a way
    "studio:preview-frame": ALL,
    "studio:preview-as": ALL,
    "studio:preview-as-questionnaire": ALL,
    "studio:preview-as-responses": {*PEOPLE},
    "studio:preview-as-invitations": set(),  # nobody sent anything
    "studio:preview-as-groups": {*PEOPLE},
    "studio:files": TAKERS,
    "studio:version": ALL,
    "studio:results": ALL,
    "studio:results-pairs": ALL,
    "studio:results-table": ALL,
    "studio:results-regression": ALL,
    "studio:results-compare": ALL,
    "studio:results-weighted": ALL,
    "studio:results-versions": ALL,
    "studio:results-share": TAKERS,
    "studio:results-words": TAKERS,
    "studio:releases": TAKERS,
}
# What they need is there only once a table was made, or a picture was drawn (tests/surveys/results), or in a language
# that the respondent's page does not speak (test_page_texts.py).
OF_A_RELEASE = {
    "studio:page-texts",
    "studio:release",
    "studio:release-progress",
    "studio:release-publish",
    "studio:release-discard",
    "studio:release-file",
    "studio:release-further",
    "studio:results-picture",
}
# What the page of respondents asks where it is tried: it names nobody, and nothing is stored.
NAMELESS = {
    "studio:preview-groups",
    "studio:preview-responses",
    "studio:preview-as-responses",
    "studio:preview-as-invitations",
    "studio:preview-as-groups",
}
ONLY_POST = {
    "studio:change",
    "studio:closed-text",
    "studio:copy",
    "studio:dates",
    "studio:invite",
    "studio:paper-typed",
    "studio:preview-responses",
    "studio:preview-as-responses",
    "studio:preview-as-invitations",
    "studio:shared",
    "studio:test",
    "studio:who-comes",
    "studio:rehearsal-discard",
    "studio:rehearsal-start",
    "studio:trial",
}


@pytest.fixture
def version() -> SurveyVersion:
    return publish(make_survey(keep_until=date(2099, 1, 1)))


@pytest.fixture
def unwritten(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the pages say is not written out: whom they let in is decided before."""
    leave_unwritten(monkeypatch)


@pytest.fixture
def people(version: SurveyVersion) -> dict[str, Client]:
    clients = {}
    for name in PEOPLE:
        user = User.objects.create(username=name, is_staff=True)
        if name != STRANGER:
            give(version.survey, user, name)
        clients[name] = Client()
        clients[name].force_login(user)
    return clients


@pytest.mark.parametrize("step", first(1, [3, 1]))
def test_every_page_of_a_survey_in_the_studio_lets_in_whom_it_should(
    version: SurveyVersion, people: dict[str, Client], unwritten: None, step: int
) -> None:
    """From the configuration of addresses: each role, and somebody without one, or of each address every third one by
    turns.
    """
    walked, expected = {}, {}
    asked = [
        (name, pattern)
        for name, pattern in addresses(get_resolver().url_patterns)
        if name.startswith("studio:") and "<int:pk>" in pattern and name not in OF_A_RELEASE
    ]
    for place, (name, pattern) in enumerate(asked):
        visitors = dict(list(people.items())[place % step :: step])
        pk = version.pk if "versions/<int:pk>" in pattern else version.survey.pk
        address = "/" + pattern.replace("<int:pk>", str(pk)).replace("<slug:name>", "json")
        send = {who: client.post if name in ONLY_POST else client.get for who, client in visitors.items()}
        statuses = {who: each(address).status_code for who, each in send.items()}
        walked[name] = {who for who, status in statuses.items() if status not in (403, 404)}
        expected[name] = STUDIO.get(name, set()) & visitors.keys()
        assert statuses.get(STRANGER, 404) == 404 or name in NAMELESS

    assert walked == expected
    assert walked.keys() == STUDIO.keys()


CLOSED = ("admin/surveys", "admin/auth", "runs", "people", "studio/<int:pk>", "studio/versions/<int:pk>")


def test_a_forged_post_is_refused(version: SurveyVersion) -> None:
    """Another site's page cannot close with somebody's session, nor do anything else at an address of staff."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(somebody())
    answers = {}
    for name, pattern in addresses(get_resolver().url_patterns):
        address = re.sub(r"<int:\w+>", str(version.survey.pk), "/" + pattern)
        address = re.sub(r"<(?:str|slug|path):\w+>", "json", address)
        if address.startswith("/staff/") and "(" not in address:
            answers[name or address] = client.post(address).status_code
    taken = {name: status for name, status in answers.items() if status != 403}

    assert taken == {"studio:preview-responses": 201, "studio:preview-as-responses": 201}
    assert not is_closed(version.survey)


@pytest.mark.parametrize("role", first(1, PEOPLE))
def test_a_role_opens_nothing_else(
    role: str, version: SurveyVersion, people: dict[str, Client], unwritten: None
) -> None:
    """Another survey, the lists of the administration, and every other address that takes a number stay closed.

    The list of what waits for review holds what is of one's surveys.
    Beside the form is what it says of its engine.
    """
    other = publish(make_survey("other", heading={"en": "Other"}))
    opened = set()
    for name, pattern in addresses(get_resolver().url_patterns):
        if not pattern.startswith(tuple(f"staff/{own}" for own in CLOSED)):
            continue
        pk = str(other.pk if "versions/<int:pk>" in pattern else other.survey.pk)
        address = "/" + pattern.replace("<int:pk>", pk).replace("<path:object_id>", pk).replace("<int:run_id>", "1")
        address = address.replace("<int:number>", "1").replace("<str:kind>", "csv")
        if "<" in address or "(" in address or name in NAMELESS:
            continue
        for send in (people[role].get, people[role].post):
            if send(address).status_code == 200:
                opened.add(name)

    everybody = {"mining_runs"} if role in ALL else set()
    assert opened == everybody


def test_administrators_may_do_everything(version: SurveyVersion) -> None:
    """So they could before there were roles."""
    root = somebody()
    assert all(may(root, action, version.survey) for action in Action)


@pytest.mark.parametrize(
    ("permission", "allowed"),
    [
        ("view", {Action.SEE}),
        ("change", {Action.SEE, Action.WRITE, Action.PUBLISH, Action.TAKE, Action.ENTER, Action.INTERVIEW}),
        ("delete", {Action.ERASE}),
        ("add", set()),
    ],
)
def test_permissions_of_old_sites_mean_what_they_meant(
    version: SurveyVersion, permission: str, allowed: set[Action]
) -> None:
    """They are for all surveys, with or without a role."""
    user = somebody(permission)
    assert {action for action in Action if may(user, action, version.survey)} == allowed


def test_somebody_who_was_deactivated_may_nothing(version: SurveyVersion) -> None:
    """Their roles stay, for the day they come back."""
    user = User.objects.create(username="gone", is_staff=True, is_active=False)
    give(version.survey, user, OWNER)
    assert not any(may(user, action, version.survey) for action in Action)


def test_owners_give_and_take_roles(version: SurveyVersion, people: dict[str, Client]) -> None:
    """By the name of an account; what was given stands in the log."""
    address = f"/staff/studio/{version.survey.pk}/people/"
    unknown = people[OWNER].post(address, {"username": "nobody", "role": EDITOR}).content.decode()
    people[OWNER].post(address, {"username": STRANGER, "role": ANALYST})
    given = version.survey.memberships.get(user__username=STRANGER)
    people[OWNER].post(address, {"take": given.pk})
    people[OWNER].post(address, {"take": "x"})

    assert "Nobody of this name has come here yet. Who runs the site can invite them." in unknown
    assert (given.role, version.survey.memberships.count()) == (ANALYST, len(Role))
    assert [note.what for note in log.notes(version.survey, 9)] == [
        "stranger no longer has a role.",
        "stranger became analyst.",
    ]


def test_a_survey_keeps_an_owner(version: SurveyVersion, people: dict[str, Client]) -> None:
    """The last one can neither leave nor become something else, and the page says why."""
    mine = version.survey.memberships.get(role=OWNER)
    for change in ({"take": mine.pk}, {"username": OWNER, "role": EDITOR}):
        answer = people[OWNER].post(f"/staff/studio/{version.survey.pk}/people/", change)
        assert "needs at least one owner" in answer.content.decode()
    assert version.survey.memberships.get(role=OWNER) == mine


def test_a_row_changes_a_role_but_that_of_the_only_owner(version: SurveyVersion, people: dict[str, Client]) -> None:
    """Which says what to do first; with two owners each can be changed, and a colleague is found by e-mail, too."""
    address, only = f"/staff/studio/{version.survey.pk}/people/", "The only owner. Make somebody else owner"
    User.objects.filter(username=EDITOR).update(email="ed@example.org")
    User.objects.filter(username=VIEWER).update(email="both@example.org")
    User.objects.filter(username=ANALYST).update(email="both@example.org")
    assert people[OWNER].get(address).content.decode().count(only) == 1

    people[OWNER].post(address, {"username": "ED@example.org", "role": OWNER})
    doubtful = people[OWNER].post(address, {"username": "both@example.org", "role": OWNER})

    assert version.survey.memberships.get(user__username=EDITOR).role == OWNER
    assert only not in people[OWNER].get(address).content.decode()
    assert "username" in doubtful.context["form"].errors
    assert version.survey.memberships.filter(role=OWNER).count() == 2


def test_what_was_published_is_in_the_log(people: dict[str, Client], version: SurveyVersion) -> None:
    """With who did it; it goes when the survey is erased."""
    survey = Survey.objects.get()
    write(survey, heading={"en": "New"})
    set_questions(survey, no_skip="The board wants plain yes and no.")
    people[EDITOR].post(f"/staff/studio/{survey.pk}/publish/")

    (note,) = log.notes(survey, 9)
    assert (note.by, note.what) == (EDITOR, "Version 2 was published.")
    assert "Version 2 was published." in people[VIEWER].get(f"/staff/studio/{survey.pk}/log/").content.decode()


def test_the_log_is_read_in_the_language_of_its_reader(version: SurveyVersion, people: dict[str, Client]) -> None:
    """Whatever language acted: a sentence, a number, the name of a role. Sentences noted before stay as they are."""
    survey, user = Survey.objects.get(), User.objects.get(username=EDITOR)
    kind = ContentType.objects.get_for_model(Survey)
    LogEntry.objects.create(
        user=user, content_type=kind, object_id=str(survey.pk), action_flag=CHANGE, change_message="Older, 100 %."
    )
    with translation.override("zh-hans"):
        log.note_down(survey, user, "%(person)s became %(role)s.", person="ann", role=Role.EDITOR.label)
        said = log.note_count(
            survey, user, "Mail: %(n)s more person was invited.", "Mail: %(n)s more people were invited.", 3
        )
        chinese = [one.what for one in log.notes(survey, 9)]

    assert said == chinese[0]
    assert not any(re.search("[a-z]{3,} [a-z]{3,}", one) for one in chinese[:2])
    assert [one.what for one in log.notes(survey, 9)] == [
        "Mail: 3 more people were invited.",
        "ann became editor.",
        "Older, 100 %.",
    ]


def test_roles_are_a_table_of_actions() -> None:
    """An owner may do everything, and every role may see, but for a clerk, who may do one thing alone."""
    assert MAY[OWNER] == set(Action)
    assert {role for role, actions in MAY.items() if Action.SEE in actions} == ALL
    assert MAY[CLERK] == {Action.ENTER}


def test_who_may_not_write_meets_no_control_of_a_draft(version: SurveyVersion, people: dict[str, Client]) -> None:
    """They read the questions and the protection; what changes them, and the draft as JSON, is not there."""
    for step in ("", "protect/"):
        page = people[VIEWER].get(f"/staff/studio/{version.survey.pk}/{step}").content.decode()
        inside = page.partition("<main")[2]
        assert (step, re.findall(r"data-change|<input(?! type=.hidden)|<textarea|<select|/document/", inside)) == (
            step,
            [],
        )
        assert "data-change" in people[EDITOR].get(f"/staff/studio/{version.survey.pk}/{step}").content.decode()


@pytest.mark.parametrize("number", ["9" * 5000, "²", "none"])
def test_a_number_of_nobody_takes_no_role_away(version: SurveyVersion, people: dict[str, Client], number: str) -> None:
    """However long it is: nobody loses a role, and the page comes again; so with somebody's own tokens."""
    before = version.survey.memberships.count()
    answers = [
        people[OWNER].post(f"/staff/studio/{version.survey.pk}/people/", {"take": number}),
        people[OWNER].post(reverse("api_tokens"), {"end": number}),
    ]

    assert [answer.status_code < 500 for answer in answers] == [True, True]
    assert version.survey.memberships.count() == before
