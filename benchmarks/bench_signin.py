"""What an honest respondent notices while strangers guess passwords: forty at once, for as long as it is measured.

    python -m benchmarks.bench_signin [--guessers 40] [--seconds 20]

The site is the one of `make run`. Some guess at one account from one address, the others with any name from anywhere,
so that no budget of an address or of an account stops them: what is left is the bound on hashing. `guesses` counts what
was answered, `looked at` those of them for which a password was hashed; the rest were told to wait or to come again.
`usual` and `worst` are the seconds that a respondent's request takes.
"""

import argparse
import json

from benchmarks.own_process import lines_of
from privacy.output import as_table


def main() -> list[tuple[str, float]]:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--guessers", type=int, default=40)
    arguments.add_argument("--seconds", type=int, default=20)
    options = arguments.parse_args()
    lines = lines_of("signin_on", str(options.guessers), str(options.seconds), DEMO="0")
    figures = [json.loads(line) for line in lines if line.startswith("{")]
    print(as_table(list(figures[0]), [list(row.values()) for row in figures]))
    quiet = figures[0]
    return [(f"worst beside {row['beside']} / beside nobody", row["worst"] / quiet["worst"]) for row in figures[1:]]


if __name__ == "__main__":
    main()
