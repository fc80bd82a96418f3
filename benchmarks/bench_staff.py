"""How much stands on each page of staff: controls, height, primary buttons; and what the whole site of staff weighs.

    python -m benchmarks staff

The whole site runs as `make run` starts it, with a draft of fourteen questions, a closed survey with its report, and a
run of mining. Chromium opens each page at 1280 px and counts what can be pressed or filled: what is seen, and what
stands in closed folds and menus. The baselines are the bars of BARS, where a page has one.
"""

import os
import subprocess
import sys
from typing import Any

from playwright.sync_api import Page, sync_playwright

from benchmarks.bench_page import ROOT, running_site
from privacy.output import as_table
from tests.browsers import chromium

WIDTH = 1280
PASSWORD = "a long password"
# Controls that are seen, controls in folds and menus, height in pixels: no page may have more.
BARS = {
    "surveys": {"seen": 40},
    "write": {"seen": 45, "folded": 120, "height": 3200},
    "report": {"seen": 25, "height": 4500},
    "run": {"seen": 35, "height": 3000},
}
MOST_BYTES = 90_000  # of all styles and scripts
FILES = ("config/static/site/[!p]*", "surveys/static/studio/*", "surveys/static/surveys/[!p]*", "mining/static/*/*")
SEED = f"""
from django.contrib.auth.models import User
from mining.domain.request import request_run
from mining.engines.request import MiningRequest
from surveys.domain.drafts import history
from surveys.domain.drafts.beginnings import beginning
from surveys.domain.drafts.history import Editor
from surveys.domain.questionnaire.document import questions
from surveys.models import Survey
from surveys.studio.home import begin
user = User.objects.create_superuser("ada", password={PASSWORD!r})
draft = begin(user, beginning("academic-integrity", "Academic integrity", "en"))
made = history.current_draft(draft)
wanted = 14 - sum(1 for _ in questions(made.document))
if wanted > 0:
    lines = "\\n".join(f"Did thing {{n}} happen?" for n in range(wanted))
    added = {{"do": "add", "type": "yesno", "lines": lines, "sensitive": True}}
    history.change(draft, Editor(user, "bench", made.number), added)
survey = Survey.objects.get(slug="demo-ten")
run = request_run(survey, MiningRequest(min_support=0.05, min_confidence=0.2), user)
print("made", draft.pk, survey.pk, survey.versions.get().pk, run.pk)
"""
COUNT = """() => {
  const controls = [...document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, textarea, summary')];
  const inside = (one) => one.closest('#main') !== null;
  const seen = controls.filter((one) => {
    const box = one.getBoundingClientRect();
    return one.checkVisibility({visibilityProperty: true}) && box.width > 1 && box.right > 0 && box.bottom > 0;
  });
  const closed = (one) => {
    for (let fold = one.closest('details'); fold; fold = fold.parentElement.closest('details'))
      if (!fold.open && !(one.matches('summary') && one.parentElement === fold)) return true;
    return false;
  };
  return {
    seen: seen.filter(inside).length,
    whole: seen.length,
    folded: controls.filter(closed).length,
    height: document.documentElement.scrollHeight,
    wide: document.documentElement.scrollWidth,
    primary: seen.filter((one) => one.matches('.primary, .template.first')).length,
  };
}"""


def main() -> list[tuple[str, float]]:
    with running_site("demo-ten") as (address, environment):
        counted = _pages(address, _seed_pages(environment))
    heads = ("seen", "whole", "folded", "height", "wide", "primary")
    rows = [[name, *(found[head] for head in heads)] for name, found in counted.items()]
    print(as_table(["page", "controls", "with the bar", "folded", "height", "width", "primary"], rows))
    found = [file for glob in FILES for file in ROOT.glob(glob) if file.suffix in (".css", ".js")]
    files = {file: file.stat().st_size for file in found}
    for file, size in sorted(files.items(), key=lambda one: -one[1]):
        print(f"{size:6} {file.relative_to(ROOT)}")
    print(f"{sum(files.values())} bytes of styles and scripts, as they are written")
    bars = [(f"{page}: {what}", counted[page][what] / most) for page, own in BARS.items() for what, most in own.items()]
    return [*bars, ("bytes of styles and scripts", sum(files.values()) / MOST_BYTES)]


def _seed_pages(environment: dict[str, str]) -> dict[str, str]:
    """The address of each page, once a worker has mined."""
    made = subprocess.run(
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", SEED],
        cwd=ROOT, env=environment, check=True, capture_output=True, text=True,
    )  # fmt: skip
    draft, survey, version, run = made.stdout.split("made ")[1].split()
    of_draft, of_survey = f"studio/{draft}", f"studio/{survey}"
    steps = {"write": "", "protect": "protect/", "try": "try/", "publish": "publish/"}
    later = {"field": "fieldwork/", "files": "files/"}
    others = ("people", "log", "history", "translation", "protocol", "preregistration", "export", "document")
    tables = ("table", "regression", "compare", "weighted", "versions", "words", "share", "releases")
    return {
        "surveys": "studio/",
        **{name: f"{of_draft}/{rest}" for name, rest in steps.items()},
        **{name: f"{of_survey}/{rest}" for name, rest in later.items()},
        "report": f"studio/versions/{version}/results/",
        **{f"report, {name}": f"studio/versions/{version}/results/{name}/" for name in tables},
        **{name: f"{of_draft}/{name}/" for name in others},
        "run": f"runs/{run}/change/",
        "runs": "runs/",
        "run, start": f"{of_survey}/together/",
        "people of the site": "people/",
        "system": "system/",
        "account": "admin/account/",
        "tokens": "admin/account/tokens/",
        "erased": "studio/erased/",
        "import": "studio/import/",
    }


def _pages(address: str, pages: dict[str, str]) -> dict[str, dict[str, Any]]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), chromium_sandbox=os.getuid() != 0)
        page = browser.new_page(viewport={"width": WIDTH, "height": 900})
        page.set_default_timeout(120_000)  # a busy machine is slow, and counts the same
        _sign_in(page, address)
        page.goto(f"{address}/staff/{pages['run']}")
        page.locator("#rules").wait_for()  # mined by now
        counted = {}
        for name, path in pages.items():
            page.goto(f"{address}/staff/{path}")
            page.wait_for_load_state("networkidle")
            counted[name] = page.evaluate(COUNT)
        browser.close()
    return counted


def _sign_in(page: Page, address: str) -> None:
    page.goto(f"{address}/staff/studio/")
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="Surveys", exact=True).wait_for()


if __name__ == "__main__":
    main()
