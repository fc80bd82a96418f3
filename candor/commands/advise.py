"""`candor advise`: the design with the smallest standard error under a promise, before anyone answers."""

import argparse
from contextlib import ExitStack
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from privacy.plan import Advice, Brief, Choice, Point, Reach

NAME = "advise"
HELP = "the design with the smallest standard error under a given gamma"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    items = parser.add_mutually_exclusive_group(required=True)
    items.add_argument("--items", type=int, metavar="N", help="how many yes/no items")
    items.add_argument(
        "--questions", metavar="FILE", help='JSON: {"items": [{"id": …, "options": […], "expected": …}, …]}'
    )
    parser.add_argument("--respondents", type=int, required=True, metavar="N")
    parser.add_argument("--gamma", metavar="G", help="the largest gamma of a whole record")
    parser.add_argument("--rho", nargs=2, metavar=("RHO1", "RHO2"), help="in place of gamma: RHO1 stays below RHO2")
    parser.add_argument(
        "--one-sided",
        action="store_true",
        help='protect one answer of each item alone: gamma bounds its odds, and the other answer, "harmless" in FILE '
        "(with --items: no), is not hidden",
    )
    parser.add_argument("--length", type=int, metavar="L", help="the longest pattern wanted (default 2)")
    parser.add_argument("--prevalence", type=float, metavar="P", help="a guess of the share of yes, for --items")
    parser.add_argument("--direct-share", type=float, default=0.0, metavar="K", help="who will answer directly")
    parser.add_argument("--most-asked", type=int, metavar="S", help="the most questions one person may be asked")
    parser.add_argument("--target", type=float, metavar="SE", help="a wished standard error: what would reach it?")
    parser.add_argument("--frontier", action="store_true", help="gamma against error")
    parser.add_argument("--svg", metavar="FILE", help="write the frontier as a chart")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the recommended design as JSON")


def run(arguments: argparse.Namespace) -> int:
    from privacy.draw.chart import svg_document
    from privacy.output import as_json
    from privacy.plan import advise, frontier, frontier_chart, reach
    from privacy.records.files import keep_inputs, whole_file

    for written in filter(None, (arguments.output, arguments.svg)):
        keep_inputs(written, questions=arguments.questions)
    advice = advise(_brief(arguments))
    reached = reach(advice, arguments.target) if arguments.target is not None else None
    points = frontier(advice) if arguments.frontier or arguments.svg else ()
    files: dict[str, bytes] = {}
    if arguments.svg:
        files[arguments.svg] = svg_document(frontier_chart(advice, points)).encode()
    if arguments.output:
        files[arguments.output] = as_json(advice.recommended.design.to_json()).encode() + b"\n"
    with ExitStack() as together:  # where one cannot be written the other is not either
        for path, content in files.items():
            together.enter_context(whole_file(path)).write(content)
    if arguments.json:
        document = advice.to_json()
        if reached:
            document["target"] = reached.to_json()
        if points:
            document["frontier"] = [point.to_json() for point in points]
        print(as_json(document))
    else:
        print("\n\n".join(_paragraphs(advice, reached, points)))
    return 0


def _brief(arguments: argparse.Namespace) -> "Brief":
    from dataclasses import replace
    from fractions import Fraction

    from privacy.design.rationals import fraction
    from privacy.design.reading import shown
    from privacy.errors import InputError
    from privacy.guarantee.breach import breach_limit
    from privacy.plan import Brief, yes_no
    from privacy.plan.questions import parse_questions
    from privacy.records.files import read_text

    def number(text: str, name: str) -> Fraction:
        try:
            return fraction(float(text))
        except ValueError:
            raise InputError(f"{name}: {shown(text)} is not a number.") from None

    if (arguments.gamma is None) == (arguments.rho is None):
        raise InputError("Give the promise either as --gamma or as --rho.")
    if arguments.rho:
        gamma = breach_limit(number(arguments.rho[0], "rho"), number(arguments.rho[1], "rho"))
    else:
        gamma = number(arguments.gamma, "gamma")
    if arguments.questions and arguments.prevalence is not None:
        raise InputError("--prevalence goes with --items; in a file of questions each item has its own 'expected'.")
    if arguments.questions:
        questions = parse_questions(read_text(arguments.questions))
    else:
        questions = yes_no(arguments.items, arguments.prevalence)
        if arguments.one_sided:
            questions = tuple(replace(question, harmless="0") for question in questions)
    length = min(2, len(questions)) if arguments.length is None else arguments.length
    return Brief(
        questions,
        arguments.respondents,
        gamma,
        length,
        arguments.direct_share,
        arguments.most_asked,
        arguments.one_sided,
    )


def _paragraphs(advice: "Advice", reached: "Reach | None", points: "tuple[Point, ...]") -> list[str]:
    from privacy.guarantee import posterior_bound, rounded_up
    from privacy.output import as_table

    brief, lengths = advice.brief, range(1, advice.brief.length + 1)
    limit, bound = float(rounded_up(brief.gamma, 6)), float(rounded_up(100 * posterior_bound(0.05, brief.gamma), 6))
    promise = "odds" if brief.one_sided else "gamma"
    headings = ["design", "blocks", "asked", promise, *(f"se, up to {length}" for length in lengths)]
    judged = "for the prevalences given, items independent" if brief.guessed else "at worst, whatever is true"

    if brief.guessed:
        headings.append("at worst")

    def row(choice: "Choice") -> list[object]:
        figures = [advice.error(choice, length) for length in lengths]
        if brief.guessed:
            figures.append(choice.errors.up_to(brief.length, guessed=False))
        cells = [float(f"{figure:.4g}") for figure in figures]
        return [
            choice.family,
            len(choice.design.blocks),
            choice.asked,
            float(rounded_up(choice.design.odds, 6)),
            *cells,
        ]

    paragraphs = [
        f"{len(brief.questions)} items, {brief.respondents} respondents, {promise} at most {limit:g}: "
        "what was thought 5 % likely\n"
        f"becomes at most {bound:g} % likely. Standard errors of supports {judged}.",
        "Best for patterns up to each length\n"
        + as_table(
            ["length", *headings], [[length, *row(won)] for length, won in zip(lengths, advice.winners, strict=True)]
        ),
        f"Best of every kind, for patterns up to {brief.length}\n"
        + as_table(headings, [row(one) for one in advice.choices]),
    ]
    if advice.fewer:
        paragraphs.append("Asking fewer questions\n" + as_table(headings, [row(one) for one in advice.fewer]))
    recommended = advice.recommended
    asked = f"{recommended.asked} of {len(brief.questions)} questions asked"
    paragraphs.append(
        f"Recommended: {recommended.family}, {asked}, standard error {advice.error(recommended):.4g}"
        + (
            f" ({advice.error(advice.winners[-1]):.4g} with {advice.winners[-1].asked})."
            if recommended != advice.winners[-1]
            else "."
        )
    )
    if reached:
        paragraphs.append(_reach(reached, advice))
    if points:
        rows = [
            [
                float(rounded_up(point.gamma, 6)),
                *point.errors,
                point.family,
                point.asked,
                point.one_coin,
                point.coin_each,
            ]
            for point in points
        ]
        columns = ["gamma", *(f"se, up to {length}" for length in lengths), "design", "asked", "one coin", "coin each"]
        paragraphs.append("Gamma against standard error\n" + as_table(columns, rows))
    return paragraphs


def _reach(reached: "Reach", advice: "Advice") -> str:
    from privacy.guarantee import rounded_up

    n = advice.brief.respondents
    if reached.reached:
        return f"A standard error of {reached.target:g} is within reach; {reached.respondents} respondents would do."
    gamma = "no gamma would" if reached.gamma is None else f"so would gamma {float(rounded_up(reached.gamma, 4)):g}"
    return (
        f"A standard error of {reached.target:g} is out of reach of {n} respondents under this gamma: "
        f"{reached.respondents} respondents would do; {gamma} with {n}."
    )
