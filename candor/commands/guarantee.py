"""`candor guarantee`: what a design promises to those who answer disguised, the whole record first."""

import argparse

NAME = "guarantee"
HELP = "gamma, epsilon and the posterior bound of a design: in total, per block and per item"

ONE_SIDED = """Where gamma is infinite and the odds are not, the promise is one-sided: in a record a harmless answer
is true. The odds of anything else, against harmless answers alone, grow at most by the factor under "odds"; the
last column says how sure of it someone can become."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("design", metavar="DESIGN", help="a design in JSON")
    parser.add_argument(
        "--prior", type=float, default=0.05, help="how likely a fact was thought before the answer (default 0.05)"
    )


def run(arguments: argparse.Namespace) -> int:
    from privacy.guarantee import Gamma, epsilon, guarantee, posterior_bound, rounded_up
    from privacy.output import as_json, as_table
    from privacy.records.files import read_design

    design = read_design(arguments.design)
    promise = guarantee(design, arguments.prior)
    if arguments.json:
        print(as_json(promise.to_json()))
        return 0
    odds_too = ["odds"] if promise.one_sided else []
    headings = ["", "asked", "gamma", "epsilon", *odds_too, f"{arguments.prior:g} becomes at most"]
    rows: list[list[object]] = []

    def add(name: str, asked: int | None, gamma: Gamma, odds: Gamma) -> None:
        own = (gamma, epsilon(gamma), *([odds] if promise.one_sided else []), posterior_bound(promise.prior, odds))
        rows.append([name, asked, *(float(rounded_up(figure, 6)) for figure in own)])

    add("whole record", sum(block.asked for block in promise.blocks), promise.gamma, promise.odds)
    for place, block in enumerate(promise.blocks, start=1):
        add(f"block {place}", block.asked, block.gamma, block.odds)
        for item in block.items:
            add(f"  {item.id}, alone", None, item.gamma, item.odds)
    print(as_table(headings, rows))
    if promise.one_sided:
        print(f"\n{ONE_SIDED}")
    if design.direct:
        print("\nThe direct group answers undisguised and has no such protection.")
    return 0
