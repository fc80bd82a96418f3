"""What the site itself keeps, beside surveys and runs."""

from django.contrib.auth.models import User
from django.db import models


class GeneratedPassword(models.Model):
    """Says that the person still has the password that was generated at the first start, and must change it."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True)

    def __str__(self) -> str:
        return str(self.user)
