"""Where the time of one submission goes, step by step, in the process of a web server.

    python -m benchmarks.bench_profile [--submissions 2000]

One thread sends responses to the whole application without a network, on SQLite and on PostgreSQL. Each step is timed
by the clock and by the processor of this process; a step that calls another does not count it. What is left of a
request is Django and the middleware.
"""

import argparse
import json

from benchmarks.own_process import databases, lines_of
from privacy.output import as_table


def main() -> list[tuple[str, float]]:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--submissions", type=int, default=2_000)
    options = arguments.parse_args()
    rows: list[list[object]] = []
    ratios = []
    with databases() as every:
        for name, chosen in every.items():
            steps = json.loads(lines_of("profile_on", str(options.submissions), **chosen)[-1])
            whole = sum(clock for _, clock, _ in steps)
            rows += [[name, step, round(clock), round(own), clock / whole] for step, clock, own in steps]
            rows.append([name, "all", round(whole), round(sum(own for _, _, own in steps)), 1.0])
            ratios += [(f"{name}: {step} / all", clock / whole) for step, clock, _ in steps]
    print(as_table(["database", "step", "µs by the clock", "µs of processor", "share by the clock"], rows))
    return ratios


if __name__ == "__main__":
    main()
