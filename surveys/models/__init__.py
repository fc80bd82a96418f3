"""Fields and thin methods; what the system does with them lives in surveys.domain."""

from surveys.models.erasure import ClockReading, Erasure
from surveys.models.export import Export
from surveys.models.mail import Mailing, Notice
from surveys.models.paper import PaperBatch, TypedSheets
from surveys.models.published import DemoTruth, PublishedDraft, SurveyVersion, Trial
from surveys.models.release import TableRelease
from surveys.models.report import Phrase, SharedReport
from surveys.models.responses import (
    NO_ORDER,
    REWRITTEN,
    CopyKey,
    GroupCount,
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
from surveys.models.survey import DraftChange, DraftDocument, Medium, Membership, Survey
