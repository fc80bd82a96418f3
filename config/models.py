"""What the site itself keeps, beside surveys and runs."""

from django.contrib.auth.models import User
from django.db import models
from django.utils.translation import gettext_lazy


class SiteRight(models.TextChoices):
    """What somebody may do on the site, beside their roles in surveys."""

    BEGINS = "begins", gettext_lazy("Begin surveys")
    INVITED = "invited", gettext_lazy("Only where invited")
    RUNS = "runs", gettext_lazy("Run the site")


class GeneratedPassword(models.Model):
    """Says that the person still has the password that was generated at the first start, and must change it."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True)


class ApiToken(models.Model):
    """What lets a program use the API in a person's name. Only the hash of its text is kept."""

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    scopes = models.JSONField()
    hash = models.BinaryField(max_length=32, unique=True)
    made_on = models.DateField()
    used_on = models.DateField(null=True)
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-id",)


class AccountInvitation(models.Model):
    """A link by which somebody makes an account, once. Only the hash of its text is kept.

    `username` is the name of the account that an administrator chose; `user` is the account that was made.
    """

    username = models.CharField(max_length=150)
    creates = models.BooleanField(default=True)  # whether the person may begin surveys
    runs = models.BooleanField(default=False, db_default=False)  # whether they run the site
    hash = models.BinaryField(max_length=32, unique=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    user = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.username

    @property
    def kind(self) -> SiteRight:
        return SiteRight.RUNS if self.runs else SiteRight.BEGINS if self.creates else SiteRight.INVITED


class Backup(models.Model):
    """When the last good backup of this database was made, to the hour: one row, or none (config.run.last_backup)."""

    row = models.PositiveSmallIntegerField(primary_key=True, default=1)
    made_at = models.DateTimeField()
