"""Make the database ready for the site. It may be run at every start."""

import gc
import logging
import shutil
from itertools import chain
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.checks import Tags
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import DatabaseError, connection

from config.environment import refuse
from config.run import heartbeats, pooler
from config.signin import factor, first_password
from config.web.logs import announce
from surveys.domain.database import damage
from surveys.domain.database.hosts import preparing_alone
from surveys.domain.messages.invite import renew_keys
from surveys.domain.responses import sealing_keys
from surveys.models import Erasure

LOCKED = "55P03"  # of PostgreSQL: a lock was waited for as long as it may be


class Command(BaseCommand):
    help = (
        "Make the tables; in a new database also the demo (unless DEMO=0) and an administrator, "
        "whose first password is shown on a terminal, or else written to a file."
    )

    requires_system_checks = (Tags.models, Tags.templates, Tags.translation)  # the web server imports its pages itself

    def handle(self, *_: Any, **__: Any) -> None:
        gc.disable()  # a sixth of the time that the tables take, in a process that ends with them
        pooler.refuse_another()
        # Of versions that kept copies of sealed parts on each machine; no key opens them any more.
        shutil.rmtree(settings.CANDOR_DATA / "copies", ignore_errors=True)
        try:
            check_encoding()
            if half := damage.failure():
                refuse(half)
            with preparing_alone(), heartbeats.beat_while(heartbeats.PREPARATION):
                call_command("migrate", verbosity=0, interactive=False)
                self.fill()
        except DatabaseError as error:
            name = settings.DATABASES["default"]["NAME"]
            if getattr(error.__cause__, "sqlstate", None) == LOCKED:
                refuse(
                    f"The tables of the database {name} cannot be changed during a long read such as a backup "
                    "(pg_dump): start again when it has ended."
                )
            refuse(f"The database {name} cannot be used: {' '.join(str(error).split())}.")

    def fill(self) -> None:
        """Fill a new database with what it must hold, and renew what each start renews: keys, secrets."""
        for sentence in chain(renew_keys(), factor.renew_secrets()):
            announce(sentence, logging.WARNING)
        if settings.ROLE in ("", "tend"):
            sealing_keys.prepare()
            if sealing_keys.count_lost():  # how many may tell that one person has sent within a minute or two
                lost = f"No key in {settings.CANDOR_DATA} can open some waiting responses; see docs/deploy.md."
                announce(lost, logging.WARNING)
        else:  # nobody here seals, nor destroys keys: a key would lie here for good, and open what came meanwhile
            sealing_keys.destroy()
        if User.objects.exists():
            first_password.forget_changed()
            return
        if settings.DEMO and not Erasure.objects.exists():  # a database where something was erased is not new
            call_command("load_demo")
        if self.stdout.isatty():
            password = first_password.make_administrator(keep=False)
            self.stdout.write(
                f"Administrator: admin, password: {password} (shown only now; the first sign-in changes it)."
            )
        else:  # what is printed may end in a log that others read
            first_password.make_administrator(keep=True)
            self.stdout.write(
                f"Administrator: admin, password: in the file {first_password.password_file()} "
                "(only its owner can read it; the first sign-in changes the password and removes the file)."
            )


def check_encoding() -> None:
    """Refuse a PostgreSQL database that is not UTF-8: systems without a language make databases for ASCII alone."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SHOW server_encoding")
            (encoding,) = cursor.fetchone()
        if encoding != "UTF8":
            name = settings.DATABASES["default"]["NAME"]
            make = "make it with `createdb --encoding=UTF8` (docs/deploy.md)"
            refuse(f"The database {name} holds {encoding}, not UTF8: {make}.")
