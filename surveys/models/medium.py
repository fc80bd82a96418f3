"""The pictures and sounds of surveys."""

from django.db import models

from surveys.models.survey import Survey


class Medium(models.Model):
    """A file that respondents load, named by its bytes (surveys.media), so that it cannot become another."""

    survey = models.ForeignKey(Survey, models.CASCADE, related_name="media")
    name = models.CharField(max_length=90)
    body = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("survey", "name"), name="medium_once"),)
