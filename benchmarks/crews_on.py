"""The process in which bench_crews measures: it prints its table as JSON."""

# ruff: noqa: E402 - the settings must be read before models are imported
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import django

django.setup()

from django.conf import settings
from django.core.management import call_command
from django.db import connections

from config.environment import private_folder
from config.run import broker
from mining.domain.result import mine_run
from mining.engines.progress import silent
from mining.models import MiningRun
from surveys.domain.responses import seal
from tests.mining.killing_crews import OF_A_CREW, OF_SECONDS, SECONDS, strike_crews, table
from tests.mining.surveys import queued_run, sealed_survey
from tests.servers import PATIENCE, postgres_answers, start_postgres, stop, wait_until

BESIDES = ["cancelled", "member stands still"] * 3
AWAY = (0.2, 3.0)  # seconds, until the broker or the database is started again


class Server:
    """A server that is killed, and started again after a while."""

    def __init__(self, start: Callable[[], "subprocess.Popen[bytes]"], answers: Callable[[], bool]) -> None:
        self.start, self.answers = start, answers
        self.process: subprocess.Popen[bytes] | None = None
        self.chance = random.Random(2)

    def begin(self) -> None:
        """Start it, again and again while what is left of the one before is in its way."""

        def runs() -> bool:
            if self.process is None or self.process.poll() is not None:
                self.process = self.start()
                time.sleep(0.5)
            return self.answers()

        wait_until(runs, PATIENCE, "the server answers")

    def strike(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        time.sleep(self.chance.uniform(*AWAY))
        self.begin()
        connections.close_all()


def main() -> None:
    kills, respondents = int(sys.argv[1]), int(sys.argv[2])
    programs, folder = Path(sys.argv[3]), Path(sys.argv[4])
    private_folder(settings.BROKER_SOCKET.parent)
    database = Server(lambda: start_postgres(programs, folder, True), lambda: postgres_answers(programs, folder))
    notes = Server(lambda: subprocess.Popen(broker.command(settings.BROKER_SOCKET)), settings.BROKER_SOCKET.exists)
    try:
        database.begin()
        notes.begin()
        call_command("migrate", verbosity=0)
        seal.PART_SIZE = respondents // 100
        survey = sealed_survey(respondents, **OF_SECONDS)

        def queue(number: int) -> MiningRun:
            return queued_run(survey, **SECONDS, min_confidence=0.9 + 1e-12 * number)

        begun = time.monotonic()
        _, right = mine_run(queue(0), silent)
        seconds = time.monotonic() - begun
        MiningRun.objects.all().delete()
        hit = [*OF_A_CREW, "broker", "database"]
        blows = [hit[place % len(hit)] for place in range(kills)] + BESIDES
        others = {"broker": notes.strike, "database": database.strike}
        done = strike_crews(queue, right, blows, 1, others, longest=seconds / 3)
        headings, rows = table(done)
        print(json.dumps({"headings": headings, "rows": rows, "seconds": round(seconds, 1)}))
    finally:
        connections.close_all()
        for server in (notes, database):
            if server.process is not None:
                stop(server.process)


if __name__ == "__main__":
    main()
