"""Fifty blows at crews that count, on PostgreSQL: leaders, members, their workers, the broker and the database killed.

    python -m benchmarks.bench_crews [--kills 50] [--lease 20] [--respondents 100000]

Three workers on one machine; each run is long enough for members to count when the blow comes. Every run must end with
exactly one result, that of one process to the last byte, and be taken up again within a minute. Besides, runs are
cancelled, and members stand still until their run has ended. The ratio is right results over runs.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from benchmarks.own_process import lines_of
from privacy.output import as_table


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--lease", type=int, default=20, help="seconds; 20 is what a site has")
    parser.add_argument("--respondents", type=int, default=100_000)
    options = parser.parse_args()
    from tests.servers import postgres_folder, postgres_programs

    programs = postgres_programs()
    if programs is None:
        print("No PostgreSQL server found: install the package postgresql.")
        return []
    with postgres_folder(programs) as folder:
        measured = crews_struck(programs, folder, options.kills, options.lease, options.respondents)
    print(as_table(measured["headings"], measured["rows"]))
    print(f"One process takes {measured['seconds']} s for such a run.")
    right, times = (sum(row[place] for row in measured["rows"]) for place in (2, 1))
    return [(f"{times} blows at crews: right results / runs", right / times)]


def crews_struck(programs: Path, folder: Path, kills: int, lease: int, respondents: int) -> dict[str, Any]:
    """The table of what happened, made by a process of its own over the PostgreSQL of this folder."""
    lines = lines_of(
        "crews_on",
        *map(str, (kills, respondents, programs, folder)),
        DATABASE_URL=f"postgresql://candor@/postgres?host={folder}",
        DEMO="0",
        MINING_LEASE=str(lease),
        MINING_SPREAD_FROM="1",
    )
    measured: dict[str, Any] = json.loads(lines[-1])
    return measured


if __name__ == "__main__":
    main()
