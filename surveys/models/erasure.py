"""What was erased, and when: the record that stays once a survey is gone, and the clock by which it goes."""

from django.conf import settings
from django.db import models


class Erasure(models.Model):
    """One erasing, as the bytes of its record, which names the record before it; the database refuses to change them.

    `mark` shows that a host with SECRET_KEY wrote it. `removed_at`: when the traces had left the database files.
    `people` had a role in the survey, and may read the record.
    """

    content = models.BinaryField()
    sha256 = models.CharField(max_length=64, unique=True)
    mark = models.BinaryField(max_length=32)
    removed_at = models.DateTimeField(null=True)
    people = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="+")

    class Meta:
        ordering = ("id",)


class ClockReading(models.Model):
    """When the machine that leads started, by its clock: the earliest, and after its last jump. One row.

    `machine` is drawn at each start of a machine (surveys.domain.database.clock).
    """

    row = models.PositiveSmallIntegerField(primary_key=True, default=1)
    machine = models.CharField(max_length=36)
    first_start = models.DateTimeField()
    start = models.DateTimeField()
    even_since = models.FloatField()  # seconds that the machine had run when its clock was first read, or last jumped
