"""`candor places`: how exactly places in a file would be reported, with and without sensitive zones."""

import argparse

from candor.commands.shared import add_map
from privacy.result import Result

NAME = "places"
HELP = "compute how exactly places in a file would be reported, with and without sensitive zones"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("points", metavar="FILE", help="a CSV file with a header and a place per row")
    parser.add_argument("--columns", default="x,y", metavar="X,Y", help="the columns of the coordinates (default x,y)")
    add_map(parser, "what the map is (default: the smallest around all places)")
    parser.add_argument("--cell", type=float, help="the side of a cell (default: 200 along the longer side)")
    parser.add_argument("--epsilon", default="5,10,15,20", metavar="E,…", help="each of them (default 5,10,15,20)")
    parser.add_argument(
        "--track",
        type=int,
        default=1,
        metavar="N",
        help="each person sends N places: each ε of one, and for all of them",
    )
    parser.add_argument(
        "--zone",
        action="append",
        default=[],
        metavar="L,B,R,T[,E]",
        help="a sensitive zone in the coordinates of the file, and an epsilon of its own; repeatable "
        "(default: half the sides, in the centre and in each corner, one after the other)",
    )


def run(arguments: argparse.Namespace) -> Result:
    import pandas as pd

    from privacy.places import places
    from privacy.release.tables import read_table

    return places(
        pd.DataFrame(read_table(arguments.points)),
        columns=arguments.columns.split(","),
        map=arguments.map,
        crs=arguments.crs,
        cell=arguments.cell,
        epsilons=arguments.epsilon.split(","),
        zones=arguments.zone,
        track=arguments.track,
    )
