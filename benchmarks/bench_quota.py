"""What a response to a survey with a quota costs, by how many wait: a response each, one after the other.

    python -m benchmarks.bench_quota [waiting ...]

The baseline is the same survey without a quota, in turns with it. A tenth of the responses take less than is printed,
which a busy machine hardly changes.
"""

import sys

from benchmarks.own_process import databases, lines_of
from privacy.output import as_table


def main() -> list[tuple[str, float]]:
    rows: list[list[object]] = []
    ratios = []
    with databases() as every:
        for name, chosen in every.items():
            for line in lines_of("quota_on", *(sys.argv[1:] or ["1000", "20000"]), **chosen):
                waiting, without, within = line.split()
                rows.append([name, int(waiting), round(float(without), 2), round(float(within), 2)])
                ratios.append((f"{name}, {waiting} wait: with / without", float(within) / float(without)))
    print(as_table(["database", "responses that wait", "ms without a quota", "ms with a quota"], rows))
    return ratios


if __name__ == "__main__":
    main()
