"""Fields and thin methods; what the system does with them lives in surveys.domain.

`survey` holds the survey itself, `published` what is frozen when they publish, `responses` what people
send and what sealing makes of it, `statement` what is said of a closed survey, `export` who took which file, `erasure`
what was erased, `mail` what is mailed, `report` what is added to reports, `release` the tables that are published of
it, `leased` what rows have that workers take, `people` who may do what with it, `draft` what a researcher writes, and
its changes, `noise` counts with noise, and what was spent on them, `medium` its pictures and sounds, `group` people of
whom there are enough, `paper` sheets that staff entered.
"""

from surveys.models.draft import DraftChange, DraftDocument
from surveys.models.erasure import Erasure
from surveys.models.export import Export
from surveys.models.group import GroupCount
from surveys.models.mail import Mailing, Notice
from surveys.models.medium import Medium
from surveys.models.noise import NoiseBudget, NoisyCounts
from surveys.models.paper import PaperBatch, TypedSheets
from surveys.models.people import Membership
from surveys.models.published import DemoTruth, PublishedDraft, SurveyVersion, Trial
from surveys.models.release import TableRelease
from surveys.models.report import Phrase, SharedReport
from surveys.models.responses import (
    NO_ORDER,
    REWRITTEN,
    CopyKey,
    Inbox,
    Invitation,
    InvitationBatch,
    InvitationKey,
    Invitee,
    Part,
    QuotaCount,
    Residue,
    SealingKey,
    SealingRound,
    Snapshot,
    SnapshotRisk,
    SpentToken,
    Submission,
    TrialResponse,
    UsedEntry,
    UsedPage,
)
from surveys.models.statement import ReceiptPiece, Statement
from surveys.models.survey import Survey
