"""What is stored of the people whom a survey invites, in each way of inviting: rows of the protocol's tables.

docs/trust.md says the same; `tests/surveys/studio/test_stored.py` compares both with the tables that each way fills.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Model
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from surveys.definition import Definition
from surveys.features.paper import MODE
from surveys.models import (
    Invitation,
    InvitationBatch,
    InvitationKey,
    Invitee,
    Mailing,
    PaperBatch,
    TypedSheets,
)


@dataclass(frozen=True)
class StoredRow:
    """What is stored, where, and how long: left to the researcher where the site cannot know. `tables` hold it."""

    what: str | Promise
    where: str | Promise
    until: str | Promise = ""
    tables: tuple[type[Model], ...] = ()


LINKS, MAIL, PANEL, STUDY, PAPER = "links", "mail", "panel", "study", "paper"
_HERE, _AS_LONG = _("in the same database"), _("as long as the survey")

STORED = {
    LINKS: (
        StoredRow(
            _("a hash of each invitation, and the name and size of each batch; joined to no record"),
            _HERE,
            _AS_LONG,
            (Invitation, InvitationBatch, InvitationKey),
        ),
        StoredRow(
            _("whom the links were for that the researcher hands out"),
            _("never on the server: in a file of the researcher, if anywhere"),
        ),
    ),
    MAIL: (
        StoredRow(
            _("where the site mails the links: the addresses, each with its link until that is seen to be used"),
            _("in the same database, encrypted under a key that follows from the SECRET_KEY of the site"),
            _("no longer than mail is due to a person; all are deleted when the survey is closed"),
            (Invitee, Mailing),
        ),
        StoredRow(_("the messages, with address and link"), _("on the mail server, and in its log")),
    ),
    PANEL: (
        StoredRow(
            _("a hash of the panel's number of each person who began, joined to no record"),
            _("in the same database, under a key that the SECRET_KEY of the site opens"),
            _AS_LONG,
            (Invitation, InvitationBatch, InvitationKey),
        ),
        StoredRow(_("who came, when, and how the visit ended"), _("at the panel")),
    ),
    STUDY: (
        StoredRow(
            _("who was invited"),
            _("where the first survey of the study is: the protocol of that survey says it"),
            _("as long as the first survey"),
        ),
    ),
    PAPER: (
        StoredRow(
            _("of each stack of sheets four counts, and a mark of what was sent"), _HERE, _AS_LONG, (PaperBatch,)
        ),
        StoredRow(
            _("what was typed of a stack and is not stored yet"),
            _("in the same database, encrypted under a key that only that browser has"),
            _("until the stack is stored; after a week nobody can read it"),
            (TypedSheets,),
        ),
        StoredRow(_("the sheets themselves"), _("with the researcher")),
    ),
}


def ways_of(definition: Definition) -> tuple[str, ...]:
    """How people may be invited to a version; none by its open link alone. Links may be handed out, and mailed."""
    if definition.let_in_by:
        return (PANEL,)
    if definition.invited_by:
        return (STUDY,)
    if definition.has_invitations:
        return LINKS, MAIL
    return (PAPER,) if MODE in definition.source else ()


def rows_of(ways: Iterable[str]) -> list[StoredRow]:
    return [row for way in ways for row in STORED[way]]
