"""A study in a document: the chances of its arms, and which surveys may be some."""

from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_lazy as _

from privacy.design.rationals import ONE, apportion
from privacy.errors import EntryError
from surveys.definition import Definition
from surveys.domain.drafts.change_part import Change, change
from surveys.domain.questionnaire.document import Document, Draft, read_document
from surveys.domain.questionnaire.draft_part import DraftPart
from surveys.features import MODE
from surveys.features.study import check_study, invited_by
from surveys.models import Membership, Survey, SurveyVersion
from surveys.rules import checked_by


def newest_of_arm(survey: Survey, slug: str, *, by_invitation: bool, on_paper: bool | None = None) -> SurveyVersion:
    """The newest version of an arm of this survey; EntryError says why it cannot be one. `on_paper` None: either.

    What the arms tell stands in one report, so all have the owners of this survey.
    """
    arm = _others(survey).filter(slug=slug).first()
    version = arm.versions.last() if arm else None
    if arm is None or version is None or not _owners(survey) <= _owners(arm):
        raise EntryError("“{arm}” is no published survey that the owners of this one own, too.", arm=slug)
    source = version.parsed.source
    if by_invitation and invited_by(source) != survey.slug:
        raise EntryError(
            "“{arm}” cannot be an arm: say there whose invitations let people in, and publish it.", arm=slug
        )
    if not by_invitation and (source["access"] != "open" or "study" in source):
        raise EntryError("“{arm}” cannot be an arm: it is a study itself, or takes no open link.", arm=slug)
    if on_paper not in (None, MODE in source):
        raise EntryError("“{arm}” cannot be an arm: all arms are asked on paper, too, or none is.", arm=slug)
    return version


def inviting_others(survey: Survey, slug: str) -> Survey:
    """The survey whose invitations shall let people into `survey`; EntryError says why it cannot be one."""
    first = _others(survey).filter(slug=slug).first()
    if first is None or not _owners(first) <= _owners(survey):
        raise EntryError("“{study}” is no survey whose owners own this one, too.", study=slug)
    document = read_document(first)
    if document["access"] != Survey.Access.INVITATION or invited_by(document) or first.closed_at:
        raise EntryError("“{study}” invites nobody: let in only those who are invited there.", study=slug)
    return first


def _others(survey: Survey) -> Any:
    return Survey.objects.filter(rehearses=None, simulated=survey.simulated).exclude(pk=survey.pk)


def _owners(survey: Survey) -> set[int]:
    owners = survey.memberships.filter(role=Membership.Role.OWNER)
    return set(owners.values_list("user_id", flat=True))


def arms_with_chances(version: SurveyVersion) -> list[tuple[SurveyVersion, int]]:
    """The arms of a study with their chances, this survey first; EntryError where one was erased."""
    study = version.parsed.source["study"]
    chances = {arm["version"]: arm["chance"] for arm in study["arms"]}
    versions = {one.sha256: one for one in SurveyVersion.objects.filter(sha256__in=chances)}
    if len(versions) < len(chances):
        raise EntryError("An arm of this study was erased: nothing is left to compare.")
    return [(version, study["here"]), *((versions[one], chance) for one, chance in chances.items())]


def sheets_of_arms(version: SurveyVersion, sheets: int) -> list[tuple[SurveyVersion, int]]:
    """How many of so many sheets are printed of each arm, this survey first; all of it where it is no study.

    Mixed they are a lot with the chances of the arms, and a sheet tells its arm by the mark of its version alone.
    """
    if "arms" not in version.parsed.source.get("study", ()):
        return [(version, sheets)]
    return [(arm, max(round(sheets * chance / ONE), 1)) for arm, chance in arms_with_chances(version)]


def _entries(draft: Draft) -> dict[str, Any]:
    study = draft.document["study"]
    if invited_by(draft.document):
        return {"study": study}
    here, *chances = apportion([Fraction(study["here"]), *(Fraction(arm["parts"]) for arm in study["arms"])])
    arms = [
        {"slug": arm["slug"], "version": arm["version"], "chance": chance}
        for arm, chance in zip(study["arms"], chances, strict=True)
    ]
    return {"study": {"here": here, "arms": arms}}


def _allow(survey: Survey, definition: Definition) -> None:
    """Each arm is the newest version of its survey, and takes answers; whose invitations an arm takes makes some."""
    source = definition.source
    if first := invited_by(source):
        inviting_others(survey, first)
        return
    ways = {"by_invitation": source["access"] == Survey.Access.INVITATION, "on_paper": MODE in source}
    for arm in source["study"]["arms"]:
        newest = newest_of_arm(survey, arm["slug"], **ways)
        if newest.sha256 != arm["version"]:
            raise EntryError("“{arm}” has a newer version: save the arms again.", arm=arm["slug"])
        if newest.survey.closed_at or newest.survey.has_ended(newest.number):
            raise EntryError("“{arm}” takes no answers any more.", arm=arm["slug"])
        if newest.parsed.let_in_by != definition.let_in_by:
            raise EntryError(
                "“{arm}” cannot be an arm: a provider's numbers let people in here or there.", arm=arm["slug"]
            )


@change("study", _("arms of the study changed"))
def _set_study(document: Document, said: Change, _wanted: set[str]) -> None:
    """Set the surveys of which each device draws one, this one among them, or whose arm it is; none: it is no study."""
    study = said["study"]
    document["study"] = study if study and (study.get("of") or study["arms"]) else None
    if study and "of" in study:
        document["access"] = "invitation"


def _check(study: Any, _at: str) -> None:
    if study is not None:
        check_study(study, "parts")


PART = DraftPart(
    has=lambda document: bool(document["study"]),
    entries=_entries,
    about_answers=False,
    allow=_allow,
    lost=_("the arms of a study"),
    rules={"study": checked_by(_check)},
)
