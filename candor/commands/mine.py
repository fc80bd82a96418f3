"""`candor mine`: itemsets and rules of a file of disguised records."""

import argparse
import sys
import warnings
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from candor.commands.shared import FILES, add_records, options_of, records_of, sample_of
from mining.engines.options import MINE
from privacy.errors import InputError, InputWarning
from privacy.options.command_line import add_option
from privacy.options.tables import LIKELIEST

if TYPE_CHECKING:
    from collections.abc import Callable

    from mining.engines.findings import Mined
    from privacy.reconstruct.likeliest import Likeliest

NAME = "mine"
HELP = "find association rules in disguised records, with errors"
NEEDS_DASK = "A Dask cluster needs more packages; run pip install 'candor-survey[dask]'."
_MOST_WORKERS = 256
_ATTEMPTS = 3  # what kills workers again and again will kill the next ones


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_records(parser)
    least_or_top = parser.add_mutually_exclusive_group(required=True)
    for one in (MINE["min_support"], LIKELIEST["top"]):
        add_option(least_or_top, replace(one, default=None))
    for one in (*MINE.for_place("command"), *LIKELIEST):
        if not one.required:
            add_option(parser, one)
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="start this many workers of Dask here, each with a share of RECORDS in Parquet (default: one process)",
    )
    parser.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="count on the workers of this Dask cluster, such as tls://scheduler:8786, which read RECORDS in Parquet; "
        "--cluster with an address is the same",
    )
    parser.add_argument(
        "--again",
        action="store_true",
        help="begin again, twice at most, where the cluster loses its scheduler or workers",
    )
    parser.add_argument("-o", "--output", metavar="RULES.csv", help="write the rules to this file")


def run(arguments: argparse.Namespace) -> "Likeliest | None":
    if arguments.top is not None:
        return _find_likeliest(arguments)
    if strange := next((name for name in ("first", "both", "simultaneous") if getattr(arguments, name)), None):
        raise InputError(f"--{strange} goes with --top; give --top N, too.")
    from mining.engines.exports import rules_csv
    from mining.engines.findings import json_chunks
    from mining.engines.records import mine_records
    from mining.engines.request import MiningRequest
    from privacy.design import read_design
    from privacy.files import check_ending, keep_apart, whole_file

    if arguments.dask is None and "://" in (arguments.cluster or ""):  # an address, and no column
        arguments.dask, arguments.cluster = arguments.cluster, None
    request = MiningRequest(**{name: getattr(arguments, name) for name in (*MiningRequest.STORED, "least")})
    keep_apart({"rules": arguments.output}, records=arguments.records, design=arguments.design)
    check_ending(arguments.output, ".csv")
    design = read_design(arguments.design)
    drawn = sample_of(arguments)
    found = _mine(arguments, partial(mine_records, arguments.records, design, request, drawn, counts=arguments.counts))
    if arguments.output:
        with whole_file(arguments.output) as file:
            for line in rules_csv(found.columns):
                file.write(line.encode())
    if arguments.json:
        sys.stdout.writelines(json_chunks(found))
    else:
        print(found)
    return None


def _find_likeliest(arguments: argparse.Namespace) -> "Likeliest":
    from privacy.reconstruct.likeliest import likeliest

    given = vars(arguments)
    offered = MINE.for_place("command")
    thresholds = {one.name: one.default for one in offered if not one.required and one.name != "counts"}
    alone = thresholds | {"workers": None, "dask": None, "again": False, "output": None}
    if beside := next((name for name, value in alone.items() if (given[name] or None) != (value or None)), None):
        raise InputError(f"--{beside.replace('_', '-')} does not go with --top, which needs no search; leave it out.")
    read = partial(records_of, counts=arguments.counts)  # both waves come from the same kind of file
    options = options_of(arguments, LIKELIEST, {**FILES, "records and design": read})
    return likeliest(read((arguments.records, arguments.design)), **options)


def _mine(arguments: argparse.Namespace, find: "Callable[..., Mined]") -> "Mined":
    """Mine, and start again if workers were killed."""
    from mining.engines.counter import KilledError

    if arguments.workers is not None:
        if arguments.dask is not None:
            raise InputError("--workers: a cluster has its own workers; leave --workers or --dask out.")
        if not 1 <= arguments.workers <= _MOST_WORKERS:
            raise InputError(f"--workers: {arguments.workers} is outside 1 to {_MOST_WORKERS}.")
    for _ in range(0 if arguments.dask is not None and not arguments.again else _ATTEMPTS - 1):
        try:
            return _mine_once(arguments, find)
        except KilledError as error:
            print(f"candor mine: {error} Counting starts again.", file=sys.stderr)
    return _mine_once(arguments, find)


def _mine_once(arguments: argparse.Namespace, find: "Callable[..., Mined]") -> "Mined":
    if arguments.dask is None and arguments.workers is None:
        return find()
    try:
        from mining.engines import cluster
    except ImportError as error:
        if arguments.dask is not None:
            raise InputError(NEEDS_DASK) from error
        return _mine_in_one_process(find, "Dask is not installed (pip install 'candor-survey[dask]')")
    if arguments.dask is None:
        from privacy.records.parquet import is_source

        if not is_source(arguments.records):
            return _mine_in_one_process(find, f"{arguments.records} is no Parquet")
        with cluster.start_workers(arguments.workers) as client:
            return find(spread=partial(cluster.counting, client=client))
    with cluster.connect(arguments.dask, 60 if arguments.again else 6, arguments.allow or ()) as client:
        return find(spread=partial(cluster.counting, client=client, allow=arguments.allow or ()))


def _mine_in_one_process(find: "Callable[..., Mined]", why: str) -> "Mined":
    warnings.warn(f"--workers: {why}, so one process counts.", InputWarning, stacklevel=2)
    return find()
