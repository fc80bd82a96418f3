"""Processes that mine are forked from one that is warm, so that a short run is not mostly imports."""

import pytest

from mining.domain import forked


@pytest.mark.django_db(transaction=True)
def test_processes_are_forked_from_one_that_stays_and_from_another_once_it_is_gone():
    """How each of them ended is told: with status 1, because there is no such run."""
    seen = []
    for _ in range(3):
        process = forked.start("counting", 0, "of no run")
        assert process.wait() == 1
        process.stdin.close()
        process.stdout.close()
        seen.append(process.warm)
        if len(seen) == 2:
            process.warm.process.kill()
            process.warm.process.wait()
    assert seen[0] is seen[1] is not seen[2]
