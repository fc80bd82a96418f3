"""A member of a crew: it reads, packs and counts the groups that the leader asks about, until it is sent home.

It joins the claim of a run that stands now. If the run is taken up by another leader, its answers go to a box that
nobody empties any more.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from mining.domain.crew.copies import copies_here
from mining.domain.crew.groups import Group, Source
from mining.domain.crew.held import Held
from mining.domain.crew.post import LEADER, Post, Pulse
from mining.engines.literals import literals_of
from mining.models import MiningRun
from mining.queues import WORK
from surveys.domain.responses.disclosure import Reportable


def count_for(run_id: int, token: str, alone: Callable[[], object]) -> None:
    """Count for the leader of this claim. `alone` is called in another thread if the leader falls silent."""
    run = MiningRun.objects.select_related("snapshot__version").get(pk=run_id)
    copies = copies_here(run.snapshot.version)
    name, post = os.urandom(8).hex(), Post(run_id, token)
    held: Held | None = None
    with Pulse(post, name, alone):
        at_hand = sorted(copies.names()) if copies else []
        post.send(LEADER, {"kind": "join", "member": name, "copies": at_hand})
        groups: dict[int, Group] = {}
        while True:
            asked = post.receive(name, 1.0)
            if asked is None:
                if not post.alive([LEADER]):
                    break
            elif asked["question"] is None:
                break
            else:
                held = held or Held(_source(run, asked), copies)
                groups |= {place: held.source.group(listed) for place, listed in asked["new"]}
                answer = _answer(held, groups, asked)
                post.send(LEADER, {"kind": "answer", "member": name, "number": asked["number"], "answer": answer})
            if post.waiting(WORK):  # a run that nobody leads yet comes first
                post.send(LEADER, {"kind": "leave", "member": name})
                break
    if held:
        held.copy()


def _source(run: MiningRun, asked: dict[str, Any]) -> Source:
    """What the leader counts: whether the direct group is counted was decided there, once for everybody."""
    literals = literals_of(run.snapshot.version.design, run.negated, run.bins)
    return Source(run.snapshot, literals, Reportable(direct=asked["told"], open=False))


def _answer(held: Held, groups: dict[int, Group], asked: dict[str, Any]) -> Any:
    held.keep([groups[place] for place in asked["holds"]])
    return held.answer(
        [groups[place] for place in asked["groups"]], asked["question"], asked["arguments"], asked["disguised"]
    )
