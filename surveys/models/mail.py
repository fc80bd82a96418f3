"""What the site mails: to people whom a survey invites (`Invitee`), and to those who work on it."""

from django.db import models

from surveys.models.survey import Survey


class Mailing(models.Model):
    """The texts and days of a survey's mail, and which worker is sending it (surveys.domain.mail)."""

    survey = models.OneToOneField(Survey, models.CASCADE, primary_key=True, related_name="mailing")
    page = models.URLField(max_length=300)  # the respondent's page, at the address where the texts were written
    reply_to = models.EmailField(blank=True)
    texts = models.JSONField()  # {"invitation": {"en": {"subject": …, "body": …}}, "reminder": {…}}
    days = models.JSONField()  # of the invitation, then of each reminder: ["2027-01-31", …]

    looked_on = models.DateField(null=True)  # the day on which it was last looked whose invitation is used
    done = models.PositiveSmallIntegerField(default=0)  # everybody has what so many of the days bring
    trouble = models.CharField(max_length=60, blank=True)  # the kind of error that the mail server last gave

    token = models.CharField(max_length=32, blank=True)  # a worker must still hold this to send
    until = models.DateTimeField(null=True)  # before this time no other worker begins


class Notice(models.Model):
    """A notice that the people of a survey were sent, once (surveys.domain.mail.notices)."""

    survey = models.ForeignKey(Survey, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=10)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("survey", "kind"), name="notice_once"),)
