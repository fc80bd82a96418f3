"""A run that several workers count: to the last byte what one process finds, whatever happens to any of them."""

import json
import os
import signal
from contextlib import ExitStack
from functools import partial
from hashlib import sha256
from threading import Thread

import numpy as np
import pytest
from django.db import connections

from mining.domain.claim import claim
from mining.domain.crew.groups import _starts, expected
from mining.domain.crew.lead import leading
from mining.domain.crew.post import LEADER, MESSAGES, Post
from mining.domain.result import mine_run
from mining.domain.run import help_with
from mining.engines import bits
from mining.engines.exports import printed
from mining.engines.findings import findings, findings_by
from mining.engines.literals import literals_of
from mining.engines.progress import silent
from mining.engines.request import MiningRequest
from mining.engines.spread import SpreadCounter
from mining.engines.wire import from_bytes, to_bytes
from mining.models import MiningRun
from mining.queues import JOINING, WORK
from privacy.choices import AVAILABLE, COMPLETE, ESTIMATORS
from privacy.disguise import disguise
from privacy.disguise.random_words import seeded_words
from privacy.records.packing import pack
from surveys.children.forked import start as start_process
from surveys.domain.questionnaire.publish import close, publish
from surveys.domain.responses.seal import append
from surveys.models import Block
from tests.mining.crews import Source, chaotic
from tests.mining.designs import KINDS, design_of, records_of
from tests.mining.surveys import queued_run, sealed_survey
from tests.servers import PATIENCE, wait_until
from tests.surveys.making import MAP, ZONES, add_question, make_survey

PARAMETERS = {"min_support": 0.02, "min_confidence": 0.1, "negated": True, "engine": "bitset"}


def nobody(_members):
    """Call none."""


def printed_of(result):
    """Everything that is printed of findings, but how long it took and why who counted."""
    written = json.loads("".join(printed(result)))
    return {name: value for name, value in written.items() if name not in ("seconds", "why")}


def every_request():
    """Every kind, estimator and way to take cases together; in short runs each kind with one estimator in turn."""
    for place, kind in enumerate(KINDS):
        for number, estimator in enumerate(ESTIMATORS):
            for cases in (AVAILABLE, COMPLETE):
                is_short = cases == AVAILABLE and place % len(ESTIMATORS) == number
                yield pytest.param(kind, estimator, cases, marks=() if is_short else pytest.mark.long)


@pytest.mark.parametrize(("kind", "estimator", "cases"), list(every_request()))
def test_a_crew_finds_what_one_process_finds(kind, estimator, cases, monkeypatch):
    """Whoever dies, is late, or answers twice, and whoever comes meanwhile."""
    design = design_of(kind)
    codes, direct = records_of(design, 700)
    request = MiningRequest(0.1, 0.3, 3, negated=True, estimator=estimator, engine="bitset", cases=cases)
    crew = chaotic(Source(literals_of(design, True), codes, direct), f"{kind} {estimator}", monkeypatch)
    result = findings_by(SpreadCounter(crew.source.literals, [crew]), request)
    assert printed_of(result) == printed_of(findings([(codes, direct)], design, request))


def test_members_do_count_and_are_refused_where_they_were_not_asked(monkeypatch):
    """Over many surveys: answers that come twice or late are told apart, and others are counted."""
    design = design_of("sampled coin")
    codes, direct = records_of(design, 700)
    done = refused = 0
    for seed in range(20):
        crew = chaotic(Source(literals_of(design), codes, direct), seed, monkeypatch)
        counter = SpreadCounter(crew.source.literals, [crew])
        assert counter.sizes.tolist() == [int((~direct).sum()), int(direct.sum())]
        for _ in range(5):
            counter.singles()
        done, refused = done + crew.post.done, refused + crew.refused
    assert done > 50
    assert refused > 20


def test_a_crew_leaves_a_small_direct_group_out_as_one_process_does(monkeypatch):
    design = design_of("one block")
    codes, direct = records_of(design, 3000, 0.03)
    request = MiningRequest(0.1, 0.3, engine="bitset", least=100)
    crew = chaotic(Source(literals_of(design), codes, direct), 1, monkeypatch)
    result = findings_by(SpreadCounter(crew.source.literals, [crew]), request)
    assert result.summary["left_out"] > 0
    assert printed_of(result) == printed_of(findings([(codes, direct)], design, request))


@pytest.mark.parametrize(
    "wrong",
    [np.zeros((2, 1), int), np.zeros((2, 4)), np.zeros(2), {(0, 1): np.zeros(2, int)}, None],
    ids=["few", "shares", "as many shares", "other", "no"],
)
def test_who_answers_what_was_not_asked_is_dismissed(wrong, monkeypatch):
    """Before anything of it is added: the run goes on, and its counts are those of the records."""

    def answer(self, name, _held, asked):
        if asked["question"] is not None:
            said = {"kind": "answer", "member": name, "number": asked["number"], "answer": wrong}
            self.inbox.append(said)

    monkeypatch.setattr("tests.mining.crews.Chaos._work", answer)
    design = design_of("one block")
    codes, direct = records_of(design, 700)
    crew = chaotic(Source(literals_of(design), codes, direct), 1, monkeypatch)
    counter = SpreadCounter(crew.source.literals, [crew])
    right = bits.pack([(codes, direct)], crew.source.literals)
    assert np.array_equal(counter.sizes, right.sizes)
    assert np.array_equal(counter.singles(), right.singles())
    assert crew._dismissed > 0


@pytest.mark.parametrize("room", [256, 0])
def test_columns_that_have_no_room_are_read_again_for_each_question(room, monkeypatch, settings):
    """Memory is bounded by what a process may take, not by the survey; the counts are the same."""
    settings.MINING_MEMORY_MIB = room
    design = design_of("sampled coin")
    codes, direct = records_of(design, 700)
    read = []
    monkeypatch.setattr(Source, "read", lambda self, group, read_=Source.read: read.append(group) or read_(self, group))
    monkeypatch.setattr("tests.mining.crews.Chaos.call", lambda *_: None)  # nobody but the leader
    crew = chaotic(Source(literals_of(design), codes, direct), 1, monkeypatch)
    counter = SpreadCounter(crew.source.literals, [crew])
    assert counter.sizes.sum() == 700
    first, second = counter.singles(), counter.singles()
    assert np.array_equal(first, second)
    assert len(read) == (7 if room else 21)


def test_what_travels_is_what_was_said():
    """Numbers, texts, tuples, lists of unequal length, arrays of every kind, and tables by their items."""
    words = np.arange(6, dtype=np.uint64).reshape(2, 3)
    value = {
        "question": "views",
        "arguments": ([1, 2], [[1], [2, 3], []], words, np.array([-1, 300]), np.zeros((2, 0, 3), dtype=np.int64)),
        "nothing": [None, True, 0.1, [], ()],
        (0, (1, 2)): np.array([[True, False]]),
    }
    read = from_bytes(to_bytes(value))
    assert list(read) == list(value)
    assert read["nothing"] == value["nothing"]
    for sent, received in zip(value["arguments"], read["arguments"], strict=True):
        assert np.array_equal(np.asarray(sent, object), np.asarray(received, object))
        assert getattr(sent, "dtype", None) == getattr(received, "dtype", None)
    assert read[0, (1, 2)].tolist() == [[True, False]]


def test_counts_travel_in_as_few_bytes_as_they_need():
    assert len(to_bytes(np.arange(200))) < 300


def usual_run():
    return queued_run(sealed_survey(2000, closed=True, least=20), **PARAMETERS)


def in_order():
    """Of a patterned block, whose records count by the places of their answers."""
    block = {"kind": "patterned", "patterned_gamma": 9, "ask": 3}
    return queued_run(sealed_survey(2000, items=5, block=block, closed=True), min_support=0.02, min_confidence=0.1)


def in_bins():
    """With a place, by its zones and the rest of the map."""
    reason = "to have a place beside them"
    survey = make_survey(names=("q0", "q1"), least=20, override_by="Tests", override_reason=reason)
    places = Block.objects.create(survey=survey, name="places", kind="zones", settings={"epsilon": 2.0})
    add_question(survey, "home", type="place", block=places, settings={"map": MAP, "zones": ZONES})
    version, chance = publish(survey), np.random.default_rng(1)
    near = chance.random(2000) < 0.5
    yes = chance.random((2, 2000)) < np.where(near, 0.7, 0.3)
    codes = np.column_stack([*yes, np.where(near, 50 * 80 + 40, 0)]).astype(version.design.code_type)
    records = disguise(version.design, codes, chance.random(2000) < 0.2, seeded_words(1))
    append(version, pack(records), [b""] * 2000)
    close(survey)
    return queued_run(survey, bins="home=zones", min_support=0.02, min_confidence=0.1)


@pytest.fixture
def run(request, monkeypatch, transactional_db, settings, broker):
    """A run over twenty parts, and the token of its claim."""
    monkeypatch.setenv("MINING_LEASE", "4")
    settings.MINING_LEASE = 4
    monkeypatch.setattr("surveys.domain.responses.seal.PART_SIZE", 100)
    monkeypatch.setattr("mining.domain.request.hint", lambda _run_id: None)
    broker.flushall()
    queued = getattr(request, "param", usual_run)()
    return queued, claim(queued.pk)


@pytest.fixture
def member(run):
    """A process that counts for the run."""
    started = []

    def start():
        started.append(start_process("mining.member", run[0].pk, run[1]))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def joined(broker, run, count=1):
    box = Post(run[0].pk, run[1])._box(LEADER)
    wait_until(lambda: broker.llen(box) >= count, PATIENCE, "the member joins")


@pytest.mark.parametrize("run", [usual_run, in_order, in_bins], indirect=True)
def test_a_process_counts_for_another(run, member, broker):
    """Half of the groups, over the real broker, and the result is that of one process."""
    with leading(*run, silent, nobody) as (counter, crew):
        process = member()
        joined(broker, run)
        result = findings_by(counter, run[0].request)
        assert crew.most == 2
        assert sum(map(len, (one.groups for one in crew._members.values()))) > 0
    assert process.wait(PATIENCE) == 0
    alone, columns = mine_run(run[0], silent)
    assert (result.summary["n"], result.columns.to_bytes()) == (alone["n"], columns)
    assert result.summary["rules"] > 0
    wait_until(lambda: not broker.keys("candor-crew:*"), PATIENCE, "nothing of the run stays in the broker")


@pytest.mark.parametrize("version", ["PACKING", "MESSAGES"])
def test_a_process_of_another_version_finds_no_leader(run, member, broker, monkeypatch, version):
    """While versions change, machines of both run: neither is heard by the other, and each counts alone."""
    monkeypatch.setattr(f"mining.domain.crew.post.{version}", "another")
    with leading(*run, silent, nobody) as (counter, crew):
        assert member().wait(PATIENCE) == 0
        assert counter.sizes.sum() == 2000
        assert (crew.most, crew.refused) == (1, 0)


def looks(value):
    """Names and kinds of everything in a message, without its figures."""
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: looks(each) for key, each in value.items()}
    if isinstance(value, dict):
        return ["table", *sorted({str([looks(key), looks(each)]) for key, each in value.items()})]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *sorted({str(looks(each)) for each in value})]
    return f"{value.dtype.kind}{value.ndim}" if isinstance(value, np.ndarray) else type(value).__name__


def of_a_sample():
    return queued_run(sealed_survey(2000, block={"ask": 2}, closed=True, least=20), **PARAMETERS)


@pytest.mark.parametrize("run", [of_a_sample], indirect=True)
def test_messages_look_as_this_version_says(run, member, broker, monkeypatch):
    """From joining to going home and leaving, with each question that a search may ask, as bytes and by what stands in
    them. Where they look otherwise, MESSAGES becomes what this test finds: a crew stays among workers of its own
    version, whichever comes first to the new one."""
    heard = {}

    def note(message):
        if message and message.get("kind") != "answer":
            heard.setdefault(str(message.get("kind", message.get("question"))), looks(message))
        elif message:
            heard.setdefault(f"answer: {looks(message['answer'])}", looks(message))
        return message

    receive, send = Post.receive, Post.send
    monkeypatch.setattr(Post, "receive", lambda post, by, seconds=0: note(receive(post, by, seconds)))
    monkeypatch.setattr(Post, "send", lambda post, to, message: send(post, to, note(message)))
    with leading(*run, silent, nobody) as (counter, crew):
        process = member()
        joined(broker, run)
        prefixes, tails = np.array([[0], [2]]), np.array([2, 4])
        assert counter.sizes.sum() == 2000
        counter.singles()
        counter.parities([[], [0, 2]])
        counter.cells(np.array([[0, 2]]))
        counter.views([0, 1])
        counter.mixed(prefixes, np.array([0, 1, 2]), tails)
        counter.differences(np.arange(6)[:, None], *np.triu_indices(6, 1))
        assert crew._members
        broker.rpush(WORK, "a run that nobody leads")
        wait_until(lambda: counter.singles() is not None and not crew._members, PATIENCE, "the member leaves")
    assert process.wait(PATIENCE) == 0
    questions = {"sizes", "singles", "parities", "cells", "views", "mixed", "differences"}
    assert {kind for kind in heard if ":" not in kind} == {"join", "leave", "None"} | questions
    written = to_bytes({"n": [1, (2.0, None)], (0, 1): np.arange(3), "rows": [[1], [2, 3]]})
    assert sha256(json.dumps(heard, sort_keys=True).encode() + written).hexdigest()[:8] == MESSAGES


def test_members_are_called_before_the_parts_are_listed(run, monkeypatch):
    """A few, so that they begin while the leader does; then as many again as have come."""
    called = []
    monkeypatch.setattr("mining.domain.crew.groups.PART_SIZE", 100)
    with leading(*run, silent, called.append) as (_, crew):
        assert (called, "groups" in vars(crew)) == ([4], False)
        assert expected(run[0].snapshot) == len(crew.groups) == 20
        for number in range(3):
            crew._hear(None, {"kind": "join", "member": f"member {number}", "copies": []})
        crew._call_members()
        assert called == [4, 7]


def test_notes_that_earlier_leaders_left_keep_nobody_from_calling(run, broker, monkeypatch):
    """A leader calls four, and whom it has no use for finds the note once its run has ended. Later it calls again only
    where nobody has still to answer, and no leader calls where very many notes wait, or another task."""
    monkeypatch.setattr("mining.domain.crew.groups.PART_SIZE", 100)

    def begun():
        called = []
        with leading(*run, silent, called.append) as (_, crew):
            first = sum(called)
            crew._call_members()
            return first, sum(called) - first

    assert begun() == (4, 4)
    broker.rpush(JOINING, *["a note of a run that has ended"] * 3)
    assert begun() == (4, 0)
    broker.rpush(JOINING, *["another"] * 30)
    assert begun() == (0, 0)
    broker.delete(JOINING)
    broker.rpush(WORK, "a run that nobody leads")
    assert begun() == (0, 0)


def test_of_many_parts_the_last_are_each_a_group(run, monkeypatch):
    """Who is done before the others finds something small to do; the result is that of one process."""
    assert _starts(63) == list(range(63))
    assert _starts(67) == [*range(0, 59, 8), *range(59, 67)]
    monkeypatch.setattr("mining.domain.crew.groups._MANY", 20)
    monkeypatch.setattr("mining.domain.crew.groups.PART_SIZE", 100)
    with leading(*run, silent, nobody) as (counter, crew):
        assert expected(run[0].snapshot) == len(crew.groups)
        assert [len(group.listed) for group in crew.groups] == [8, 4, *[1] * 8]
        result = findings_by(counter, run[0].request)
    assert result.columns.to_bytes() == mine_run(run[0], silent)[1]


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGSTOP])
def test_a_member_that_dies_or_stands_still_is_counted_for(run, member, broker, blow):
    """Its groups are counted by the leader, once."""
    with leading(*run, silent, nobody) as (counter, crew):
        process = member()
        joined(broker, run)
        sizes = counter.sizes
        before = counter.singles()
        assert crew._members
        os.kill(process.pid, blow)
        assert np.array_equal(counter.singles(), before)
        assert not crew._members
        assert sizes.sum() == 2000


def test_who_is_called_by_a_leader_that_breaks_finds_nobody(run, broker, monkeypatch):
    """Members are called before the database is asked; where it fails then, no sign of life lets them wait."""
    monkeypatch.setattr("mining.domain.crew.lead.of_several", lambda _snapshot: {}["nothing"])
    with pytest.raises(KeyError), leading(*run, silent, nobody):
        pass
    assert broker.keys("candor-crew:*") == []


def test_a_member_ends_with_its_leader(run, member, broker):
    """Nobody counts for a leader who has gone without a word."""
    sign = Post(run[0].pk, run[1])._sign(LEADER)
    broker.set(sign, 1)
    process = member()
    joined(broker, run)
    broker.delete(sign)
    assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize("why", ["it stands still", "what forked it stands still", "it has counted for too long"])
def test_a_worker_is_free_again_when_its_member_never_ends(run, broker, monkeypatch, settings, why):
    """The leader has gone, or waits for others: nobody sends this member home, and the worker has other work."""
    monkeypatch.setattr("mining.domain.run._BEGIN", 10 * PATIENCE)  # a member that has begun is not given as long
    started = []

    def start(*work, **how):
        started.append(start_process(*work, **how))
        return started[-1]

    monkeypatch.setattr("surveys.children.forked.start", start)
    sign = Post(run[0].pk, run[1])._sign(LEADER)
    broker.set(sign, 1)
    settings.MINING_SECONDS = 3 if why == "it has counted for too long" else 10 * PATIENCE

    def work():
        help_with(run[0].pk)
        connections.close_all()

    working = Thread(target=work, daemon=True)
    working.start()
    wait_until(lambda: started, PATIENCE, "the worker has begun")
    (process,) = started
    forks = process.warm.process
    try:
        if why == "it stands still":
            joined(broker, run)
            os.kill(process.pid, signal.SIGSTOP)
        elif why == "what forked it stands still":
            joined(broker, run)
            forks.send_signal(signal.SIGSTOP)
            broker.delete(sign)  # so that the member ends
        wait_until(lambda: not working.is_alive(), PATIENCE, "the worker is free again")
    finally:
        forks.send_signal(signal.SIGCONT)
        process.kill()
        working.join(PATIENCE)


def test_answers_of_an_earlier_claim_reach_nobody(run, broker):
    """A member of a leader who lost the run sends its partial counts to a box of its own token."""
    queued, token = run
    post = Post(queued.pk, "an earlier token")
    post.send(LEADER, {"kind": "join", "member": "stale", "copies": []})
    post.send(LEADER, {"kind": "answer", "member": "stale", "number": 0, "answer": np.array([10**6, 10**6])})
    with leading(queued, token, silent, nobody) as (counter, crew):
        assert counter.sizes.sum() == 2000
        assert (crew.most, crew.refused) == (1, 0)


def test_late_and_doubled_answers_are_refused(run, broker):
    """In the leader's own box, an answer that was not asked for, or was given already, counts nothing."""
    queued, token = run
    with leading(queued, token, silent, nobody) as (counter, crew):
        for number in (0, 0, 17):
            forged = {"kind": "answer", "member": "stale", "number": number, "answer": np.array([10**6, 10**6])}
            crew.post.send(LEADER, forged)
        assert counter.sizes.sum() == 2000
        assert crew.refused == 3


def test_what_nobody_with_the_secret_key_has_sent_is_refused(run, broker):
    """Whoever can write to the broker can forge no count, nor move one to another run."""
    queued, token = run
    other = Post(queued.pk, "another token")
    other.send(LEADER, {"kind": "join", "member": "moved", "copies": []})
    moved = broker.lpop(other._box(LEADER))
    with leading(queued, token, silent, nobody) as (counter, crew):
        broker.rpush(crew.post._box(LEADER), moved, b"\x01" + bytes(40), b"")
        assert counter.sizes.sum() == 2000
        assert crew.most == 1


def test_a_leader_without_a_broker_counts_alone(run, monkeypatch, settings):
    """A broker that goes away takes the members with it, and nothing else."""
    settings.REDIS_URL = "unix:///nowhere"
    with leading(*run, silent, nobody) as (counter, crew):
        assert counter.sizes.sum() == 2000
        assert crew.most == 1


def test_a_broker_that_dies_takes_the_members_and_nothing_else(run, member, broker, settings):
    """In the middle of a run the leader counts on alone, what members held among it."""
    with leading(*run, silent, nobody) as (counter, crew):
        member()
        joined(broker, run)
        before = counter.singles()
        assert any(one.groups for one in crew._members.values())
        settings.REDIS_URL = "unix:///nowhere"
        crew.post = Post(run[0].pk, run[1])
        assert np.array_equal(counter.singles(), before)
        assert not crew._members


def test_a_run_that_is_large_enough_is_counted_by_a_crew(run, settings):
    """The result says by how many, and why; a smaller one stays in one process."""
    settings.MINING_SPREAD_FROM = 12_000  # 2 000 respondents × 6 literals
    with ExitStack() as crews:
        lead = partial(crews.enter_context, leading(*run, silent, nobody))
        summary, columns = mine_run(run[0], silent, lead)
        assert (summary["why"], summary["workers"]) == ("spread", 1)
        settings.MINING_SPREAD_FROM += 1
        alone, same = mine_run(run[0], silent, lead)
    assert (alone["why"], "workers" in alone) == ("asked", False)
    assert columns == same
    assert MiningRun.objects.get(pk=run[0].pk).state == "running"
