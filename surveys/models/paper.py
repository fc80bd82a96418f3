"""Sheets of paper that staff entered."""

from django.conf import settings
from django.db import models

from surveys.models.published import SurveyVersion


class PaperBatch(models.Model):
    """Counted sheets that were entered together. It holds counts alone: no answer, no sheet, no person and no time.

    `counted` sheets were counted before; `aside` of them could not be entered. Some were entered twice: `compared`
    answers, of which `differing` were not the same. `file` marks a hash of what was read under SECRET_KEY, without
    which nobody can try what few sheets may have said.
    """

    version = models.ForeignKey(SurveyVersion, models.CASCADE, related_name="paper_batches")
    counted = models.PositiveIntegerField()
    aside = models.PositiveIntegerField()
    compared = models.PositiveIntegerField()
    differing = models.PositiveIntegerField()
    file = models.CharField(max_length=64)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["version", "file"], name="one_batch_of_a_file"),)

    @property
    def sheets(self) -> int:
        return self.counted - self.aside


class TypedSheets(models.Model):
    """What somebody has typed of a stack and not stored yet, under a key that their browser alone has.

    `name` is a hash of that key. It holds no time.
    """

    version = models.ForeignKey(SurveyVersion, models.CASCADE, related_name="typed_sheets")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = models.CharField(max_length=64, unique=True)
    content = models.BinaryField()
