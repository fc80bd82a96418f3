"""Operations on surveys: the draft, what is published of it, and the end."""

from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.http import HttpResponse, JsonResponse

from config.api import paging
from config.api.address import PUBLISH, SEE, SURVEY, VERSION, find_survey, find_version
from config.api.operation import FILE, Call, Operations, QueryParameter, Reply, Schema
from config.api.problems import Problem
from config.api.schemas import LINE, reference_to
from privacy.errors import EntryError, to_translate
from privacy.plan.forecast import MOST_PEOPLE
from surveys.domain.drafts.protect import judge_document, judge_version
from surveys.domain.exchange import formats
from surveys.domain.people.log import note_down
from surveys.domain.people.roles import Action, surveys_of
from surveys.domain.questionnaire import closing, publish
from surveys.domain.questionnaire.check import ask_for_erasing, ask_for_reasons
from surveys.domain.questionnaire.document import Document, Draft, read_document
from surveys.domain.questionnaire.versions import link
from surveys.domain.responses import counts, disclosure
from surveys.domain.responses.snapshots import cite
from surveys.models import Survey, SurveyVersion

RESPONDENTS = QueryParameter(
    "respondents",
    {"type": "integer", "minimum": 1, "maximum": MOST_PEOPLE},
    "how many people; as many as were planned, if not given",
)
SEEN = QueryParameter(
    "version",
    {"type": "integer", "minimum": 1},
    "the version that you mean to end: refused where a newer one was published since; the newest, if not given",
)
DRAFT = QueryParameter(
    "draft",
    {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "the hash in the `ETag` of `getDraft`: refused where the draft was changed since",
)
VERDICT = Reply("the verdict", reference_to("Verdict"))
operations = Operations("surveys")
OVERRIDE: Schema = {
    "type": "object",
    "properties": {
        "override_reason": {
            "type": "string",
            "pattern": LINE,
            "minLength": 1,
            "maxLength": 1000,
            "description": "signs, in your name, a design above the limit of the site; respondents read it",
        }
    },
    "additionalProperties": False,
}


@operations.declare("GET /surveys", "read", SEE, paging.answer("Survey", "a page of surveys"))
def list_surveys(call: Call) -> HttpResponse:
    """All surveys, a page at a time."""
    return paging.page_of_rows(
        call, surveys_of(call.user, Action.SEE).annotate(published=Count("versions")), _survey_object
    )


@operations.declare(f"GET {SURVEY}", "read", SEE, Reply("the survey", reference_to("Survey")))
def get_survey(call: Call) -> HttpResponse:
    """One survey."""
    return JsonResponse(_survey_object(_with_version_count(find_survey(call))))


@operations.declare(f"GET {SURVEY}/draft", "read", SEE, Reply("the draft", {"type": "object"}))
def get_draft(call: Call) -> HttpResponse:
    """The questionnaire as it is being written, as one JSON file that a site imports."""
    return HttpResponse(_write_draft(find_survey(call)), content_type="application/json")


@operations.declare(f"GET {SURVEY}/draft/{{format}}", "read", SEE, FILE)
def get_draft_file(call: Call) -> HttpResponse:
    """The questionnaire as it is being written, in a format that other programs read."""
    survey = find_survey(call)
    return _export(call, read_document(survey))


@operations.declare(
    f"GET {SURVEY}/verdict", "read", SEE, VERDICT, refusals={409: "nothing is disguised yet, or something is missing"}
)
def get_draft_verdict(call: Call) -> HttpResponse:
    """What the questionnaire that is being written will tell, with as many people as are expected.

    It is the verdict of Protect. Of `shares` and `groups` the figure is the longer side of a 95 % interval, null where
    nothing is known; of `pairs` the chance that a link of medium strength is found.
    """
    survey = find_survey(call)
    return JsonResponse(judge_document(survey, read_document(survey)).to_json())


@operations.declare(f"GET {VERSION}/verdict", "read", SEE, VERDICT, query=(RESPONDENTS,))
def get_verdict(call: Call) -> HttpResponse:
    """What a version will tell with so many people, by what was wanted and guessed when it was published."""
    return JsonResponse(judge_version(find_version(call), call.query["respondents"]).to_json())


@operations.declare(
    f"POST {SURVEY}/close",
    "write",
    PUBLISH,
    Reply("the closed survey", reference_to("Survey")),
    refusals={409: "it was never published"},
)
def close_survey(call: Call) -> HttpResponse:
    """Take no more responses, for good; what waits is sealed within a minute."""
    survey = find_survey(call)
    closing.close(survey)
    note_down(survey, call.user, "The survey is closed. Waiting responses are sealed within a minute.")
    return JsonResponse(_survey_object(_with_version_count(survey)))


@operations.declare(
    f"POST {SURVEY}/end-version",
    "write",
    PUBLISH,
    Reply("the version that has ended", reference_to("Version")),
    query=(SEEN,),
    refusals={409: "it was never published, is closed, or has a newer version than you mean"},
)
def end_version(call: Call) -> HttpResponse:
    """Take no more responses to the newest version; the next one may follow."""
    survey = find_survey(call)
    version = closing.end_version(survey, str(call.query["version"] or ""))
    sentence = to_translate("Version %(number)s has ended. Waiting responses are sealed within a minute.")
    note_down(survey, call.user, sentence, number=version.number)
    return JsonResponse(_version_object(call, version))


@operations.declare(f"GET {SURVEY}/versions", "read", SEE, paging.answer("Published", "a page of versions"))
def list_versions(call: Call) -> HttpResponse:
    """The published versions of a survey."""
    rows = find_survey(call).versions.select_related("survey")
    return paging.page_of_rows(call, rows, lambda version: _publication_object(call, version))


@operations.declare(
    f"GET {VERSION}/draft/{{format}}",
    "read",
    SEE,
    FILE,
    refusals={409: "it was published before drafts were kept with versions"},
)
def get_version_file(call: Call) -> HttpResponse:
    """The questionnaire of a version as it was written, to be imported again or by other programs."""
    version = find_version(call)
    document = publish.draft_of_version(version)
    if document is None:
        raise Problem(409, "This version was published before drafts were kept with versions.")
    return _export(call, document)


@operations.declare(
    f"POST {SURVEY}/versions",
    "write",
    PUBLISH,
    {201: Reply("the version", reference_to("NewVersion"))},
    query=(DRAFT,),
    body=OVERRIDE,
    refusals={409: "something is missing, it is published already, or was changed since you read it"},
)
def publish_version(call: Call) -> HttpResponse:
    """Publish the draft as the next version.

    A reason signs the override in the person's name, as on the page.
    """
    survey = find_survey(call)
    seen = publish.count_changes(survey)
    if (own := call.query["draft"]) and own != sha256(_write_draft(survey)).hexdigest():
        raise EntryError(publish.CHANGED)
    warnings = [*filter(None, (ask_for_reasons(Draft.load(survey)), ask_for_erasing(survey)))]
    with transaction.atomic():
        version = publish.publish(survey, str(call.user), call.body.get("override_reason") or "", seen)
        note_down(survey, call.user, "Version %(number)s is published.", number=version.number)
    return JsonResponse(_version_object(call, version) | {"warnings": warnings}, status=201)


@operations.declare(f"GET {VERSION}", "read", SEE, Reply("the version", reference_to("Version")))
def get_version(call: Call) -> HttpResponse:
    """One version, with its last snapshot and what of it may be reported."""
    return JsonResponse(_version_object(call, find_version(call)))


@operations.declare(f"GET {VERSION}/questionnaire", "read", SEE, Reply("the questionnaire", {"type": "object"}))
def get_questionnaire(call: Call) -> HttpResponse:
    """The published bytes, whose SHA-256 names the version."""
    return HttpResponse(bytes(find_version(call).definition), content_type="application/json")


def _write_draft(survey: Survey) -> bytes:
    return formats.write_document(read_document(survey))


def _export(call: Call, document: Document) -> HttpResponse:
    kind = formats.FORMATS.get(call.path["format"])
    if kind is None or kind.write is None:
        raise Problem(404, "There is no export format with this name.")
    return HttpResponse(kind.write(document), content_type=kind.content_type)


def _with_version_count(survey: Survey) -> Survey:
    return Survey.objects.annotate(published=Count("versions")).get(pk=survey.pk)


def _survey_object(survey: Survey) -> dict[str, Any]:
    count = survey.published  # type: ignore[attr-defined]
    if not count:
        state = "draft"
    elif closing.is_over(survey):  # one that is full is closed for good by the response that takes the last place
        state = "closed"
    else:
        waits = survey.has_ended(count) or closing.is_early(survey)  # for the next version, or for its day
        state = "early" if waits else "open"
    return {
        "name": survey.slug,
        "title": survey.title,
        "state": state,
        "simulated": survey.simulated,
        "access": survey.access,
        "least": survey.least,
        "versions": count,
        "closed_at": survey.closed_at,
    }


def _version_object(call: Call, version: SurveyVersion) -> dict[str, Any]:
    snapshot = version.snapshots.select_related("version__survey").last()
    reportable = disclosure.reportable(snapshot) if snapshot else disclosure.Reportable(direct=False, open=False)
    sealed = counts.of_snapshot(snapshot) if snapshot else counts.Count(0, exact=False)
    return _publication_object(call, version) | {
        **sealed.as_json("respondents"),
        "snapshot": cite(snapshot) if snapshot else None,
        "told": {"direct": reportable.direct, "open": reportable.open},
    }


def _publication_object(call: Call, version: SurveyVersion) -> dict[str, Any]:
    names = ("number", "sha256", "published_on")
    return {name: getattr(version, name) for name in names} | {"link": link(call.request.build_absolute_uri(), version)}
