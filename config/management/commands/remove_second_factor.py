"""manage.py remove_second_factor NAME: for the last administrator, who has lost phone and recovery codes."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from config.signin import factor


class Command(BaseCommand):
    help = "Remove a lost second factor, so that the person can sign in with the password alone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the name of the account")

    def handle(self, *, name: str, **_: Any) -> None:
        user = User.objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"There is no account {name}.")
        removed = factor.remove(user)
        self.stdout.write(f"{name} {'can now' if removed else 'could already'} sign in with the password alone.")
