"""Leading a crew: the process that mines asks others to count groups of parts, and counts as well.

Nobody is waited for who may have gone. Each question to a member has a number of its own and names its groups; the
first answer to an open question counts, and no other ever does. Whoever falls silent, or is late, is dismissed: its
open questions are closed, and its groups are counted by somebody else. So every group counts exactly once in every
answer, whoever dies, slows down or answers twice; a leader whom everybody leaves counts all of it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import count
from typing import Any

import numpy as np
import redis

from mining.domain.crew.copies import copies_here
from mining.domain.crew.groups import Group, Source, expected
from mining.domain.crew.held import Held
from mining.domain.crew.post import LEADER, Post, Pulse
from mining.engines.bits import BitCounter, pack
from mining.engines.literals import literals_of
from mining.engines.progress import READING, Progress, silent
from mining.engines.spread import SpreadCounter, answer_of, can_be_added, sum_of_answers
from mining.models import MiningRun
from mining.queues import JOINING, WORK
from surveys.domain.responses.disclosure import of_several

log = logging.getLogger(__name__)

_MOST_MEMBERS = 32
_FEW = 4  # who are called at first, and besides as many as have come: most sites have few workers, and notes take time
_MOST_DISMISSED = 100  # of one run: whoever breaks again and again is not called for ever
_AHEAD = 2  # groups that wait for a member, so that it need not wait for the leader
_AT_ONCE = 16  # groups that the leader counts before it looks around first; then as many as it has time for
_LOOK, _CHECK, _AWAY = 0.2, 1.0, 5.0  # seconds: between looks, between checks of members, without a broker
_GRACE = 5.0  # seconds that a member may take beyond twice the leader's time for as many groups
_PACE = 15.0  # seconds for a group, while the leader has counted none


@dataclass
class _Member:
    copies: frozenset[str]
    groups: set[int] = field(default_factory=set)
    heard: set[int] = field(default_factory=set)  # of which groups it knows the parts


@dataclass
class _Round:
    """What the search asks: which groups nobody was asked about yet, what is open, and what was answered."""

    asked: dict[str, Any]
    todo: list[int]
    own: list[int]  # the leader's
    answer: Any  # the sum of all answers; at first the answer about no records, which shows the form
    open: dict[int, tuple[str, list[int]]] = field(default_factory=dict)  # by number: who was asked about what
    counted: int = 0  # groups, by the leader
    busy: float = 0.0  # seconds, of the leader
    moved: float = field(default_factory=time.monotonic)  # when something was answered last

    def answered(self, answer: Any) -> None:
        self.answer = sum_of_answers([self.answer, answer])
        self.moved = time.monotonic()


@dataclass
class Crew:
    """All records of a run, counted by whoever takes part; a `mining.engines.spread.PartCounter`."""

    source: Source
    post: Post
    held: Held
    call: Callable[[int], object]  # so many more members
    progress: Progress = silent
    most: int = 1  # who took part at the same time, the leader among them
    refused: int = 0  # answers to questions that were not open: they came twice, or too late
    _members: dict[str, _Member] = field(default_factory=dict)
    _own: set[int] = field(default_factory=set)  # groups that the leader holds
    _numbers: Iterator[int] = field(default_factory=count)
    _dismissed: int = 0
    _checked: float = field(default_factory=time.monotonic)  # when members were looked for last
    _away: float = 0.0  # until when the broker is left alone

    @cached_property
    def groups(self) -> list[Group]:
        return self.source.groups()

    @cached_property
    def _nobody(self) -> BitCounter:
        return pack([], self.source.literals)

    @cached_property
    def sizes(self) -> np.ndarray:
        """As `mining.engines.counter.Counter` has it. The first question: for it every group is read and packed."""
        return np.asarray(self._count("sizes", (), False))

    def ask(self, question: str, arguments: tuple[Any, ...], disguised: bool) -> Callable[[], Any]:
        return partial(self._count, question, arguments, disguised)

    def close(self) -> None:
        with suppress(redis.RedisError):
            self._send_home(self._members)

    def _count(self, question: str, arguments: tuple[Any, ...], disguised: bool) -> Any:
        round_ = self._begin(question, arguments, disguised)
        to_read = len(round_.todo)
        while round_.own or round_.todo or round_.open:
            self._look(round_, 0 if round_.own or round_.todo else _LOOK)
            if round_.todo and not round_.own:
                round_.own = [self._choose(round_, self.held.names)]
                self._own.update(round_.own)
            if round_.own:
                self._count_some(round_)
            elif round_.open:
                self._dismiss_late(round_)
            if to_read == len(self.groups):
                self.progress(READING, 0, 0, 1 - len(round_.todo) / to_read)
        return round_.answer

    def _begin(self, question: str, arguments: tuple[Any, ...], disguised: bool) -> _Round:
        """Ask everybody about the groups they hold."""
        self._share()
        asked = {
            "question": question,
            "arguments": arguments,
            "disguised": disguised,
            "told": self.source.reportable.direct,
        }
        holders = [self._own, *(member.groups for member in self._members.values())]
        todo = sorted(set(range(len(self.groups))).difference(*holders))
        round_ = _Round(asked, todo, sorted(self._own), answer_of(self._nobody, question, arguments))
        with self._broker(round_):
            for name, member in self._members.items():
                if member.groups:
                    self._ask(round_, name, sorted(member.groups))
        return round_

    def _share(self) -> None:
        """Take groups from those who hold many where somebody came who holds none."""
        if all(member.groups for member in self._members.values()):
            return
        fair = len(self.groups) // (len(self._members) + 1)
        for holder in (self._own, *(member.groups for member in self._members.values())):
            for place in sorted(holder)[fair:] if len(holder) > fair + 1 else []:
                holder.discard(place)
        self.held.keep([self.groups[place] for place in self._own])

    def _count_some(self, round_: _Round) -> None:
        began = time.monotonic()
        many = max(_AT_ONCE, int(_LOOK * round_.counted / round_.busy)) if round_.busy else _AT_ONCE
        here, round_.own = round_.own[:many], round_.own[many:]
        asked = round_.asked
        groups = [self.groups[place] for place in here]
        round_.answered(self.held.answer(groups, asked["question"], asked["arguments"], asked["disguised"]))
        round_.counted += len(here)
        round_.busy += time.monotonic() - began

    def _look(self, round_: _Round, seconds: float) -> None:
        """Hear what there is to hear, for so long at the most, and see to the members."""
        if time.monotonic() < self._away:
            time.sleep(seconds)
            return
        with self._broker(round_):
            while message := self.post.receive(LEADER, seconds):
                self._hear(round_, message)
                seconds = 0
            if time.monotonic() - self._checked > _CHECK:
                self._checked = time.monotonic()
                self._dismiss(round_, self._members.keys() - self.post.alive(self._members), "silent")
                self._call_members()
            for name, member in self._members.items():
                while round_.todo and sum(name == asked for asked, _ in round_.open.values()) < _AHEAD:
                    place = self._choose(round_, member.copies)
                    member.groups.add(place)
                    self._ask(round_, name, [place])

    def _hear(self, round_: _Round, message: dict[str, Any]) -> None:
        name = message["member"]
        if message["kind"] == "join":
            self._members[name] = _Member(frozenset(message["copies"]))
            self.most = max(self.most, len(self._members) + 1)
        elif message["kind"] == "leave":
            self._dismiss(round_, {name} & self._members.keys(), "")
        elif round_.open.get(message["number"], ("",))[0] != name:
            self.refused += 1
        elif can_be_added(message["answer"], round_.answer):
            del round_.open[message["number"]]
            round_.answered(message["answer"])
        else:
            self._dismiss(round_, [name], "wrong")

    def _choose(self, round_: _Round, copies: frozenset[str]) -> int:
        """A group of which there is a copy at hand, or at least one of which nobody else has a copy."""
        others = self.held.names.union(*(member.copies for member in self._members.values()))
        place = min(
            round_.todo, key=lambda place: (self.groups[place].name not in copies, self.groups[place].name in others)
        )
        round_.todo.remove(place)
        return place

    def _ask(self, round_: _Round, name: str, groups: list[int]) -> None:
        number = next(self._numbers)
        round_.open[number] = name, groups
        member = self._members[name]
        new = [[place, self.groups[place].listed] for place in groups if place not in member.heard]
        member.heard.update(groups)
        asked = {"number": number, "groups": groups, "new": new, "holds": sorted(member.groups)}
        self.post.send(name, asked | round_.asked)

    def _dismiss_late(self, round_: _Round) -> None:
        pace = round_.busy / round_.counted if round_.counted else _PACE
        most = max(len(groups) for _, groups in round_.open.values())
        if time.monotonic() - round_.moved > _GRACE + 2 * pace * most:
            self._dismiss(round_, {name for name, _ in round_.open.values()}, "late")

    def _dismiss(self, round_: _Round, names: Iterable[str], why: str) -> None:
        """These count no more for this run: what they were asked is asked of others."""
        leaving = {name: self._members.pop(name) for name in names}
        for number, (name, groups) in list(round_.open.items()):
            if name in leaving:
                del round_.open[number]
                round_.todo += groups
        if leaving and why:
            self._dismissed += len(leaving)
            log.warning("%d of those who count a run were %s; others count their parts.", len(leaving), why)
        with suppress(redis.RedisError):
            self._send_home(leaving)

    def _send_home(self, names: Iterable[str]) -> None:
        for name in names:
            self.post.send(name, {"question": None})

    def _call_members(self) -> None:
        wanted = min(len(self.groups) - 1, _MOST_MEMBERS) - len(self._members)
        if self._dismissed <= _MOST_DISMISSED:
            _call(self.post, self.call, min(wanted, _FEW + len(self._members)))

    @contextmanager
    def _broker(self, round_: _Round) -> Iterator[None]:
        """Without the broker the leader goes on alone, and looks for others again later."""
        try:
            yield
        except redis.RedisError:
            self._away = time.monotonic() + _AWAY
            self._dismiss(round_, list(self._members), "out of reach")


def _call(post: Post, call: Callable[[int], object], wanted: int, left: int = 0) -> None:
    """Ask so many idle workers to join in, as long as no other task waits for one.

    Nor where more such notes wait already than earlier leaders may have `left`.
    """
    if wanted > 0 and not post.waiting(WORK) and post.waiting(JOINING) <= left:
        call(wanted)


@contextmanager
def leading(
    run: MiningRun, token: str, progress: Progress, call: Callable[[int], object]
) -> Iterator[tuple[SpreadCounter, Crew]]:
    """A counter of all records of a run that may be reported, and the crew behind it.

    `call` asks so many idle workers to join in; it need not know whether they do.
    When the block ends members go home, and copies of what was read here are made.
    """
    snapshot, post = run.snapshot, Post(run.pk, token)
    with ExitStack() as last:
        last.callback(_leave, post)
        last.enter_context(Pulse(post, LEADER))
        with suppress(redis.RedisError):  # before the database is asked for anything: members begin meanwhile
            # Notes of runs that have ended wait where fewer came than were called. Whoever has time throws them away
            # within milliseconds, but while they kept this leader from calling, a run of a second was counted alone.
            _call(post, call, min(expected(snapshot) - 1, _FEW), left=_MOST_MEMBERS)
        literals = literals_of(snapshot.version.design, run.negated, run.bins)
        source = Source(snapshot, literals, of_several(snapshot))
        crew = Crew(source, post, Held(source, copies_here(snapshot.version)), call, progress)
        last.callback(crew.close)
        yield SpreadCounter(literals, [crew]), crew
    crew.held.copy()


def _leave(post: Post) -> None:
    """Who was called and finds nobody ends at once, and does not wait for a sign of life."""
    with suppress(redis.RedisError):
        post.end([LEADER])
