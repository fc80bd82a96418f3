"""`candor mine`: itemsets and rules of a file of disguised records."""

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from candor.commands.shared import add_counts, add_records, add_sampling, sampling_of
from mining.engines.arguments import add_request_arguments
from privacy.errors import InputError

if TYPE_CHECKING:
    from mining.engines.findings import Mined
    from mining.engines.request import MiningRequest
    from privacy.design import Design

NAME = "mine"
HELP = "find association rules in disguised records, with errors"
EMPTY = "{path}: there are no records in this file."
AGAIN = "candor mine: a worker was killed; counting starts again."
NEEDS_DASK = "A Dask cluster needs more packages; run pip install 'candor-survey[dask]'."
_ATTEMPTS = 3  # what kills workers again and again will kill the next ones


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_records(parser)
    add_request_arguments(parser)
    add_sampling(parser)
    add_counts(parser)
    parser.add_argument(
        "--least",
        type=int,
        default=100,
        metavar="N",
        help="report only what at least this many respondents were asked, and leave out smaller direct groups "
        "(default 100)",
    )
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="count in this many processes, each with a share of the records; without it, in one",
    )
    parser.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="count on the workers of this Dask cluster, such as tls://scheduler:8786, which read RECORDS in Parquet",
    )
    parser.add_argument(
        "--again",
        action="store_true",
        help="begin again, twice at most, where the cluster loses its scheduler or workers",
    )
    parser.add_argument(
        "--allow",
        action="append",
        default=[],
        choices=("spill", "http"),
        help="let workers of the cluster write records to disks, which are encrypted, or answer HTTP",
    )
    parser.add_argument("-o", "--output", metavar="RULES.csv", help="write the rules to this file")


def run(arguments: argparse.Namespace) -> None:
    from mining.engines.drawn import require_cells
    from mining.engines.exports import rules_csv
    from mining.engines.findings import printed
    from mining.engines.literals import literals_of
    from mining.engines.request import MiningRequest
    from privacy.design import read_design
    from privacy.files import check_ending, keep_apart, whole_file

    request = MiningRequest(**{name: getattr(arguments, name) for name in (*MiningRequest.ASKED, "least")})
    keep_apart({"rules": arguments.output}, records=arguments.records, design=arguments.design)
    check_ending(arguments.output, ".csv")
    design = read_design(arguments.design)
    literals = literals_of(design, request.negated, request.bins)
    if literals.by_cells:
        require_cells(literals, request)  # before a record is read, whoever reads them
    find = _here if arguments.workers is None and arguments.dask is None else _spread
    mined = find(arguments, design, request)
    if arguments.output:
        with whole_file(arguments.output) as file:
            for line in rules_csv(mined.columns):
                file.write(line.encode())
    if arguments.json:
        sys.stdout.writelines(printed(mined))
    else:
        print(mined)


def _here(arguments: argparse.Namespace, design: "Design", request: "MiningRequest") -> "Mined":
    """What is found among the records of a file: read some rows at a time, or whole to be weighed as a sample is."""
    from mining.engines.findings import findings
    from privacy.reconstruct.sampling import Sampling
    from privacy.records import read_batch, read_records, record_blocks
    from privacy.records.counts import counted_batches

    if any(sampling_of(arguments).values()):
        records = read_records(arguments.records, design, open_columns=True, counts=arguments.counts)
        if not len(records):
            raise InputError(EMPTY.format(path=arguments.records))
        sampling = Sampling.of(records.open_columns, len(records), **sampling_of(arguments))
        return findings([(records.codes, records.direct)], design, request, sampling=sampling)
    rows = (read_batch(block, design) for block in record_blocks(arguments.records))
    mined = findings(counted_batches(arguments.records, design) if arguments.counts else rows, design, request)
    if not mined.summary["n"] + mined.summary["left_out"]:
        raise InputError(EMPTY.format(path=arguments.records))
    return mined


def _spread(arguments: argparse.Namespace, design: "Design", request: "MiningRequest") -> "Mined":
    """The same by several processes. Where one of them is killed, others begin anew with what can be read again."""
    from mining.engines.processes import KilledError
    from privacy.records.parquet import is_source

    here = arguments.dask is None
    name = "--workers" if here else "--dask"
    if not here and arguments.workers is not None:
        raise InputError("--workers: a cluster has its own workers; leave --workers or --dask out.")
    if any(sampling_of(arguments).values()):
        raise InputError(f"{name}: weights, clusters and strata are counted in one process; leave {name} out.")
    if arguments.counts:
        raise InputError(f"{name}: counts are read in one process; leave {name} out.")
    if request.engine == "mlxtend":
        raise InputError(f"{name}: the engine mlxtend counts in one process; leave {name} out, or use bitset.")
    find = _spread_once if here else _on_cluster
    again = (is_source(arguments.records) or Path(arguments.records).is_file()) if here else arguments.again
    for _ in range(_ATTEMPTS - 1 if again else 0):
        try:
            return find(arguments, design, request)
        except KilledError as error:
            print(AGAIN if here else f"candor mine: {error} Counting starts again.", file=sys.stderr)
    return find(arguments, design, request)


def _on_cluster(arguments: argparse.Namespace, design: "Design", request: "MiningRequest") -> "Mined":
    """What the workers of a cluster find; one that begins again is waited for."""
    try:
        from mining.engines import cluster
    except ImportError as error:
        raise InputError(NEEDS_DASK) from error
    with cluster.connected(arguments.dask, 60 if arguments.again else 6) as client:
        return cluster.findings_on(client, arguments.records, design, request, arguments.allow)


def _spread_once(arguments: argparse.Namespace, design: "Design", request: "MiningRequest") -> "Mined":
    """What workers find in a file, which is read some rows at a time."""
    from mining.engines.findings import findings_by
    from mining.engines.literals import literals_of
    from mining.engines.processes import counting
    from privacy.records import read_batch, record_blocks

    blocks, literals = record_blocks(arguments.records), literals_of(design, request.negated, request.bins)
    with counting(blocks, partial(read_batch, design=design), literals, arguments.workers) as counter:
        if not counter.sizes.sum():
            raise InputError(EMPTY.format(path=arguments.records))
        return findings_by(counter, request)
