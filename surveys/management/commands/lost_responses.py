"""manage.py lost_responses: what cannot be opened because a database came back without its keys, or the other way."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from surveys.domain.questionnaire.quotas import forget_counts
from surveys.domain.responses import sealing_keys
from surveys.models import Inbox, Survey


class Command(BaseCommand):
    help = "Count the responses whose key is not here and the keys whose responses are not here, or give both up."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--give-up", action="store_true", help="delete these responses, and destroy these keys")

    def handle(self, *, give_up: bool, **_options: Any) -> None:
        lost, unknown = sealing_keys.count_lost(), len(sealing_keys.unknown())
        if give_up and lost and not sealing_keys.is_only_host():
            raise CommandError(
                f"Nothing was deleted: {lost} responses wait that no key here opens, but another host that seals was "
                "there at one of the last two sealings. If it can open them, it hands them over within seconds; if it "
                "cannot, stop it, and give them up after two more sealings."
            )
        if give_up:
            _delete_lost()
            sealing_keys.give_up()
            self.stdout.write(f"Deleted: {lost} responses that no key here opens, {unknown} keys of no response here.")
        else:
            self.stdout.write(f"{lost} responses wait that no key here opens. Here lie keys of no response: {unknown}.")


def _delete_lost() -> None:
    lost = Inbox.objects.filter(round__lost=True)
    with transaction.atomic():
        surveys = Survey.objects.select_for_update(no_key=True).filter(pk__in=lost.values("version__survey"))
        forget_counts([survey.pk for survey in surveys])  # under the lock: nobody counts again before they are gone
        lost.delete()
