"""What is published once a survey has closed for good. The database refuses to change it (see the migrations)."""

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
