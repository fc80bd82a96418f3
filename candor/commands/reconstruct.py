"""`candor reconstruct`: supports of patterns and distributions of numbers from disguised records, with their error."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from candor.commands.shared import Command, add_map, add_records, options_of, sample_of
from privacy.options import tables
from privacy.options.option import add_options

if TYPE_CHECKING:
    from privacy.design import Item
    from privacy.estimate.sample import Sample
    from privacy.records import Records


def _add_reconstruct(parser: argparse.ArgumentParser) -> None:
    add_records(parser)
    add_options(parser, tables.RECONSTRUCT)
    parser.add_argument(
        "--write-weights",
        metavar="FILE",
        help="the records with the weights that figures were made with as a further column",
    )
    parser.add_argument(
        "--distribution",
        action="append",
        default=[],
        metavar="ITEM",
        help="a number or a place whose distribution you want; repeatable",
    )
    parser.add_argument("--bins", type=int, help="of the distribution of a number")
    parser.add_argument(
        "--heaps",
        metavar="0,10,20",
        help="answers that many people may share, of the distribution of a number; its ends are always looked at so",
    )
    parser.add_argument("--above", metavar="1,10", help="numbers: print the share of people with each or more, too")
    parser.add_argument("--grid", metavar="16x16", help="columns and rows, of the distribution of a place")
    add_map(parser, "where the map of a place lies in your own coordinates, in which edges are then given")


def _run_reconstruct(arguments: argparse.Namespace) -> None:
    from privacy.design import read_design
    from privacy.errors import InputError
    from privacy.files import keep_apart
    from privacy.output import as_json
    from privacy.reconstruct import reconstruct
    from privacy.reconstruct.distribution import distribution
    from privacy.records import read_records

    for name in ("above", "bins", "heaps", "grid", "map"):
        if getattr(arguments, name) is not None and not arguments.distribution:
            raise InputError(f"--{name}: {getattr(arguments, name)} goes with --distribution.")
    design, options = read_design(arguments.design), options_of(arguments, tables.RECONSTRUCT)
    drawn = sample_of(arguments)
    records = arguments.records
    if arguments.write_weights is not None and drawn is None:
        raise InputError("--write-weights: everybody weighs the same; it goes with --weights or --margins.")
    read = {name: getattr(arguments, name) for name in ("records", "design", "margins")}
    keep_apart({"weights": arguments.write_weights}, **read)
    if arguments.distribution or arguments.write_weights is not None:
        records = read_records(records, design, open_columns=drawn is not None, counts=arguments.counts)
    if arguments.distribution:
        options = {"patterns": []} | options
    result = reconstruct(records, **options, design=design)
    heaps, thresholds = _numbers(arguments.heaps, "--heaps"), _numbers(arguments.above, "--above")
    distributions = [
        distribution(
            records,
            item,
            bins=_bins(arguments, design.items[design.column(item)]),
            level=arguments.level,
            heaps=heaps,
            sample=drawn,
        )
        for item in arguments.distribution
    ]
    distributions = [replace(distribution, thresholds=thresholds) for distribution in distributions]
    if arguments.map is not None:
        distributions = [distribution.on(arguments.map, arguments.crs) for distribution in distributions]
    if arguments.write_weights is not None and drawn is not None:
        _write_weights(records, drawn, arguments.write_weights)
    if arguments.json:
        beside = {"distributions": [distribution.to_json() for distribution in distributions]} if distributions else {}
        print(as_json(result.to_json() | beside))
    else:
        print(*([] if options.get("patterns") == [] else [result]), *distributions, sep="\n\n")


def _write_weights(records: "Records", drawn: "Sample", path: str) -> None:
    """Write the records with their weights, which have a mean of 1, as a further column after the undisguised ones."""
    from privacy.errors import InputError
    from privacy.estimate.sampling import Sampling

    sampling = Sampling.from_columns(records.open_columns, len(records), drawn)
    if "made_weight" in records.open_columns:
        raise InputError("--write-weights: the records have a column 'made_weight' already.")
    replace(records, open_columns={**records.open_columns, "made_weight": sampling.weights}).write(path)


def _numbers(text: str | None, option: str) -> tuple[float, ...]:
    from privacy.design.arguments import read_number

    return tuple(float(read_number(one, option)) for one in text.split(",")) if text else ()


def _bins(arguments: argparse.Namespace, item: "Item") -> int | Sequence[int] | None:
    """The bins of an item: --bins for a number, --grid for a place. Its kind refuses what does not fit it."""
    from privacy.errors import InputError

    bins: int | None = arguments.bins
    if arguments.grid is None:
        return bins
    counts = arguments.grid.split("x")
    if len(counts) != 2 or not all(count.isascii() and count.isdecimal() and int(count) for count in counts):
        raise InputError(f"--grid: {arguments.grid!r} is not columns x rows, such as 16x16.")
    return bins if bins is not None and len(item.steps) == 1 else tuple(map(int, counts))


COMMANDS = (
    Command(
        "reconstruct",
        "recover prevalences (supports of patterns) and distributions of numbers and places, with errors",
        _add_reconstruct,
        _run_reconstruct,
    ),
)
