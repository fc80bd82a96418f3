"""For `candor manage shell`: ask for a mining run of the demo, wait for the worker, and print how many rules it has."""

import time

from mining.domain.request import request_run
from mining.engines.request import MiningRequest
from mining.models import MiningRun
from surveys.models import Survey

PATIENCE = 180  # seconds

run = request_run(Survey.objects.get(slug="demo"), MiningRequest(min_support=0.1, min_confidence=0.4))
until = time.monotonic() + PATIENCE
while run.state in (MiningRun.State.QUEUED, MiningRun.State.RUNNING):
    if time.monotonic() > until:
        raise SystemExit(f"The run is still {run.state} after {PATIENCE} seconds.")
    time.sleep(0.5)
    run.refresh_from_db()
if run.state != MiningRun.State.DONE:
    raise SystemExit(f"The run ended as {run.state}.")
print("rules:", run.result.summary["rules"])
