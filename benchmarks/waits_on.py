"""The process in which bench_waits measures the site: it prints three times, in seconds.

They are the times of loading the demo, of one page of 60 000 rules, and of finding the feasible values of 20 flipped
items.
"""

# ruff: noqa: E402 - the settings must be read before models are imported
import time
from collections.abc import Callable

import django

django.setup()

import numpy as np
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client

from mining.engines.columns import columns_of
from mining.engines.feasible import with_feasible
from mining.engines.mine import mine
from mining.engines.request import MiningRequest
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.random_words import seeded_words
from tests.mining.surveys import finished_run, with_many_rules


def main() -> None:
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
    call_command("migrate", verbosity=0)
    demo = seconds(lambda: call_command("load_demo", verbosity=0))
    run = with_many_rules(finished_run(), 60_000)
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("bench"))
    address = run.get_absolute_url()
    assert client.get(address).status_code == 200
    page = seconds(lambda: client.get(address, {"r-redundant": "on"}))
    print(demo, page, seconds(twenty_items()))


def twenty_items() -> Callable[[], object]:
    """100 000 respondents, 20 yes/no items by flips: the joint table of 2^20 cells is not worth its time."""
    items = [f"q{place}" for place in range(20)]
    design = Design.parse({"direct": False, "blocks": [{"model": "flip", "gamma": 19, "radius": 2, "items": items}]})
    chance = np.random.default_rng(1)
    habits = chance.beta(1.5, 3, 20) * chance.uniform(0.5, 1.5, (4, 20))
    people = (chance.random((100_000, 20)) < habits[chance.integers(0, 4, 100_000)]).astype(np.uint8)
    nobody = np.zeros(100_000, dtype=bool)
    records = disguise(design, people, nobody, seeded_words(1))
    mined = mine([(records.codes, nobody)], design, MiningRequest(0.02, 0.5, negated=True, engine="bitset"))
    columns = columns_of(mined)

    return lambda: with_feasible(mined, columns, "stratified")


def seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


if __name__ == "__main__":
    main()
