"""Make the database ready for the site. It may be run at every start."""

import secrets
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import DatabaseError

from config.environment import refuse
from surveys.domain.invite import renew_keys


class Command(BaseCommand):
    help = (
        "Make the tables; in a new database also the demo (unless DEMO=0) and an administrator, "
        "whose password is shown once."
    )

    def handle(self, *_: Any, **__: Any) -> None:
        try:
            call_command("migrate", verbosity=0, interactive=False)
        except DatabaseError as error:
            name = settings.DATABASES["default"]["NAME"]
            refuse(f"The database {name} cannot be used: {' '.join(str(error).split())}.")
        for sentence in renew_keys():
            self.stderr.write(sentence)
        if User.objects.exists():
            return
        if settings.DEMO:
            call_command("load_demo")
        password = secrets.token_urlsafe(12)
        User.objects.create_superuser("admin", password=password)
        self.stdout.write(
            f"Administrator: admin, password: {password} (shown only now; change it in the administration)."
        )
