"""Fields and thin methods; what the system does with them lives in surveys.domain."""

from surveys.models.published import DemoTruth, PublishedDraft, SurveyVersion, Trial
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
    PaperBatch,
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
    TypedSheets,
    UsedEntry,
    UsedPage,
)
from surveys.models.results import Export, Phrase, ReceiptPiece, SharedReport, Statement, TableRelease
from surveys.models.survey import (
    ClockReading,
    DraftChange,
    DraftDocument,
    Erasure,
    Mailing,
    Medium,
    Membership,
    Notice,
    Survey,
)
