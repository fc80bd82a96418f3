"""A crew in one process, for tests: members that count, and a post that loses, delays and doubles what they say."""

import random
from collections import deque
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from mining.domain.crew.groups import Group
from mining.domain.crew.held import Held
from mining.domain.crew.lead import Crew
from mining.domain.crew.post import LEADER
from mining.engines.bits import pack
from mining.engines.literals import Literals
from mining.engines.wire import from_bytes, to_bytes
from surveys.domain.responses.disclosure import Reportable

GROUPS = 7
REPORTABLE = Reportable(direct=True, open=True)


@dataclass(frozen=True)
class Source:
    """Records in groups, in place of a snapshot's."""

    literals: Literals
    codes: np.ndarray
    direct: np.ndarray
    reportable: Reportable = REPORTABLE

    def groups(self):
        cuts = np.linspace(0, len(self.direct), GROUPS + 1).astype(int).tolist()
        return [Group([cut], str(cut), settled=False) for cut in pairwise(cuts)]

    def read(self, group):
        ((start, stop),) = group.listed
        return pack([(self.codes[start:stop], self.direct[start:stop])], self.literals)


@dataclass
class Chaos:
    """A post office and its members, none of whom can be relied upon; what happens is drawn by `chance`.

    Members come, fall silent for ever, or go on for a while unheard; what they answer arrives at once, late, or twice.
    """

    source: Source
    chance: random.Random
    boxes: dict = field(default_factory=dict)
    inbox: deque = field(default_factory=deque)
    late: list = field(default_factory=list)
    living: set = field(default_factory=set)
    done: int = 0

    def call(self, members):
        for number in range(len(self.boxes), min(len(self.boxes) + members, 6)):
            name = f"member {number}"
            self.boxes[name] = (Held(self.source, None), deque())
            self.living.add(name)
            self.inbox.append({"kind": "join", "member": name, "copies": []})

    def send(self, to, message):
        self.boxes[to][1].append(from_bytes(to_bytes(message)))

    def receive(self, _by, _seconds=0):
        for name, (held, asked) in self.boxes.items():
            if asked and (name in self.living or self.chance.random() < 0.3):  # who is taken for dead may count on
                self._work(name, held, asked.popleft())
        if self.late and self.chance.random() < 0.2:
            self.inbox.append(self.late.pop())
        return from_bytes(to_bytes(self.inbox.popleft())) if self.inbox else None

    def alive(self, whom):
        if self.living and self.chance.random() < 0.2:
            self.living.discard(self.chance.choice(sorted(self.living)))
        return self.living & set(whom)

    def waiting(self, _queue):
        return 0

    def _work(self, name, held, asked):
        if asked["question"] is None:
            return
        groups = self.source.groups()
        held.keep([groups[place] for place in asked["holds"]])
        here = [groups[place] for place in asked["groups"]]
        answer = held.answer(here, asked["question"], asked["arguments"], asked["disguised"])
        said = {"kind": "answer", "member": name, "number": asked["number"], "answer": answer}
        self.done += 1
        self.inbox.extend([said] * self.chance.choice([0, 1, 1, 2]))
        self.late.extend([said] * self.chance.choice([0, 0, 1]))


def chaotic(source, seed, monkeypatch):
    """A crew in which anything may happen to anybody but the leader."""
    for name in ("_LOOK", "_CHECK", "_GRACE", "_PACE"):
        monkeypatch.setattr(f"mining.domain.crew.lead.{name}", 0.0)
    post = Chaos(source, random.Random(seed))
    post.call(1)
    assert LEADER not in post.boxes
    return Crew(source, post, Held(source, None), post.call)
