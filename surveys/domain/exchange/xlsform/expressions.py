"""The conditions and limits of an XLSForm that a draft can have, from XPath and back. Of all others: None."""

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce

from surveys.domain.exchange.sketch import ShowCondition
from surveys.questions import Asks

# A question that is named, or a value; all else of an expression is left to Python's own parser.
_ATOM = re.compile(
    r"""\$\{\s*(?P<name>[^${}]+?)\s*\}|'(?P<one>[^']*)'|"(?P<two>[^"]*)"|(?<![\w.-])(?P<digits>-?\d+(?:\.\d+)?)(?![\w.])"""
)
LONGEST = 5_000


def condition(expression: str) -> ShowCondition | None:
    """What `${q} = 'a' or selected(${q}, 'b')` says; None where a draft cannot say it."""
    atoms: dict[str, tuple[bool, str]] = {}  # by a name for each: whether it is a question, and its text

    def keep_atom(match: re.Match[str]) -> str:
        kind = match.lastgroup or ""
        atoms[f"_{len(atoms)}"] = kind == "name", match[kind]
        return f" _{len(atoms) - 1} "

    if len(expression) > LONGEST:
        return None
    python = " ".join(_ATOM.sub(keep_atom, expression).split())
    python = re.sub(r"(?<![!<>])=", "==", re.sub(r"\bnot ?\(", "negated(", python))
    try:
        return _condition_of(ast.parse(python, mode="eval").body, atoms)
    except (SyntaxError, ValueError, KeyError, RecursionError, MemoryError):
        return None


def _condition_of(node: ast.expr, atoms: Mapping[str, tuple[bool, str]]) -> ShowCondition:
    match node:
        case ast.BoolOp(ast.Or(), parts):
            return reduce(_join_conditions, (_condition_of(part, atoms) for part in parts))
        case ast.BoolOp(ast.And(), parts):
            return _opposite(reduce(_join_conditions, (_opposite(_condition_of(part, atoms)) for part in parts)))
        case ast.Call(ast.Name("negated"), [inner], []):
            return _opposite(_condition_of(inner, atoms))
        case ast.Call(ast.Name("selected"), [ast.Name(question), ast.Name(value)], []):
            pair, others = (atoms[question], atoms[value]), False
        case ast.Compare(ast.Name(one), [ast.Eq() | ast.NotEq() as sign], [ast.Name(two)]):
            pair, others = (atoms[one], atoms[two]), isinstance(sign, ast.NotEq)
            pair = pair if pair[0][0] else pair[::-1]
        case _:
            raise ValueError
    (is_question, name), (is_other, text) = pair
    if not is_question or is_other:
        raise ValueError
    return ShowCondition(name, frozenset([text]), others)


def relevance(questions: Iterable[tuple[str, str]], several: bool = False) -> str:
    ways = [f"selected(${{{name}}}, '{value}')" if several else f"${{{name}}} = '{value}'" for name, value in questions]
    return " or ".join(ways)


@dataclass(frozen=True)
class Limits:
    min: str = ""
    max: str = ""


_NUMBER = r"-?\d+(?:\.\d+)?"
_BOUND = re.compile(
    rf"""(?P<what>\.|string-length\(\s*\.\s*\))\s*(?P<sign>>=|<=|>|<)\s*(?P<value>{_NUMBER}|date\('[\d-]+'\))"""
)


def limits(expression: str, asks: Asks, whole: bool = False) -> Limits | None:
    """What `. >= 1 and . <= 5` says of a number or a date, and `string-length(.) <= 500` of a text; of others None."""
    if asks not in (Asks.NUMBER, Asks.TEXT, Asks.DATE):
        return None
    ends: dict[str, str] = {}
    for part in re.split(r"\s+and\s+", expression.strip()):
        bare = part.strip()
        match = _BOUND.fullmatch(bare[1:-1].strip() if bare.startswith("(") and bare.endswith(")") else bare)
        if match is None or (match["what"] != ".") != (asks is Asks.TEXT):
            return None
        value, sign = match["value"], match["sign"]
        if value.startswith("date(") != (asks is Asks.DATE):
            return None
        if asks is Asks.DATE:
            value = value[6:-2]
        if sign in "<>":
            if not whole or "." in value:
                return None
            value = str(int(value) + (1 if sign == ">" else -1))
        end = "min" if sign.startswith(">") else "max"
        if end in ends or (asks is Asks.TEXT and end == "min"):
            return None
        ends[end] = value
    return Limits(**ends)


def constraint(asks: Asks, low: str, high: str) -> str:
    """The expression of these limits; empty without any."""
    what = "string-length(.)" if asks is Asks.TEXT else "."
    low, high = (f"date('{end}')" if end and asks is Asks.DATE else end for end in (low, high))
    return " and ".join(f"{what} {sign} {end}" for sign, end in ((">=", low), ("<=", high)) if end)


def _opposite(one: ShowCondition) -> ShowCondition:
    return ShowCondition(one.question, one.values, not one.others)


def _join_conditions(one: ShowCondition, two: ShowCondition) -> ShowCondition:
    """After an answer that one of the two names; both must name the same question."""
    if one.question != two.question:
        raise ValueError
    if one.others and two.others:
        return ShowCondition(one.question, one.values & two.values, True)
    if one.others or two.others:
        excluded, named = (one.values, two.values) if one.others else (two.values, one.values)
        return ShowCondition(one.question, excluded - named, True)
    return ShowCondition(one.question, one.values | two.values)
