"""Make the database ready to serve; may be run at every start."""

import secrets
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = (
        "Make the tables; in a new database also the demo (unless DEMO=0) and an administrator, "
        "whose password is shown once."
    )

    def handle(self, *_: Any, **__: Any) -> None:
        call_command("migrate", verbosity=0, interactive=False)
        if User.objects.exists():
            return
        if settings.DEMO:
            call_command("load_demo")
        password = secrets.token_urlsafe(12)
        User.objects.create_superuser("admin", password=password)
        self.stdout.write(
            f"Administrator: admin, password: {password} (shown only now; change it in the administration)."
        )
