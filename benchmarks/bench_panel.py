"""How long the panel beside a questionnaire takes to follow a change, in CPU time: the machine may do other things.

    python -m benchmarks.bench_panel [--questionnaires 30]

Questionnaires of 3 to 40 answers of mixed types, as bench_proposal draws them, grow by one question, lose one, and get
another promise. *Cold*: nothing is remembered from before, as in a process that has just started. *Warm*: the same
change once more, as undoing and redoing meet it. *Met*: what a researcher meets in a running process, whose page shows
the draft before the first of ten edits, one after the other: questions are added, reworded, moved and deleted, people
and promise are changed, each taken as the last one left it, and none is measured twice. What is measured is the whole
answer: the change, the proposal, every panel and the sheet, with a database that is empty. *Verdict*: that of Protect
alone on twenty questions, of which nothing is remembered.
"""

import argparse
import gc
import os
import time
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper, partial
from itertools import product
from typing import Any

import numpy as np

BAR = 0.3  # seconds
SEED = 46


def main() -> list[tuple[str, float]]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.test.utils import setup_databases

    django.setup()
    setup_databases(verbosity=0, interactive=False)  # empty, in memory: a page asks whether its survey has versions
    parser = argparse.ArgumentParser()
    parser.add_argument("--questionnaires", type=int, default=30)
    given = parser.parse_args()
    cold: list[float] = []
    warm: list[float] = []
    met: list[float] = []
    random = np.random.default_rng(SEED)
    first()
    for _number in range(given.questionnaires):
        for follow in changes(random):
            forget()
            cold.append(seconds(follow))
            warm.append(seconds(follow))
    forget()
    for _number in range(given.questionnaires):
        met += time_edits(random)
    verdicts = list(time_verdicts())
    lines = [
        (name, np.percentile(of, 50), np.percentile(of, 95), max(of), len(of))
        for name, of in (("cold", cold), ("warm", warm), ("met", met), ("verdict", verdicts))
    ]
    for name, *figures in lines:
        print("{}: p50 {:.3f} s, p95 {:.3f} s, max {:.3f} s of {} changes".format(name, *figures))
    return [(f"{name}, p95 / {BAR} s", float(p95) / BAR) for name, _p50, p95, *_more in lines]


def seconds(follow: Callable[[], object]) -> float:
    begun = time.process_time()
    follow()
    return time.process_time() - begun


def forget() -> None:
    """Empty every cache of the mathematics and of what is said of it."""
    for each in gc.get_objects():
        if isinstance(each, _lru_cache_wrapper) and str(each.__module__).startswith(("privacy.plan", "surveys.domain")):
            each.cache_clear()


def first() -> None:
    """Templates are read once and stay."""
    document, survey = start_draft([{"type": "yesno", "rows": ""}])
    follow(survey, document, {"do": "survey", "field": "expected", "value": "900"})


def start_draft(asked: list[dict[str, str]]) -> tuple[dict[str, Any], Any]:
    from surveys.domain.drafts.changes import apply
    from surveys.domain.drafts.protect import usual
    from surveys.domain.questionnaire.document import empty
    from surveys.models import Survey

    survey = Survey(pk=1, slug="panel", title="Panel")
    document = empty("Panel", ["en"]) | {"protection": usual() | {"by": "hand"}}
    for number, each in enumerate(asked):
        line = f"Question number {number}?"
        document = apply(survey, document, {"do": "add", "lines": line, "sensitive": True, **each})
    return document, survey


def follow(survey: Any, document: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """The answer to a change, as surveys.studio.write makes it, with nothing in the database."""
    from surveys.domain.drafts.changes import apply
    from surveys.domain.questionnaire.document import Draft
    from surveys.studio import panes, sheet

    after = apply(survey, document, change)
    draft = Draft.from_document(survey, after)
    sheet.sheet(draft, "", {})
    for step in ("write", "protect"):
        panes.render_panels(draft, step)
    return after


def time_edits(random: np.random.Generator) -> Iterator[float]:
    """The seconds of each of ten edits of one questionnaire, one after the other."""
    survey, document = questionnaire(random)
    names = names_of(document)
    document = follow(survey, document, {"do": "survey", "field": "expected", "value": "1500"})  # the page as it opens
    for change in (
        {"do": "add", "type": "yesno", "lines": "Another?", "sensitive": True, "skip": "yes"},
        {"do": "question", "question": "another", "field": "text", "language": "en", "value": "Quite another?"},
        {"do": "add", "type": "scale", "lines": "Frequency?", "rows": "", "sensitive": True},
        {"do": "move", "question": "frequency", "to": "up"},
        {"do": "delete", "question": names[-1]},
        {"do": "survey", "field": "expected", "value": "4000"},
        {"do": "protect", "field": "sure", "value": 33},
        {"do": "question", "question": "another", "field": "text", "language": "en", "value": "Another?"},
        {"do": "protect", "field": "pairs", "value": False},
        {"do": "delete", "question": "another"},
    ):
        begun = time.process_time()
        document = follow(survey, document, change)
        yield time.process_time() - begun


def time_verdicts() -> Iterator[float]:
    """The seconds of a verdict on twenty yes/no questions, by people, guess, promise and whether one may skip them."""
    from surveys.domain.drafts.changes import apply
    from surveys.domain.drafts.protect import judge_document, usual

    for skip in ("", "yes"):
        document, survey = start_draft([{"type": "yesno", "rows": "", "skip": skip}] * 20)
        for people, guess, sure in product(("800", "5000"), ("0.05:0.02..0.1", "0.02", "0.3"), (20, 50)):
            wished = {**document, "protection": usual() | {"guess": guess, "sure": sure}}
            asked = apply(survey, wished, {"do": "survey", "field": "expected", "value": people})
            forget()
            yield seconds(partial(judge_document, survey, asked))


def changes(random: np.random.Generator) -> Iterator[Callable[[], object]]:
    """Changes of one questionnaire whose blocks are proposed."""
    survey, document = questionnaire(random)
    made: list[dict[str, Any]] = [
        {"do": "add", "type": "yesno", "lines": "One more?", "sensitive": True},
        {"do": "delete", "question": names_of(document)[-1]},
        {"do": "protect", "field": "sure", "value": 33},
        {"do": "survey", "field": "expected", "value": "4000"},
    ]
    for change in made:
        yield lambda change=change: follow(survey, document, change)  # type: ignore[misc]


def names_of(document: dict[str, Any]) -> list[str]:
    return [question["id"] for page in document["pages"] for question in page["questions"]]


def questionnaire(random: np.random.Generator) -> tuple[Any, dict[str, Any]]:
    """A survey and its document: sensitive questions of mixed types, 3 to 40 answers, whose blocks are proposed."""
    asked: list[dict[str, str]] = []
    answers, wanted = 0, int(random.integers(3, 41))
    while answers < wanted:
        match random.choice(["yesno", "choice", "several", "scale"], p=[0.6, 0.2, 0.1, 0.1]):
            case "yesno":
                asked.append({"type": "yesno", "rows": "", "skip": "yes" if random.random() < 0.5 else ""})
                answers += 1
            case "choice":
                asked.append({"type": "choice", "rows": "\n".join(map(str, range(random.integers(3, 8))))})
                answers += 1
            case "several":
                count = int(random.integers(2, 6))
                asked.append({"type": "several", "rows": "\n".join(f"Part {n}" for n in range(count))})
                answers += count
            case _:
                asked.append({"type": "scale", "rows": ""})
                answers += 1
    document, survey = start_draft(asked)
    return survey, {**document, "protection": {**document["protection"], "by": "proposal"}}


if __name__ == "__main__":
    main()
