"""What is frozen when a researcher publishes. The database itself refuses to change it (see the migrations)."""

from fractions import Fraction
from functools import cached_property
from hashlib import sha256

from django.db import models
from django.utils.translation import gettext_lazy as _

from privacy.design import Design
from privacy.own_draw.typed import EntryErrors
from surveys.definition import Definition
from surveys.features import MODE
from surveys.hundreds import fill_hundreds, hundreds, middle_of_hundreds
from surveys.models.survey import Survey


class SurveyVersion(models.Model):
    """A published questionnaire: the bytes that every respondent gets, and their hash, which stands in every link."""

    survey = models.ForeignKey(Survey, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    definition = models.BinaryField()
    sha256 = models.CharField(max_length=64, unique=True)
    published_on = models.DateField()

    class Meta:
        verbose_name = _("published version")
        verbose_name_plural = _("published versions")
        ordering = ("survey", "number")
        constraints = (models.UniqueConstraint(fields=("survey", "number"), name="version_number_once"),)

    def __str__(self) -> str:
        return _("%(survey)s (version %(number)s)") % {"survey": self.survey, "number": self.number}

    @cached_property
    def parsed(self) -> Definition:
        published = bytes(self.definition)
        if sha256(published).hexdigest() != self.sha256:
            raise ValueError(f"The definition of version {self.pk} is not the one that was published under its hash.")
        return Definition.parse(published)

    @property
    def is_coarse(self) -> bool:
        """Whether figures read classes of undisguised answers (docs/decisions/0072-a-coarse-table.md).

        Versions that were reported before there were classes keep what they chose: both together would tell more.
        """
        return self.number >= (self.survey.coarse_from or 1)

    @property
    def design(self) -> Design:
        """The published design, with the errors of sheets that were typed, so that all figures reckon with them."""
        errors = self.entry_errors
        return self.parsed.design.with_errors(errors) if errors else self.parsed.design

    @cached_property
    def _stacks(self) -> list[tuple[int, int, int]]:
        """Of each stack of sheets how many there are, how many answers were entered twice, and how many differ."""
        return [(one.sheets, one.compared, one.differing) for one in self.paper_batches.order_by("pk")]

    @cached_property
    def _people(self) -> int:
        newest = self.snapshots.last()
        return newest.respondents if newest else 0

    @cached_property
    def sheets_shown(self) -> int:
        """The full hundreds of entered sheets that pages say: the same if fewer than the survey reports on came by web.

        Otherwise the number of all people would say beside it whether somebody did.
        """
        sheets = sum(sheets for sheets, *_ in self._stacks)
        return hundreds(min(sheets, self._people - self.survey.least))

    @cached_property
    def entry_errors(self) -> EntryErrors | None:
        """What sheets that were entered twice show, and which share of responses are sheets; None where nothing does.

        While more may come, this is of the stacks that filled the hundreds that are shown: two looks between which one
        response came are alike. A mode of fewer people than the survey reports on is never counted exactly.
        """
        if MODE not in self.parsed.source:
            return None
        ended = self.survey.closed_at is not None or self.survey.has_ended(self.number)
        settled = ended and not self.inbox.exists()
        counted = self._stacks if settled else fill_hundreds(self._stacks, self.sheets_shown)
        sheets, compared, differing = map(sum, zip((0, 0, 0), *counted, strict=True))
        if not 2 * differing < compared:
            return None
        people, least = self._people, self.survey.least
        if not settled:
            sheets, people = middle_of_hundreds(self.sheets_shown + 1), middle_of_hundreds(people)
        elif people - sheets < least:
            sheets = people
        elif sheets < least:
            sheets = least // 2
        return EntryErrors(compared, differing, min(Fraction(sheets, people), Fraction(1)))


class PublishedDraft(models.Model):
    """The draft that a version was published from (surveys.domain.questionnaire.document)."""

    version = models.OneToOneField(SurveyVersion, on_delete=models.CASCADE, related_name="draft")
    document = models.JSONField()


class Trial(models.Model):
    """A draft that can be tried in the real page, under a link that nobody can guess. What is sent is not counted."""

    code = models.CharField(primary_key=True, max_length=32)
    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="trials")
    definition = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    created_on = models.DateField()

    @cached_property
    def parsed(self) -> Definition:
        return Definition.parse(bytes(self.definition))


class DemoTruth(models.Model):
    """The true answers of simulated respondents, of a demo survey or a rehearsal, so that reports can show the error.

    No survey of real people has such a row, because nothing that arrives over the network can make one.
    """

    version = models.OneToOneField(SurveyVersion, on_delete=models.CASCADE, related_name="demo_truth")
    answers = models.BinaryField()
