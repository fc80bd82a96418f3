"""What is published once a survey has closed for good, and what stays of one that was erased: nothing changes either.

The database refuses to (see the migrations).
"""

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef

from surveys.models.survey import Survey


class Published(models.Manager["Statement"]):
    """Statements whose list of receipts is complete. Pieces are written from the last to the first.

    Of a few people there is no list, and no piece.
    """

    def get_queryset(self) -> "models.QuerySet[Statement]":
        pieces = ReceiptPiece.objects.filter(statement=OuterRef("pk"))
        return super().get_queryset().filter(Exists(pieces.filter(number=0)) | ~Exists(pieces))


class Statement(models.Model):
    """The roots of a closed survey's receipts and of its sealed parts, as the bytes that everybody gets.

    `salt` keeps the roots of parts from telling what a small part holds to somebody who tries every content; a person
    who has the data may have the salt.
    """

    survey = models.OneToOneField(Survey, on_delete=models.PROTECT, related_name="statement")
    content = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    salt = models.BinaryField(max_length=32)
    objects = models.Manager()
    published = Published()


class ReceiptPiece(models.Model):
    """A piece of a closed survey's sorted list of receipts, 32 bytes each, one after the other."""

    statement = models.ForeignKey(Statement, on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    receipts = models.BinaryField()

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("statement", "number"), name="receipt_piece_once"),)


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
