"""What is stored of the people whom a survey invites, in each way of inviting: rows of the protocol's tables.

Rows of features are in the folder of each (`StaffPart.stores`). docs/trust.md says the same;
`tests/surveys/studio/test_stored.py` compares both with the tables that each way fills.
"""

from dataclasses import dataclass

from django.db.models import Model
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from surveys.models import Invitation, InvitationBatch, InvitationKey, Invitee, Mailing


@dataclass(frozen=True)
class StoredRow:
    """What is stored, where, and how long: left to the researcher where the site cannot know. `tables` hold it, and
    `with_key` is what they and the SECRET_KEY of the site say together.
    """

    what: str | Promise
    where: str | Promise
    until: str | Promise = ""
    tables: tuple[type[Model], ...] = ()
    with_key: str | Promise = ""


HERE, AS_LONG = _("in the same database"), _("as long as the survey")
OF_INVITATIONS = (Invitation, InvitationBatch, InvitationKey)

# Of invitations whose links are handed out, and those that are mailed.
LINKS = (
    StoredRow(
        _("a hash of each invitation, and the name and size of each batch; joined to no record"),
        HERE,
        AS_LONG,
        OF_INVITATIONS,
    ),
    StoredRow(
        _("whom the links were for that the researcher hands out"),
        _("never on the server: in a file of the researcher, if anywhere"),
    ),
)
MAIL = (
    StoredRow(
        _("where the site mails the links: the addresses, each with its link until that is seen to be used"),
        _("in the same database, encrypted under a key that follows from the SECRET_KEY of the site"),
        _("no longer than mail is due to a person; all are deleted when the survey is closed"),
        (Invitee, Mailing),
        with_key=_("whom the site mails links to, and until the survey is closed whose link was used"),
    ),
    StoredRow(_("the messages, with address and link"), _("on the mail server, and in its log")),
)
