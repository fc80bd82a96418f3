"""Who may do what with a survey, beside those whose permissions are for all surveys."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.models.survey import Survey


class Membership(models.Model):
    """The role of a person in one survey. What a role may do stands in surveys.domain.people.roles."""

    class Role(models.TextChoices):
        OWNER = "owner", _("owner")
        EDITOR = "editor", _("editor")
        ANALYST = "analyst", _("analyst")
        VIEWER = "viewer", _("viewer")
        CLERK = "clerk", _("clerk")

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=8, choices=Role.choices)

    class Meta:
        ordering = ("survey", "id")
        constraints = (models.UniqueConstraint(fields=("survey", "user"), name="one_role_per_person"),)
