"""What each role may do with its survey, and whether a person may do it: the one place where this is decided.

Somebody may do a thing with a survey by a permission that is for all surveys, as the administration gives it, or by
their role in this one.
"""

from enum import Enum
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_lazy as _

from privacy.errors import EntryError
from surveys.models import Membership, Survey

Role = Membership.Role


class Action(Enum):
    SEE = "see"  # its questionnaire and its report
    WRITE = "write"  # its draft
    PUBLISH = "publish"  # also invite and close
    TAKE = "take"  # files of responses; links to the report
    FINDINGS = "findings"  # its mining runs and what they found
    MINE = "mine"  # start, end and repeat runs
    REVIEW = "review"  # say what one thinks of a rule
    MANAGE = "manage"  # its people
    ERASE = "erase"
    ENTER = "enter"  # what stands on sheets of paper, without a look at any figure
    INTERVIEW = "interview"  # people, on a tablet, without a look at any figure


# The permissions that allow it for all surveys: any of them does. Nobody but superusers has the one that is not listed
# among the permissions of the site.
EVERYWHERE = {
    Action.SEE: ("surveys.view_survey", "surveys.change_survey"),
    Action.WRITE: ("surveys.change_survey",),
    Action.PUBLISH: ("surveys.change_survey",),
    Action.TAKE: ("surveys.change_survey",),
    Action.FINDINGS: ("mining.view_miningrun",),
    Action.MINE: ("mining.add_miningrun",),
    Action.REVIEW: ("mining.add_rulereview",),
    Action.MANAGE: ("surveys.manage_survey",),
    Action.ERASE: ("surveys.delete_survey",),
    Action.ENTER: ("surveys.change_survey",),
    Action.INTERVIEW: ("surveys.change_survey",),
}
_SEES = {Action.SEE, Action.FINDINGS}
MAY: dict[str, set[Action]] = {
    Role.OWNER: set(Action),
    Role.EDITOR: _SEES | {Action.WRITE, Action.PUBLISH, Action.ENTER, Action.INTERVIEW},
    Role.ANALYST: _SEES | {Action.TAKE, Action.MINE, Action.REVIEW},
    Role.VIEWER: _SEES,
    Role.CLERK: {Action.ENTER},
    Role.INTERVIEWER: {Action.INTERVIEW},
}
ABOUT = {
    Role.OWNER: _("everything, also people and erasing"),
    Role.EDITOR: _("write, publish, invite and close; read the report"),
    Role.ANALYST: _("search for what goes together, review rules, read and share the report, download files"),
    Role.VIEWER: _("read the questionnaire, the report and what searches found"),
    Role.CLERK: _("enter paper answers, and see no figure"),
    Role.INTERVIEWER: _("interview people on a tablet, and see no figure"),
}


def everywhere(user: Any, action: Action) -> bool:
    """Whether a permission of the site lets the person do this with every survey."""
    return any(user.has_perm(permission) for permission in EVERYWHERE[action])


def actions(user: Any, survey: Survey) -> set[Action]:
    """All that the person may do with this survey, by a permission of the site or a role."""
    own = {action for action in Action if everywhere(user, action)}
    if not user.is_active:
        return own
    of = survey.rehearses_id or survey.pk  # a rehearsal has the people of its survey
    role = Membership.objects.filter(survey=of, user_id=user.pk).values_list("role", flat=True).first()
    return own | (MAY[role] if role is not None else set())


def may(user: Any, action: Action, survey: Survey) -> bool:
    return everywhere(user, action) or action in actions(user, survey)


def may_begin(user: Any) -> bool:
    """Whether the person may begin surveys; they own those that they begin."""
    return bool(user.has_perm("surveys.add_survey"))


def surveys_of(user: Any, action: Action) -> QuerySet[Survey]:
    """The surveys with which the person may do this, without rehearsals."""
    surveys = Survey.objects.filter(rehearses=None)
    if everywhere(user, action):
        return surveys
    roles = [role for role, actions in MAY.items() if action in actions]
    held = Membership.objects.filter(user_id=user.pk, role__in=roles) if user.is_active else Membership.objects.none()
    return surveys.filter(pk__in=held.values("survey"))


def give(survey: Survey, user: User, role: str) -> None:
    """Give the person the role; EntryError where the survey would lose its last owner."""
    with transaction.atomic():
        Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
        if role != Role.OWNER:
            _refuse_without_owner(survey, user)
        Membership.objects.update_or_create(survey=survey, user=user, defaults={"role": role})


def take(survey: Survey, user: User) -> None:
    """Take the person's role away; EntryError where the survey would lose its last owner."""
    with transaction.atomic():
        Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
        _refuse_without_owner(survey, user)
        survey.memberships.filter(user=user).delete()


def only_owner_of(user: User) -> Survey | None:
    """A survey that would be left without an owner; None if there is none."""
    owned = Survey.objects.filter(memberships__user=user, memberships__role=Role.OWNER)
    others = Membership.objects.filter(survey=OuterRef("pk"), role=Role.OWNER).exclude(user=user)
    return owned.exclude(Exists(others)).order_by("pk").first()


def _refuse_without_owner(survey: Survey, user: User) -> None:
    owners = survey.memberships.filter(role=Role.OWNER).values_list("user_id", flat=True)
    if list(owners) == [user.pk]:
        raise EntryError("A survey needs at least one owner: make somebody else the owner first.")
