"""A study in a document: the chances of its arms, and which surveys may be some."""

from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_lazy as _

from privacy.design.rationals import apportion
from privacy.errors import EntryError
from surveys.definition import Definition
from surveys.domain.questionnaire.draft import Draft
from surveys.domain.questionnaire.draft_part import DraftPart
from surveys.models import Membership, Survey, SurveyVersion


def newest_of_arm(survey: Survey, slug: str) -> SurveyVersion:
    """The newest version of an arm of this survey; EntryError says why it cannot be one.

    What the arms tell stands in one report, so all have the owners of this survey.
    """
    arm = Survey.objects.filter(slug=slug, rehearses=None, simulated=survey.simulated).exclude(pk=survey.pk).first()
    version = arm.versions.last() if arm else None
    if arm is None or version is None or not _owners(survey) <= _owners(arm):
        raise EntryError("“{arm}” is no published survey that the owners of this one own, too.", arm=slug)
    source = version.parsed.source
    if source["access"] != "open" or "study" in source:
        raise EntryError("“{arm}” cannot be an arm: it is a study itself, or takes no open link.", arm=slug)
    return version


def _owners(survey: Survey) -> set[int]:
    owners = survey.memberships.filter(role=Membership.Role.OWNER)
    return set(owners.values_list("user_id", flat=True))


def _entries(draft: Draft) -> dict[str, Any]:
    study = draft.document["study"]
    here, *chances = apportion([Fraction(study["here"]), *(Fraction(arm["parts"]) for arm in study["arms"])])
    arms = [
        {"slug": arm["slug"], "version": arm["version"], "chance": chance}
        for arm, chance in zip(study["arms"], chances, strict=True)
    ]
    return {"study": {"here": here, "arms": arms}}


def _allow(survey: Survey, definition: Definition) -> None:
    """Each arm is the newest version of its survey, and takes answers."""
    for arm in definition.source["study"]["arms"]:
        newest = newest_of_arm(survey, arm["slug"])
        if newest.sha256 != arm["version"]:
            raise EntryError("“{arm}” has a newer version: save the arms again.", arm=arm["slug"])
        if newest.survey.closed_at or newest.survey.has_ended(newest.number):
            raise EntryError("“{arm}” takes no answers any more.", arm=arm["slug"])


PART = DraftPart(
    has=lambda document: bool(document["study"]),
    entries=_entries,
    about_answers=False,
    allow=_allow,
    lost=_("the arms of a study"),
)
