"""`candor reconstruct`: supports of patterns and distributions of numbers from disguised records, with their error."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from candor.commands.shared import (
    add_cases,
    add_counts,
    add_estimator,
    add_map,
    add_records,
    add_sampling,
    sampling_of,
)
from privacy.typed import number

if TYPE_CHECKING:
    from privacy.design import Item

NAME = "reconstruct"
HELP = "recover supports of patterns and distributions of numbers and places, with errors"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_records(parser)
    parser.add_argument(
        "--pattern",
        action="append",
        default=[],
        metavar="PATTERN",
        help="such as drugs,!cheating,age=30-39; repeatable; without it every item",
    )
    parser.add_argument(
        "--distribution",
        action="append",
        default=[],
        metavar="ITEM",
        help="a number or a place whose distribution you want; repeatable",
    )
    parser.add_argument("--bins", type=int, help="of the distribution of a number")
    parser.add_argument("--grid", metavar="16x16", help="columns and rows, of the distribution of a place")
    add_map(parser, "where the map of a place lies in your own coordinates, in which edges are then given")
    add_estimator(parser)
    add_cases(parser, "a pattern on a sampled block", every=True)
    add_sampling(parser)
    parser.add_argument(
        "--prior",
        action="append",
        default=[],
        metavar="[PATTERN:]A,B",
        help="what was known of shares before: Beta(A, B) of each pattern, or of one; A alone: Dirichlet, A for every "
        "combination of answers; adds posterior means and intervals",
    )
    add_counts(parser)
    parser.add_argument("--level", type=float, default=0.95, help="of the confidence intervals (default 0.95)")


def run(arguments: argparse.Namespace) -> None:
    from privacy.design import read_design
    from privacy.errors import InputError
    from privacy.output import as_json
    from privacy.reconstruct import reconstruct
    from privacy.reconstruct.distribution import distribution
    from privacy.records import read_records

    for name in ("bins", "grid", "map"):
        if getattr(arguments, name) is not None and not arguments.distribution:
            raise InputError(f"--{name}: {getattr(arguments, name)} goes with --distribution.")
    design, drawn = read_design(arguments.design), sampling_of(arguments)
    records = arguments.records
    if arguments.distribution:
        weighed = any(name is not None for name in drawn.values())
        records = read_records(records, design, open_columns=weighed, counts=arguments.counts)
    given = {"design": design, "counts": arguments.counts}
    options = {name: getattr(arguments, name) for name in ("estimator", "level", "cases")}
    patterns = arguments.pattern if arguments.pattern or arguments.distribution else None
    result = reconstruct(records, patterns, **options, **drawn, prior=_prior(arguments.prior), **given)
    distributions = [
        distribution(
            records, item, bins=_bins(arguments, design.items[design.column(item)]), level=arguments.level, **drawn
        )
        for item in arguments.distribution
    ]
    if arguments.map is not None:
        distributions = [one.on(arguments.map, arguments.crs) for one in distributions]
    if arguments.json:
        beside = {"distributions": [one.to_json() for one in distributions]} if distributions else {}
        print(as_json(result.to_json() | beside))
    else:
        print(*([] if patterns == [] else [result]), *distributions, sep="\n\n")


def _prior(given: Sequence[str]) -> Sequence[float] | dict[str, Sequence[float]] | None:
    """Return the prior of all patterns, or a prior for each named pattern."""
    from privacy.design.reading import shown
    from privacy.errors import InputError

    named: dict[str, Sequence[float]] = {}
    for text in given:
        pattern, colon, numbers = text.rpartition(":")
        try:
            prior = [number(one) for one in numbers.split(",")]
        except InputError as error:
            said = f"--prior: {shown(text)} is not A,B or PATTERN:A,B with two numbers: {error}"
            raise InputError(said) from None
        if not colon and len(given) > 1:
            raise InputError(f"--prior: {shown(text)} names no pattern, as all do where there are several.")
        if not colon:
            return prior
        if pattern in named:
            raise InputError(f"--prior: {pattern!r} has two of them.")
        named[pattern] = prior
    return named or None


def _bins(arguments: argparse.Namespace, item: "Item") -> int | Sequence[int] | None:
    """The bins for an item: of --grid and --bins the one that has as many scales; its kind refuses what is wrong."""
    from privacy.errors import InputError

    bins: int | None = arguments.bins
    if arguments.grid is None:
        return bins
    counts = arguments.grid.split("x")
    if len(counts) != 2 or not all(count.isascii() and count.isdecimal() and int(count) for count in counts):
        raise InputError(f"--grid: {arguments.grid!r} is not columns x rows, such as 16x16.")
    return bins if bins is not None and len(item.steps) == 1 else tuple(map(int, counts))
