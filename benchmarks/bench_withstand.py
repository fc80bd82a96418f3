"""What an honest respondent notices beside strangers who hold thousands of connections, and beside a locked database.

    python -m benchmarks.bench_withstand [--connections 2100] [--seconds 20]

The site is the one of `make run`. The strangers are another process: they open connections that say nothing, send half
a header, send half a body, or ask for a file and take none of it, and open each again as soon as the site closes it;
sixteen connections of one device in the respondent's own network send malformed messages as fast as they are answered.
The respondent beside them opens a new connection for the page, the questionnaire and a response, again and again;
`usual` and `worst` are the median and the largest of the seconds that one of these takes, `failed` counts those that
were refused or took 10 s. At last somebody locks the database while 40 devices send: the page must not wait for that.
"""

import argparse
import json

from benchmarks.own_process import lines_of
from privacy.output import as_table


def main() -> list[tuple[str, float]]:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--connections", type=int, default=2_100)
    arguments.add_argument("--seconds", type=int, default=20)
    options = arguments.parse_args()
    lines = lines_of("withstand_on", str(options.connections), str(options.seconds), DEMO="0")
    figures = {row["beside"]: row for row in map(json.loads, lines) if "beside" in row}
    print(as_table(list(next(iter(figures.values()))), [list(row.values()) for row in figures.values()]))
    quiet = figures.pop("nobody")
    return [(f"worst beside {name} / beside nobody", row["worst"] / quiet["worst"]) for name, row in figures.items()]


if __name__ == "__main__":
    main()
