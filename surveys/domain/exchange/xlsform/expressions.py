"""The conditions and limits of an XLSForm that a draft can have, from XPath and back. Of all others: None."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from surveys.domain.exchange.sketch import ShowCondition
from surveys.questions import Asks

_TOKEN = re.compile(
    r"""\s*(?:\$\{\s*(?P<name>[^${}]+?)\s*\}|'(?P<one>[^']*)'|"(?P<two>[^"]*)"|(?P<digits>-?\d+(?:\.\d+)?)"""
    r"""|(?P<word>[a-z][a-z-]*|!=|>=|<=|[=<>(),.]))"""
)
LONGEST = 5_000
DEEPEST = 100


def condition(expression: str) -> ShowCondition | None:
    """What `${q} = 'a' or selected(${q}, 'b')` says; None where a draft cannot say it."""
    tokens = _tokens(expression)
    if tokens is None:
        return None
    try:
        reader = _Reader(tokens)
        parsed = reader.either()
        return parsed if reader.done else None
    except (_NoneSuch, IndexError):
        return None


def relevance(questions: Iterable[tuple[str, str]], several: bool = False) -> str:
    """The expression that shows a question after one of these answers to these questions."""
    ways = [f"selected(${{{name}}}, '{value}')" if several else f"${{{name}}} = '{value}'" for name, value in questions]
    return " or ".join(ways)


@dataclass(frozen=True)
class Limits:
    minimum: str = ""
    maximum: str = ""


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
        end = "minimum" if sign.startswith(">") else "maximum"
        if end in ends or (asks is Asks.TEXT and end == "minimum"):
            return None
        ends[end] = value
    return Limits(**ends)


def constraint(asks: Asks, low: str, high: str) -> str:
    """The expression of these limits; empty without any."""
    what = "string-length(.)" if asks is Asks.TEXT else "."
    low, high = (f"date('{end}')" if end and asks is Asks.DATE else end for end in (low, high))
    return " and ".join(f"{what} {sign} {end}" for sign, end in ((">=", low), ("<=", high)) if end)


# ---- reading --------------------------------------------------------------------------------------------------------


class _NoneSuch(Exception):  # noqa: N818 - it never leaves this module
    """The expression says what no draft can."""


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str


def _tokens(expression: str) -> list[_Token] | None:
    if len(expression) > LONGEST:
        return None
    tokens, place = [], 0
    text = expression.strip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None or match.lastgroup is None:
            return None
        kind = "value" if match.lastgroup in ("one", "two", "digits") else match.lastgroup
        tokens.append(_Token(kind, match[match.lastgroup]))
        place = match.end()
    return tokens


class _Reader:
    """either = both {or both}; both = one {and one}; one = (either) or not(either) or selected(…) or a = b."""

    def __init__(self, tokens: Sequence[_Token]) -> None:
        self.tokens, self.place, self.depth = tokens, 0, 0

    @property
    def done(self) -> bool:
        return self.place == len(self.tokens)

    def either(self) -> ShowCondition:
        whole = self.both()
        while self._is("or"):
            whole = _joined(whole, self.both())
        return whole

    def both(self) -> ShowCondition:
        whole = self.one()
        while self._is("and"):
            whole = _opposite(_joined(_opposite(whole), _opposite(self.one())))
        return whole

    def one(self) -> ShowCondition:
        self.depth += 1
        if self.depth > DEEPEST:
            raise _NoneSuch
        if self._is("("):
            return self._closed(self.either())
        if self._is("not"):
            self._need("(")
            return _opposite(self._closed(self.either()))
        if self._is("selected"):
            self._need("(")
            name = self._take("name")
            self._need(",")
            return self._closed(ShowCondition(name, frozenset([self._take("value")])))
        return self._comparison()

    def _comparison(self) -> ShowCondition:
        first = self._next()
        sign, second = self._next(), self._next()
        name, value = (first, second) if first.kind == "name" else (second, first)
        if name.kind != "name" or value.kind != "value" or sign.text not in ("=", "!="):
            raise _NoneSuch
        return ShowCondition(name.text, frozenset([value.text]), sign.text == "!=")

    def _next(self) -> _Token:
        self.place += 1
        return self.tokens[self.place - 1]

    def _take(self, kind: str) -> str:
        token = self._next()
        if token.kind != kind:
            raise _NoneSuch
        return token.text

    def _is(self, word: str) -> bool:
        here = not self.done and self.tokens[self.place] == _Token("word", word)
        self.place += here
        return here

    def _need(self, word: str) -> None:
        if not self._is(word):
            raise _NoneSuch

    def _closed(self, inner: ShowCondition) -> ShowCondition:
        self._need(")")
        return inner


def _opposite(one: ShowCondition) -> ShowCondition:
    return ShowCondition(one.question, one.values, not one.others)


def _joined(one: ShowCondition, two: ShowCondition) -> ShowCondition:
    """After an answer that one of the two names; both must name the same question."""
    if one.question != two.question:
        raise _NoneSuch
    if one.others and two.others:
        return ShowCondition(one.question, one.values & two.values, True)
    if one.others or two.others:
        excluded, named = (one.values, two.values) if one.others else (two.values, one.values)
        return ShowCondition(one.question, excluded - named, True)
    return ShowCondition(one.question, one.values | two.values)
