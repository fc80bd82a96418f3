"""What a sealing costs by the size of a site: PostgreSQL's tables of keys are written anew, in the order of their keys.

    python -m benchmarks.bench_traces [--keys 100000 1000000]

The time grows with all keys that a site keeps, not with those of one sealing, and who sends waits meanwhile:
docs/scale.md says where that ends. The ratio is seconds a million keys, of the largest table over the smallest.
"""

import argparse
import json

from benchmarks.own_process import lines_of
from privacy.output import as_table


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keys", type=int, nargs="+", default=[100_000, 1_000_000])
    sizes = parser.parse_args().keys
    from tests.servers import empty_database, postgres_programs, running_postgres

    programs = postgres_programs()
    if programs is None:
        print("There is no PostgreSQL server on this machine: nothing to measure.")
        return []
    with running_postgres(programs, True) as folder:
        url = empty_database(programs, folder)
        rows = json.loads(lines_of("traces_on", *map(str, sizes), DATABASE_URL=url, DEMO="0")[-1])
    print(as_table(["keys", "seconds to write anew", "bytes a key, with its index"], rows))
    per_key = [seconds / keys for keys, seconds, _ in rows]
    return [(f"{sizes[-1]} keys: seconds a key / {sizes[0]} keys", per_key[-1] / per_key[0])]


if __name__ == "__main__":
    main()
