"""What an address names: a survey, a version, the newest snapshot; and whether the person may do what they want to."""

from config.api.operation import Call, Schema
from config.api.problems import Problem
from surveys.domain.people.roles import Action, may
from surveys.models import Snapshot, Survey, SurveyVersion

SEE, PUBLISH, TAKE = (Action.SEE,), (Action.PUBLISH,), (Action.TAKE,)
SURVEY, VERSION = "/surveys/{survey}", "/surveys/{survey}/versions/{number}"

# What stands in an address, by its name there.
PATH: dict[str, Schema] = {
    "survey": {"type": "string", "pattern": "^[-a-zA-Z0-9_]{1,50}$", "description": "the name in its link"},
    "number": {"type": "integer", "minimum": 1, "maximum": 1_000_000, "description": "of the version"},
    "file": {"type": "string", "pattern": "^[-a-z]{1,20}[.][a-zA-Z]{1,10}$", "description": "as the list has it"},
    "format": {"type": "string", "pattern": "^[a-z]{1,20}$", "description": "json or xlsform"},
    "batch": {"type": "integer", "minimum": 1, "maximum": 10**15, "description": "as the list has it"},
    "run": {"type": "integer", "minimum": 1, "maximum": 10**15, "description": "as the list has it"},
}


def find_survey(call: Call) -> Survey:
    """The survey that the address names; a Problem if the person may not see it, or not do what the call does."""
    survey = Survey.objects.filter(slug=call.path["survey"], rehearses=None).first()
    if survey is None or not may(call.user, Action.SEE, survey):
        raise Problem(404, "There is no survey with this name.")
    check_rights(call, survey)
    return survey


def check_rights(call: Call, survey: Survey) -> None:
    for action in call.actions:
        if not may(call.user, action, survey):
            raise Problem(
                403, f"You may not do this with the survey {survey.slug}: you need the right {action.value!r}."
            )


def find_version(call: Call) -> SurveyVersion:
    survey = find_survey(call)
    version = survey.versions.filter(number=call.path["number"]).first()
    if version is None:
        raise Problem(404, "This survey has no version with this number.")
    return version


def find_snapshot(call: Call) -> Snapshot:
    version = find_version(call)
    snapshot = version.snapshots.select_related("version__survey").last()
    if snapshot is None:
        raise Problem(409, "No response to this version is sealed yet.")
    return snapshot
