"""The site's half of bench_waits: prints the seconds of loading the demo and of one page of 60 000 rules."""

# ruff: noqa: E402 - the settings must stand before models are imported
import time
from collections.abc import Callable

import django

django.setup()

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client

from tests.mining.surveys import found_run, with_many_rules


def main() -> None:
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
    call_command("migrate", verbosity=0)
    demo = seconds(lambda: call_command("load_demo", verbosity=0))
    run = with_many_rules(found_run(), 60_000)
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("bench"))
    address = run.get_absolute_url()
    assert client.get(address).status_code == 200
    print(demo, seconds(lambda: client.get(address, {"r-redundant": "on"})))


def seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


if __name__ == "__main__":
    main()
