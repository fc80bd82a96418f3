"""What was spent of the privacy of undisguised answers that leave as counts with noise, and these counts."""

from django.db import models

from surveys.models.published import SurveyVersion
from surveys.models.survey import Survey


class NoiseBudget(models.Model):
    """The ε that was spent on a survey and its copies, in millionths. It only grows, and outlives the surveys.

    `mark` is in every exported draft of these surveys, so that what is imported from it shares the budget.
    """

    surveys = models.ManyToManyField(Survey, related_name="noise_budgets")
    mark = models.UUIDField(null=True)
    spent = models.PositiveBigIntegerField(default=0, db_default=0)

    class Meta:
        # With a condition, so that SQLite adds it in place: a new table would lose its trigger.
        constraints = (
            models.UniqueConstraint(
                fields=["mark"], condition=models.Q(mark__isnull=False), name="one_budget_of_a_mark"
            ),
        )


class NoisyCounts(models.Model):
    """The counts of a version, drawn once. What was to be counted is in its definition, so that there is one answer."""

    version = models.OneToOneField(SurveyVersion, models.CASCADE, primary_key=True, related_name="noisy_counts")
    answer = models.JSONField()
