"""How soon each page of staff answers, on a site with 200 surveys and a closed one of 100 000 answers.

    python -m benchmarks answering

Pages are asked for in this process, in turn, after a first visit that reads the survey; the baseline is 150 ms.
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np

from benchmarks.bench_page import ROOT
from privacy.output import as_table

VISITS, BAR = 12, 0.15
PROGRAM = f"""
import json, logging, time
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from surveys.domain.drafts.beginnings import beginning
from surveys.studio.home import begin
from tests.surveys.results.making import survey_with_results
call_command("migrate", verbosity=0)
logging.disable(logging.CRITICAL)
settings.ALLOWED_HOSTS = ["*"]
user = User.objects.create_superuser("ada")
draft = [begin(user, beginning("academic-integrity", f"Survey {{n}}", "en")).pk for n in range(200)][0]
version = survey_with_results(100_000)
survey = version.survey_id
results = f"studio/versions/{{version.pk}}/results"
pages = ["studio/", *(f"studio/{{draft}}/{{step}}" for step in ("", "protect/", "alternatives/", "try/", "publish/"))]
pages += [*(f"studio/{{survey}}/{{step}}/" for step in ("fieldwork", "files", "people", "log")), results + "/"]
pages += [f"{{results}}/{{name}}/" for name in ("table", "regression", "compare", "weighted", "words", "releases")]
pages += ["runs/", f"studio/{{survey}}/together/", "people/", "system/"]
client = Client()
client.force_login(user)
seconds = {{page: [] for page in pages}}
for visit in range({VISITS} + 1):
    for page in pages:
        begun = time.perf_counter()
        answer = client.get("/staff/" + page, secure=True)
        assert answer.status_code == 200, (page, answer.status_code)
        seconds[page].append(time.perf_counter() - begun)
print("seconds", json.dumps(seconds))
"""


def main() -> list[tuple[str, float]]:
    with tempfile.TemporaryDirectory(prefix="candor-bench-") as data:
        child = subprocess.run(
            [sys.executable, "manage.py", "shell", "-v", "0", "-c", PROGRAM],
            cwd=ROOT, env={**os.environ, "CANDOR_DATA": data}, check=True, capture_output=True, text=True,
        )  # fmt: skip
    seconds = json.loads(child.stdout.split("seconds ")[1])
    late = {page: float(np.quantile(own[1:], 0.95)) for page, own in seconds.items()}
    rows = [[page, round(1000 * own[0]), round(1000 * late[page])] for page, own in seconds.items()]
    print(as_table(["page", "first visit, ms", "95 % of later visits, ms"], rows))
    every = float(np.quantile([one for own in seconds.values() for one in own[1:]], 0.95))
    print(f"95 % of all later visits: {1000 * every:.0f} ms")
    return [("95 % of visits to all pages / 150 ms", every / BAR)]


if __name__ == "__main__":
    main()
