"""manage.py mine SLUG: rules of a survey's last snapshot, printed as `candor mine --json` prints those of a file."""

import os
import sys
from argparse import ArgumentParser
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from mining.domain.files import round_columns, round_summary
from mining.domain.request import minable
from mining.domain.result import mine_snapshot
from mining.engines.findings import json_chunks
from mining.engines.options import MINE
from mining.engines.request import MiningRequest
from privacy.errors import InputError, as_typed
from privacy.options.notation import number_option
from privacy.options.option import add_options
from surveys.models import Survey


class Command(BaseCommand):
    help = "Mine association rules from a survey's last snapshot and print them as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.register("type", float, number_option)  # a share may be a fraction, as in `candor mine`
        parser.add_argument("slug", metavar="SLUG", help="the survey, by the name in its link")
        add_options(parser, MINE, "page")

    def handle(self, *, slug: str, **options: Any) -> None:
        try:
            request = MiningRequest(**{name: options[name] for name in MiningRequest.STORED})
            survey = Survey.objects.filter(slug=slug).first()
            if survey is None:
                raise InputError(f"SLUG: there is no survey {slug!r}.")
            snapshot = minable(survey)
            mined = mine_snapshot(snapshot, request)
            summary = round_summary(mined.summary, snapshot)
            columns = round_columns(mined.columns, exact=summary["exact"])
        except InputError as error:
            raise CommandError(as_typed(error, options), returncode=2) from error
        try:
            for text in json_chunks(replace(mined, columns=columns, summary=summary)):
                self.stdout.write(text, ending="")
            self.stdout.flush()
        except BrokenPipeError:  # the reader, `head` perhaps, has seen enough; Python would complain at exit once more
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
