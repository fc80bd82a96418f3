"""A rehearsal: a survey apart, of simulated people alone, made of a draft and thrown away when it has been looked at.

It is a survey with one version, so that everything that reads sealed responses reads it as it is; it is marked as
simulated in its definition, names the survey that it rehearses, and is none that the public site, lists or the API
know. Asking for it makes the survey and its version; a worker adds the answers, in one transaction and only where
there are none. So a task that comes twice, or dies half way, does no harm, and the duty asks again.
"""

import secrets
from hashlib import sha256

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from privacy.errors import EntryError
from surveys import notes
from surveys.domain.closed.erase import erase
from surveys.domain.drafts.trial_draft import draft_without_gaps
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import read_document
from surveys.domain.questionnaire.minimum import FEWEST
from surveys.domain.questionnaire.publish import draft_of_version
from surveys.features import FEATURES
from surveys.models import Phrase, PublishedDraft, Survey, SurveyVersion

MOST = 20_000
MOST_TO_REPORT = 100  # however many the survey itself reports on
CLUSTERED = "clustered"  # in the draft of a rehearsal: whether telling answers are those of a few people


def begin(survey: Survey, respondents: int, *, clustered: bool = False) -> Survey:
    """Start a rehearsal of the draft as it is now and return its survey; an earlier rehearsal is erased.

    `clustered`: a few people have much more to tell than others.
    """
    if not FEWEST <= respondents <= MOST:
        raise EntryError("{count} is not from {least} to {most}.", count=respondents, least=FEWEST, most=MOST)
    throw_away(survey)
    with transaction.atomic():
        Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
        if survey.rehearsals.exists():
            raise EntryError("Somebody has just started a rehearsal: look at that one.")
        title = (_("%(title)s (simulated)") % {"title": survey.title})[:200]
        apart = Survey(
            slug=f"{survey.slug[:30]}-try-{secrets.token_hex(4)}",
            title=title,
            expected=respondents,
            least=min(survey.least, MOST_TO_REPORT),
            simulated=True,
            rehearses=survey,
        )
        document = {
            **read_document(survey),
            "access": Survey.Access.OPEN,
            **{name: value for one in FEATURES.values() if not one.rehearsed for name, value in one.empty.items()},
            "expected": respondents,
            "title": title,
        }
        definition = compose(draft_without_gaps(apart, document))
        if definition.design.leaks:
            raise EntryError(
                "A block gives true answers away (γ is infinite) and cannot be used in a real survey: disguise more."
            )
        apart.save()
        frozen = definition.to_bytes()
        version = SurveyVersion.objects.create(
            survey=apart,
            number=1,
            definition=frozen,
            sha256=sha256(frozen).hexdigest(),
            published_on=timezone.localdate(),
        )
        document["protection"] = {**document["protection"], CLUSTERED: clustered}
        PublishedDraft.objects.create(version=version, document=document)  # its guess: people answer so
        Phrase.objects.bulk_create(
            Phrase(survey=apart, item=phrase.item, value=phrase.value, words=phrase.words)
            for phrase in Phrase.objects.filter(survey=survey)
        )
        transaction.on_commit(lambda: hint(apart.pk))
    return apart


def rehearsal(survey: Survey) -> Survey | None:
    return survey.rehearsals.filter(erasing_since=None).first()


def is_clustered(version: SurveyVersion) -> bool:
    """Whether telling answers are those of a few people in this version of a rehearsal."""
    document = draft_of_version(version)
    return bool(document and document["protection"].get(CLUSTERED))


def throw_away(survey: Survey) -> None:
    """Erase the survey's rehearsal with its answers, report and mining runs, also one that is half erased."""
    for apart in survey.rehearsals.all():
        erase(apart)


def hint(pk: int) -> bool:
    """Leave a hint for workers that this rehearsal needs answers; False if the broker is away: the duty comes later."""
    return notes.leave(notes.REHEARSE, pk, waits=f"rehearsal {pk} waits for the next look")


def start_due_rehearsals() -> None:
    """A duty: hint again at rehearsals without answers, and erase those that were half erased."""
    waiting = Survey.objects.filter(rehearses__isnull=False)
    for apart in waiting.exclude(erasing_since=None):
        erase(apart)
    notes.leave_again(hint, waiting.filter(versions__snapshots=None).values_list("pk", flat=True))
