"""The process in which bench_kills measures: it prints its counts as JSON."""

# ruff: noqa: E402 - the settings must be read before models are imported
import json
import os
import subprocess
import sys

os.environ["MINING_LEASE"] = "2"

import django

django.setup()

from django.conf import settings
from django.core.management import call_command

from config.environment import private_folder
from config.run import broker
from mining.models import MiningRun
from tests.mining.killing import kill_workers
from tests.mining.surveys import queued_run, sealed_survey
from tests.servers import stop, wait_until


def main() -> None:
    kills = int(sys.argv[1])
    call_command("migrate", verbosity=0)
    private_folder(settings.BROKER_SOCKET.parent)
    process = subprocess.Popen(broker.command(settings.BROKER_SOCKET))
    try:
        wait_until(settings.BROKER_SOCKET.exists, 30, "the broker listens")
        survey = sealed_survey(2000)

        def queue(number: int) -> MiningRun:
            return queued_run(survey, min_confidence=0.001 * number, engine="bitset")

        print(json.dumps(kill_workers(queue, kills, seed=1, pool="prefork")))
    finally:
        stop(process)


if __name__ == "__main__":
    main()
