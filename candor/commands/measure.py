"""`candor measure`: how recognisable a table makes people, and what it tells of them, before it leaves the house."""

import argparse

from privacy.choices import DISTANCES
from privacy.result import Result

NAME = "measure"
HELP = "measure k, l and t, the risks and the attacks of a table with a row per person"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", metavar="TABLE", help="a CSV file with a header and a row per person")
    parser.add_argument("--quasi", required=True, metavar="COLUMNS", help="what others may know, such as age,sex,town")
    parser.add_argument("--sensitive", required=True, metavar="COLUMN", help="what they must not learn")
    parser.add_argument(
        "--subsets",
        type=int,
        default=0,
        metavar="N",
        help="also k on all subsets of up to N columns, and the rows that a few columns single out (default 0: none)",
    )
    parser.add_argument(
        "--distance",
        default="equal",
        choices=DISTANCES,
        help="how far two sensitive values are apart, for t (default: all equally far)",
    )
    parser.add_argument(
        "--hierarchy", metavar="FILE", help="of the sensitive values, value;level1;…, for the hierarchical distance"
    )
    parser.add_argument(
        "--rows", action="store_true", help="also how likely the value of each row is before the table and after it"
    )
    parser.add_argument(
        "--belief",
        metavar="VALUE=SHARE",
        help="how likely somebody held a value before, such as flu=1/7: also how likely they then hold it, of each row",
    )


def run(arguments: argparse.Namespace) -> Result:
    from privacy.design.reading import shown
    from privacy.errors import InputError
    from privacy.release import read_table
    from privacy.release.frame import measured

    belief = None
    if arguments.belief is not None:
        value, equals, share = arguments.belief.rpartition("=")
        if not equals:
            raise InputError(f"belief: {shown(arguments.belief)} is not VALUE=SHARE, such as flu=1/7.")
        belief = value, share
    quasi = [name.strip() for name in arguments.quasi.split(",")]
    return measured(
        read_table(arguments.table),
        quasi,
        arguments.sensitive,
        subsets=arguments.subsets,
        distance=arguments.distance,
        hierarchy=arguments.hierarchy,
        rows=arguments.rows,
        belief=belief,
    )
