"""How a snapshot is cited: by a name that is always the same, and that tells nothing of the answers in it."""

import json

import pytest
from django.test import Client

from surveys.domain.closed.erase import erase
from surveys.domain.exports import files
from surveys.domain.questionnaire.closing import close
from surveys.domain.responses.snapshots import cite
from surveys.models import Erasure, Membership, Survey
from surveys.results import sharing
from tests.config.api.conftest import caller, read, token_of
from tests.mining.surveys import queued_run
from tests.surveys.results.making import survey_with_results
from tests.surveys.staff import somebody

LISTS = ("versions/1", "versions/1/answers", "versions/1/files", "exports")


def test_what_is_printed_has_no_hash_of_the_answers() -> None:
    """Shared pages, the API and files have a name in its place, which the database alone joins to the hash."""
    version = survey_with_results(300)
    survey, snapshot = version.survey, version.snapshots.get()
    close(survey)
    owner = somebody()
    ask = caller(token_of(owner))
    _shared, token = sharing.share(version, "Colleague", ("answers", "trust"), 30, owner)
    run = queued_run(survey)
    printed = {
        f"file {each.name}": read(ask("GET", f"/surveys/study/versions/1/files/{each.name}"))
        for each in files.list_files(snapshot)
    }
    printed |= {at: ask("GET", f"/surveys/study/{at}").content for at in LISTS}
    printed |= {"run": ask("GET", f"/runs/{run.pk}").content, "shared": Client().get(f"/r/{token}/").content}
    hashes = [snapshot.sha256.encode(), *(part.sha256.encode() for part in snapshot.parts.all())]
    assert [at for at, content in printed.items() if any(digest[:12] in content for digest in hashes)] == []
    name = cite(snapshot).encode()
    assert [at for at in ("shared", "run", *LISTS, "file codebook.json") if name not in printed[at]] == []


def test_a_snapshot_is_cited_by_one_name() -> None:
    """It is drawn by lot once: the same for every page and process, and another one for the same answers elsewhere."""
    snapshot = survey_with_results(300).snapshots.get()
    name = cite(snapshot)
    again = Survey.objects.get()
    assert cite(again.versions.get().snapshots.get()) == name
    Survey.objects.update(citation_key=None)
    assert cite(Survey.objects.get().versions.get().snapshots.get()) != name


def test_a_record_of_erasing_has_the_name_and_no_hash() -> None:
    """The key goes with the survey, so that nobody can try answers against the record."""
    survey = survey_with_results(300).survey
    snapshot = survey.versions.get().snapshots.get()
    name = cite(snapshot)
    close(survey)
    erase(survey)
    content = bytes(Erasure.objects.get().content).decode()
    assert (json.loads(content)["versions"][0]["cited"], snapshot.sha256 in content) == (name, False)


@pytest.mark.parametrize(("role", "is_shown"), [(Membership.Role.VIEWER, False), (Membership.Role.ANALYST, True)])
def test_hash_and_size_of_a_file_are_shown_to_those_who_may_take_it(role: Membership.Role, is_shown: bool) -> None:
    """A file of few people can be guessed and compared with its hash; the size adds up the lengths of all answers."""
    version = survey_with_results(300)
    close(version.survey)
    read(caller(token_of(somebody()))("GET", "/surveys/study/versions/1/files/records.csv"))
    user = somebody("surveys.view_survey")
    Membership.objects.create(survey=version.survey, user=user, role=role)
    (listed,) = caller(token_of(user))("GET", "/surveys/study/exports").json()["items"]
    assert [listed[name] is not None for name in ("sha256", "size")] == [is_shown, is_shown]
