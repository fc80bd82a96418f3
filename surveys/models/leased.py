"""What a row has that workers take, one at a time, by a lease (`surveys.domain.database.leases`)."""

from django.conf import settings
from django.db import models


class Leased(models.Model):
    """Work that somebody asked for; the kinds of row have each its own `state`, "queued" and "running" among them."""

    state: str
    ended_for = models.JSONField(default=dict)  # why without a result: a code and its values
    share = models.FloatField(default=0)  # of the work that is done

    token = models.CharField(max_length=32, blank=True)  # a worker must still hold this to write
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    requested_at = models.DateTimeField()
    hinted_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    @property
    def is_open(self) -> bool:
        return self.state in ("queued", "running")
