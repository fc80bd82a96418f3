"""What a sealing costs by the size of a site: PostgreSQL's tables of what was used are moved on and written anew.

    python -m benchmarks.bench_traces [--keys 100000 1000000]

A site that has taken so many answers, to one survey or to as many of 20 000 answers as that makes, removes the traces
of a sealing before which 20 000 more came; meanwhile somebody sends a hundred times a second. The ratio is seconds of
processor of the one survey, of the largest site over the smallest: a sealing is to cost what came.
"""

import argparse
import json

from benchmarks.own_process import lines_of, postgresql
from privacy.output import as_table


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keys", type=int, nargs="+", default=[100_000, 1_000_000])
    sizes = parser.parse_args().keys
    with postgresql() as url:
        if url is None:
            return []
        rows = json.loads(lines_of("traces_on", *map(str, sizes), DATABASE_URL=url, DEMO="0")[-1])
    columns = ["keys", "surveys", "seconds", "of processor", "longest wait of a sender, s", "bytes a key"]
    print(as_table(columns, rows))
    seconds = [row[3] for row in rows if row[1] == 1]
    return [(f"traces of a sealing: {sizes[-1]} keys / {sizes[0]} keys", seconds[-1] / seconds[0])]


if __name__ == "__main__":
    main()
