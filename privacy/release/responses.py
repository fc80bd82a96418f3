"""Responses of a survey as a table to be released: undisguised answers made coarser, disguised answers as they are
stored.

What to do stands in a spec, as for any table; its sensitive attributes are items of the design. The two groups stay
apart: no class has direct and disguised respondents, because the flag of the group is published and the design is
needed to read the disguised records. Every class has k records. What a model demands besides is asked of classes of the
direct group, whose answers are true; each item is looked at by itself. Those of the disguised group are judged and
reported, and never changed. Undisguised answers may be sensitive, too: of them it is asked of every class, and how
common they are is counted among everybody.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from privacy.arrays import Bools, Ints
from privacy.design import Design
from privacy.design.draws import Take
from privacy.design.fields import YES_NO
from privacy.design.reading import quote
from privacy.design.sentences import Said
from privacy.errors import EntryError, InputError, to_translate
from privacy.records import Records
from privacy.records.columns import unique_name
from privacy.release.anonymize import Release, job_of, publish, sample_classes
from privacy.release.attacks import Attack, audit
from privacy.release.attributes import Measured, Quasi, Space
from privacy.release.classes import SUPPRESSED, encode, number_classes, shares
from privacy.release.hierarchies import Hierarchy, by_rows, in_order
from privacy.release.measures import TableMeasures
from privacy.release.measures.disguised import Disguised, judge_disguised
from privacy.release.measures.everybody import Known, SampleClasses
from privacy.release.measures.kept import KeptFigure, compare
from privacy.release.methods import METHODS, Method
from privacy.release.methods.channels import design_of_columns, disguise_columns
from privacy.release.methods.full_domain import penalty_of
from privacy.release.methods.job import Job, Made
from privacy.release.models import EQUAL, AnonymityModel
from privacy.release.models.limits import require_off_list
from privacy.release.reasons import Progress, ReleaseError, nobody, part_of_work
from privacy.release.specs import Spec

DIRECT = "direct"
NO_ANSWER = "no answer"  # what a disguised column has of people who gave none
CHANGED = to_translate("Undisguised answers to {names} cannot be sensitive with {method}, which changes answers.")
TWICE = to_translate(
    "{name} is disguised already, and its answers are released as they are stored: only answers to undisguised "
    "questions are disguised in a release."
)
OF_DIRECT = to_translate(
    "The figures on answers are about the {some} direct respondents, whose answers are true. The answers of the {of} "
    "disguised ones stay as stored, and γ protects them too."
)
OF_ONE = to_translate(
    "The figures on answers are about the people who answered directly, {some} of {all}, whose answers are true. The "
    "other answers stay as stored, and γ protects them too."
)

OF_NOBODY = to_translate(
    "Nobody answered directly, so l, t, α and ρ are about nobody's disguised answers: these stay as stored, and γ "
    "protects them."
)
OF_ALL = to_translate("The figures on {names} are about everybody who answered, since these answers are not disguised.")


@dataclass(frozen=True, eq=False, kw_only=True)
class Released(Release):
    """What is published of responses: `names` are without the flag of the group, which stands first in a node."""

    items: tuple[str, ...]  # the disguised questions
    undisguised: tuple[str, ...]  # the sensitive ones among the others
    lost: dict[str, float]  # how much of each of the known columns is lost
    before: TableMeasures
    judged: tuple[Disguised, ...]
    masked: dict[str, int]  # of each number and place, how many that stand there undisguised are hidden as rare
    direct: int
    kept: tuple[KeptFigure, ...]  # of the undisguised answers; for their owner alone

    def remaining_risks(self) -> list[Said]:
        said = super().remaining_risks()
        some, of, true = self.direct, len(self) - self.direct, []
        if self.undisguised:
            true.append(Said(OF_ALL, {"names": ", ".join(self.undisguised)}))
        if self.items and not some:
            true.append(Said(OF_NOBODY, {}))
        elif self.items and 1 in (some, of):
            true.append(Said(OF_ONE, {"some": some, "all": some + of}))
        elif self.items:
            true.append(Said(OF_DIRECT, {"some": some, "of": of}))
        return [*said[:-1], *true, said[-1]]


@dataclass(frozen=True, eq=False)
class Prepared:
    """What is worked out of responses and a spec before any table is made.

    `items` are the sensitive disguised questions, `undisguised` the other sensitive ones, `places` the columns of the
    items, and `stored` their codes.
    """

    items: list[str]
    undisguised: list[str]
    places: list[int]
    stored: list[Ints]
    job: Job
    design: Design | None


def prepare_responses(records: Records, answers: Mapping[str, Sequence[str]], spec: Spec) -> Prepared:
    """Prepare a release, or refuse what needs no table to be refused; `release_responses` begins with it.

    >>> from privacy.design import Design
    >>> from privacy.release.specs import parse_spec
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> records = Records(design, np.array([[1], [0], [1], [1]], np.uint8), np.zeros(4, bool))
    >>> attributes = {"age": {"role": "quasi"}, "drugs": {"role": "sensitive"}}
    >>> spec = parse_spec({"attributes": attributes, "model": {"k": 2}})
    >>> prepare_responses(records, {"age": list("1234")}, spec).items
    ['drugs']
    """
    items, undisguised = _sensitive(answers, spec)
    for name in spec.channels:
        if name not in answers:
            raise EntryError(TWICE, at=f"attributes.{name}.role", name=quote(name))
    require_unchanged(spec.method, ", ".join(f"“{name}”" for name in undisguised))
    places = [_column_of_item(records, item) for item in items]
    stored = [_item_codes(records, place) for place in places]
    job = _job(records, answers, spec, items, stored)
    for _rows, method, part in _parts(job, records, stored, spec.method, nobody):
        method.require(part)
    if spec.safe_harbour:
        require_off_list({name: answers[name] for name in (*spec.columns_with_role("insensitive"), *undisguised)})
    design = design_of_columns(_truths(answers, spec), spec.channels) if spec.channels else None
    return Prepared(items, undisguised, places, stored, job, design)


def release_responses(
    records: Records,
    answers: Mapping[str, Sequence[str]],
    spec: Spec,
    progress: Progress = nobody,
    tabulate: Sequence[str] = (),
    take: Take | None = None,
) -> Released:
    """Make a release of responses.

    `answers` are undisguised ones. Columns and items that the spec does not name are left out. `tabulate` names columns
    whose joint table is compared with that of the responses. `take` draws the disguise of columns, for tests.

    The design of disguised columns reads the table by itself. It knows no direct answers, as everybody's are disguised;
    so the flag of who answered the disguised questions directly has another name in such a table.

    >>> from privacy.design import Design
    >>> from privacy.release.specs import parse_spec
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> records = Records(design, np.array([[1], [0], [1], [1]], np.uint8), np.zeros(4, bool))
    >>> attributes = {"age": {"role": "quasi", "ranges": [[30, 50, 70]]}, "drugs": {"role": "sensitive"}}
    >>> spec = parse_spec({"attributes": attributes, "model": {"k": 2}})
    >>> release_responses(records, {"age": ["31", "38", "52", "57"]}, spec).columns["age"]
    ['[30, 50)', '[30, 50)', '[50, 70]', '[50, 70]']
    """
    ready = prepare_responses(records, answers, spec)
    people, items, undisguised, places = len(records), ready.items, ready.undisguised, ready.places
    job, stored, design = ready.job, ready.stored, ready.design
    made = _make(job, records, stored, spec.method, part_of_work(progress, 0, 0.9))
    known = spec.columns_with_role("quasi")
    kept = made.generalisation.kept if made.generalisation else np.ones(people, bool)
    flags = np.where(kept, np.where(records.direct, "1", "0"), SUPPRESSED).tolist()
    columns = dict(zip(known, made.labels, strict=True))
    columns |= {name: list(answers[name]) for name in (*spec.columns_with_role("insensitive"), *undisguised)}
    codes, stored_as_texts, masked = _publish_items(records, places, made, spec.model.k)
    columns = {DIRECT if design is None else flag_beside(answers): flags} | columns | stored_as_texts
    member = number_classes([flags, *made.labels])
    if design is not None:
        columns |= disguise_columns(design, _truths(answers, spec), spec.channels, take)
    true = {item: _direct_codes(records, codes, place) for item, place in zip(items, places, strict=True)}
    true |= dict(zip(undisguised, job.secrets[len(items) :], strict=True))
    before = dict(zip(true, job.secrets, strict=True))
    seen = None
    if job.everybody is not None and job.everybody.people is not None:  # a table of them does not say who answered how
        seen = sample_classes(job.everybody, job, made, spec)
    elif job.everybody is not None:
        seen = SampleClasses(job.everybody, [number_classes([column]) for column in (flags, *made.labels)])
    release = publish(spec, job, made, columns, member, true, design, seen)
    # what is disguised is reconstructed by its design
    undrawn = {name: column for name, column in columns.items() if name in answers and name not in spec.channels}
    shown_records = Records(records.design, codes.astype(records.codes.dtype), records.direct)
    progress(0.95)
    return Released(
        **vars(release) | {"measures": replace(release.measures, penalty_sum=None)},  # two groups have no common sum
        items=tuple(items),
        undisguised=tuple(undisguised),
        lost=_losses(job, made, kept),
        before=audit(
            number_classes([records.direct, *(answers[name] for name in known)]),
            before,
            job.model.distances(len(before)),
        )[0],
        judged=tuple(
            judge_disguised(shown_records, item, member)
            for item, place in zip(items, places, strict=True)
            if records.design.items[place].has_options
        ),
        masked=masked,
        direct=int(records.direct.sum()),
        kept=tuple(compare(answers, undrawn, known, tabulate)),
    )


def _publish_items(
    records: Records, places: Sequence[int], made: Made, k: int
) -> tuple[Ints, dict[str, list[str]], dict[str, int]]:
    """The codes of all items as they are published, those at `places` as texts, and how many rare ones are hidden."""
    codes, published, masked = records.codes.astype(np.int64), {}, {}
    for place, secret in zip(places, made.secrets, strict=False):
        codes[:, place] = np.where(secret >= 0, secret, codes[:, place])
        item, field = records.design.items[place], records.design.fields[place]
        texts = {code: field.text(code) if code < field.size else "" for code in np.unique(codes[:, place]).tolist()}
        published[item.id] = [texts[code] for code in codes[:, place].tolist()]
        if item.singles_out:
            hidden = rare_truths(records, place, k)
            masked[item.id] = int(hidden.sum())
            published[item.id] = np.where(hidden, SUPPRESSED, published[item.id]).tolist()
    return codes, published, masked


def _truths(answers: Mapping[str, Sequence[str]], spec: Spec) -> dict[str, list[str]]:
    """What goes through the channels of columns that are disguised."""
    return {name: [answer or NO_ANSWER for answer in answers[name]] for name in spec.channels}


def flag_beside(names: Iterable[str]) -> str:
    """The column that says who answered directly, in a table of which other columns are disguised.

    >>> flag_beside(["age"])
    'answered_directly'
    """
    return unique_name("answered_directly", set(names))


def risk_before(
    records: Records, known: Sequence[Sequence[str]], items: Sequence[str]
) -> tuple[TableMeasures, tuple[Attack, ...]]:
    """Measure the original responses: the risk from somebody who knows some undisguised answers of a person.

    `known` are undisguised answers, `items` the disguised questions, to which direct respondents gave true answers.

    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> records = Records(design, np.array([[1], [0], [1], [1]], np.uint8), np.zeros(4, bool))
    >>> measures, attacks = risk_before(records, [["31", "31", "52", "52"]], ["drugs"])
    >>> measures.k
    2
    """
    codes = records.codes.astype(np.int64)
    true = {item: _direct_codes(records, codes, _column_of_item(records, item)) for item in items}
    return audit(number_classes([records.direct, *known]), true, [EQUAL] * len(true))


def rare_truths(records: Records, place: int, least: int) -> Bools:
    """Find the people whose stored number or place is surely true and shared by fewer than `least`.

    That is anything of the direct group, and of the disguised what a block does not hide, as a place outside zones.
    """
    design, codes = records.design, records.codes[:, place].astype(np.int64)
    block, _ = design.place(place)
    true = records.direct | design.blocks[block].certain(records.codes[:, [place]])
    numbers, counts = np.unique(codes[true], return_counts=True)
    return true & np.isin(codes, numbers[counts < least])


def require_unchanged(method: str, undisguised: str) -> None:
    """Refuse sensitive undisguised answers where a method changes values: it does so in the direct group alone.

    `undisguised` names the questions, if there are any.

    >>> require_unchanged("ilp-l", "")
    >>> require_unchanged("local", "“hours”")
    """
    if undisguised and METHODS[method].disguised:
        raise EntryError(CHANGED, at="spec.method", names=undisguised, method=method)


def _sensitive(answers: Mapping[str, Sequence[str]], spec: Spec) -> tuple[list[str], list[str]]:
    """The names of the sensitive attributes: disguised questions, and those whose answers are undisguised."""
    names = spec.columns_with_role("sensitive")
    return [name for name in names if name not in answers], [name for name in names if name in answers]


def _column_of_item(records: Records, item: str) -> int:
    for place, one in enumerate(records.design.items):
        if one.id == item:
            return place
    raise InputError(f"attributes: the design has no item {quote(item)}, so it cannot be sensitive.")


def _item_codes(records: Records, place: int) -> Ints:
    """The stored codes of an item, −1 where it was not asked."""
    codes = records.codes[:, place].astype(np.int64)
    return np.where(codes < records.design.fields[place].size, codes, -1)


def _direct_codes(records: Records, codes: Ints, place: int) -> Ints:
    """An item's codes that are published of direct respondents; −1 for everybody else, and where it was not asked."""
    asked = codes[:, place] < records.design.fields[place].size
    return np.where(records.direct & asked, codes[:, place], -1)


def _job(
    records: Records, answers: Mapping[str, Sequence[str]], spec: Spec, items: Sequence[str], stored: Sequence[Ints]
) -> Job:
    """Collect what a method works on; disguised answers count in the direct group alone, undisguised ones of all."""
    for name in (*spec.columns_with_role("quasi"), *spec.columns_with_role("insensitive")):
        if name not in answers:
            raise InputError(f"The responses have no undisguised answer {quote(name)} from the spec.")
        if SUPPRESSED in answers[name] and spec.columns[name].role == "quasi":
            raise ReleaseError("starred", column=quote(name))
    others = spec.population or Known()
    trees = {
        name: spec.columns[name].hierarchy([*answers[name], *others.values(name)])
        for name in spec.columns_with_role("quasi")
    }
    values: dict[str, Sequence[str]] = {}
    for item, codes in zip(items, stored, strict=True):
        _require_enough("few", item, codes[records.direct], spec.model_of([item]))
        values[item] = records.design.items[_column_of_item(records, item)].options
        if spec.columns[item].has_own_order:
            trees[item] = _in_order_of(values[item], spec.columns[item].hierarchy(values[item]), item)
    secrets = [np.where(records.direct, codes, -1) for codes in stored]
    for name in _sensitive(answers, spec)[1]:
        if spec.columns[name].has_own_order:
            trees[name] = spec.columns[name].hierarchy(answers[name])
        values[name] = in_order(answers[name], name, trees.get(name))
        secrets.append(encode(answers[name], values[name]))
        _require_enough("few_undisguised", name, secrets[-1], spec.model_of([name]))
    job = job_of(answers, spec, trees, secrets, values)
    return replace(job, model=replace(job.model, apart=True))


def _in_order_of(options: Sequence[str], tree: Hierarchy, item: str) -> Hierarchy:
    """The same hierarchy with the options of an item in the order of their codes."""
    places = tree.encode(options, item)
    rows = [
        [labels[own[place]] for labels, own in zip(tree.labels, tree.places, strict=True)] for place in places.tolist()
    ]
    return by_rows(rows, tree.source)


def _require_enough(code: str, item: str, codes: Ints, model: AnonymityModel) -> None:
    """Refuse an item whose answers have fewer different values than the model needs in a class."""
    given = len(np.unique(codes[codes >= 0]))
    if 0 < given < model.fewest:
        raise ReleaseError(code, least=model.fewest, item=item, given=given)


def _make(job: Job, records: Records, stored: Sequence[Ints], name: str, progress: Progress) -> Made:
    """Apply the method to both groups: on the same levels, or to each group separately.

    A method that looks at sensitive values sees the stored ones of disguised respondents. The model does not: it is
    about true answers, as the job has them.
    """
    people = len(records)
    if METHODS[name].levels:
        ((_, method, whole),) = _parts(job, records, stored, name, progress)
        made = method.make(whole)
        return replace(made, labels=made.labels[1:])
    labels = [np.empty(people, object) for _ in job.quasis]
    secrets = [codes.copy() for codes in job.secrets]
    penalty, distorted = 0.0, 0
    for rows, method, part in _parts(job, records, stored, name, progress):
        made = method.make(part)
        if records.direct[rows[0]]:
            for own, codes in zip(secrets, made.secrets, strict=True):
                own[rows] = codes
        for column, given in zip(labels, made.labels, strict=True):
            column[rows] = given
        penalty += made.penalty * len(rows)
        distorted += made.distorted
    return Made([column.tolist() for column in labels], secrets, penalty / people, penalty, distorted=distorted)


def _parts(
    job: Job, records: Records, stored: Sequence[Ints], name: str, progress: Progress
) -> Iterator[tuple[Ints, Method, Job]]:
    """The rows that a method takes at a time, what makes them, and its job: all at once on levels, else each group."""
    method, people, done = METHODS[name], len(records), 0
    if method.levels:
        flag = Hierarchy((YES_NO,), (np.arange(2),), DIRECT)  # no level is above its values, and it weighs nothing
        quasis = [Quasi(DIRECT, flag, records.direct.astype(np.int64), 0.0), *job.quasis]
        yield np.arange(people), method, replace(job, quasis=quasis, progress=progress)
        return
    overall = [shares(codes) for codes in job.secrets]
    for is_direct in (True, False):
        rows = np.flatnonzero(records.direct == is_direct)
        if not len(rows):
            continue
        seen = job.secrets if is_direct else [*stored, *job.secrets[len(stored) :]]
        part = replace(
            job,
            quasis=[replace(quasi, codes=quasi.codes[rows]) for quasi in job.quasis],
            numbers={name: np.asarray(column, object)[rows].tolist() for name, column in job.numbers.items()},
            secrets=[codes[rows] for codes in seen],
            progress=part_of_work(progress, done / people, 1),
            judged=[codes[rows] for codes in job.secrets],
            overall=overall,
        )
        yield rows, method if is_direct else METHODS[method.disguised or name], part
        done += len(rows)


def _losses(job: Job, made: Made, kept: Bools) -> dict[str, float]:
    """The loss of each attribute; for local methods by the values that labels cover."""
    if made.generalisation is not None:
        levels = zip(job.quasis, made.generalisation.node[1:], strict=True)
        return {quasi.name: penalty_of([replace(quasi, weight=1.0)], (level,), kept) for quasi, level in levels}
    lost = {}
    for quasi, labels in zip(job.quasis, made.labels, strict=True):
        attribute: Quasi | Measured = quasi
        if quasi.name in job.numbers:
            attribute = Measured(quasi.name, np.array(job.numbers[quasi.name], np.float64))
        lost[quasi.name] = Space([attribute]).penalty(number_classes([labels])) / job.records
    return lost
