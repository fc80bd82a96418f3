"""The conditions and limits of an XLSForm that a draft can have, from XPath and back. Of all others: None."""

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from surveys.conditions import Condition, fold, join_conditions
from surveys.questions import Asks

# A question that is named, or a value; all else of an expression is left to Python's own parser.
_ATOM = re.compile(
    r"""\$\{\s*(?P<name>[^${}]+?)\s*\}|'(?P<one>[^']*)'|"(?P<two>[^"]*)"|(?<![\w.-])(?P<digits>-?\d+(?:\.\d+)?)(?![\w.])"""
)
LONGEST = 5_000


def condition(expression: str) -> Condition | None:
    """The condition in an expression such as `${q} = 'a' or selected(${q}, 'b')`; None where a draft cannot say it.

    It has the names of the form, and `{"question": "q", "not": {"a"}}` where any other answer counts. "exactly" is true
    where the whole answer is compared, which for one with several options is another question than what was ticked.
    """
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


def _condition_of(node: ast.expr, atoms: Mapping[str, tuple[bool, str]]) -> Condition:
    """The condition of a parsed expression; `atoms`: of each name whether it is a question, and its text."""
    match node:
        case ast.BoolOp(sign, parts):
            return _join("any" if isinstance(sign, ast.Or) else "all", [_condition_of(part, atoms) for part in parts])
        case ast.Call(ast.Name("negated"), [inner], []):
            return _opposite(_condition_of(inner, atoms))
        case ast.Call(ast.Name("selected"), [ast.Name(question), ast.Name(value)], []):
            pair, others, exactly = (atoms[question], atoms[value]), False, {}
        case ast.Compare(ast.Name(one), [ast.Eq() | ast.NotEq() as sign], [ast.Name(two)]):
            pair, others = (atoms[one], atoms[two]), isinstance(sign, ast.NotEq)
            pair, exactly = pair if pair[0][0] else pair[::-1], {"exactly": True}
        case _:
            raise ValueError
    (is_question, name), (is_other, text) = pair
    if not is_question or is_other:
        raise ValueError
    return {"question": name, "not" if others else "is": {text}} | exactly


def relevance(condition: Condition, answered: Callable[[str, str], str]) -> str:
    """The expression of a condition; `answered(question, value)` returns that of one answer."""

    def join(by: str, parts: Sequence[str]) -> str:
        word = " and " if by == "all" else " or "
        return word.join(f"({part})" if " or " in part or " and " in part else part for part in parts)

    return fold(condition, lambda leaf: join("any", [answered(leaf["question"], one) for one in leaf["is"]]), join)


@dataclass(frozen=True)
class Limits:
    """The least and the most of a number or a date, or of a text's length; empty without. `is_all`: that is all."""

    min: str = ""
    max: str = ""
    is_all: bool = True


_NUMBER = r"-?\d+(?:\.\d+)?"
_BOUND = re.compile(
    rf"""(?P<what>\.|string-length\(\s*\.\s*\))\s*(?P<sign>>=|<=|>|<)\s*(?P<value>{_NUMBER}|date\('[\d-]+'\))"""
)


def limits(expression: str, asks: Asks, whole: bool = False) -> Limits:
    """The limits in `. >= 1 and . <= 5`, or of a text's length, beside other parts too. `whole`: `. > 1` is a limit."""
    if asks not in (Asks.NUMBER, Asks.TEXT, Asks.DATE) or re.search(r"\bor\b|\bnot\b", expression):
        return Limits(is_all=False)
    ends: dict[str, str] = {}
    parts = re.split(r"\s+and\s+", expression.strip())
    for part in parts:
        end, value = _end_of(part.strip(), asks, whole)
        if end and end not in ends:
            ends[end] = value
    return Limits(**ends, is_all=len(ends) == len(parts))


def _end_of(part: str, asks: Asks, whole: bool) -> tuple[str, str]:
    """Which limit a part of a constraint says, and its value; empty if it is none that a draft can have."""
    match = _BOUND.fullmatch(part[1:-1].strip() if part.startswith("(") and part.endswith(")") else part)
    if match is None or (match["what"] != ".") != (asks is Asks.TEXT):
        return "", ""
    value, sign = match["value"], match["sign"]
    end = "min" if sign.startswith(">") else "max"
    if value.startswith("date(") != (asks is Asks.DATE) or (asks is Asks.TEXT and end == "min"):
        return "", ""
    if sign in "<>":
        if not whole or "." in value:
            return "", ""
        value = str(int(value) + (1 if sign == ">" else -1))
    return end, value[6:-2] if asks is Asks.DATE else value


def constraint(asks: Asks, low: str, high: str) -> str:
    """The expression of these limits; empty without any."""
    what = "string-length(.)" if asks is Asks.TEXT else "."
    low, high = (f"date('{end}')" if end and asks is Asks.DATE else end for end in (low, high))
    return " and ".join(f"{what} {sign} {end}" for sign, end in ((">=", low), ("<=", high)) if end)


def _opposite(condition: Condition) -> Condition:
    def leaf(one: Condition) -> Condition:
        return {{"is": "not", "not": "is"}.get(name, name): value for name, value in one.items()}

    return fold(condition, leaf, lambda by, parts: _join("any" if by == "all" else "all", parts))


def _join(by: str, parts: Iterable[Condition]) -> Condition:
    """Join conditions by "any" or "all", and merge parts about the same question where one part can say the same."""
    said: list[Condition] = []
    for part in parts:
        merged = ((index, _merge(by, one, part)) for index, one in enumerate(said))
        place, both = next(((place, both) for place, both in merged if both is not None), (len(said), part))
        said[place : place + 1] = [both]
    whole = join_conditions(by, said)
    assert whole is not None  # of parts that are there
    return whole


def _merge(by: str, one: Condition, two: Condition) -> Condition | None:
    """One part that says what two say joined; None if they are about two questions, or if an answer must be ticked and
    another ticked or not.
    """
    if (
        "question" not in one
        or one["question"] != two.get("question")
        or (by == "all" and ("is" in one or "is" in two))
    ):
        return None
    if by == "all":
        either = _merge("any", _opposite(one), _opposite(two))
        return None if either is None else _opposite(either)
    merged = {name: value for name, value in {**one, **two}.items() if name in ("question", "exactly")}
    if "is" in one and "is" in two:
        return merged | {"is": one["is"] | two["is"]}
    if "not" in one and "not" in two:
        return merged | {"not": one["not"] & two["not"]}
    excluded, named = (one["not"], two["is"]) if "not" in one else (two["not"], one["is"])
    return merged | {"not": excluded - named}
