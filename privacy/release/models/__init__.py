"""Privacy models: for every class of a table whether it is safe to publish, and the value that the table reaches.

k-anonymity after Samarati and Sweeney (1998). A new model is a row of `conditions` or of `limits`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from privacy.arrays import Bools, Floats, Ints
from privacy.design.reading import whole_number
from privacy.errors import InputError, to_translate
from privacy.release.classes import Classes, count_in_classes, number_classes, tally
from privacy.release.models import conditions, limits
from privacy.release.models.conditions import EQUAL, Closeness, Diversity
from privacy.release.models.row import Condition, ModelField, ModelRow, Stops

K = ModelRow(
    name="k",
    read=lambda model, where: whole_number(model, "k", where),
    fields=(
        ModelField(
            name="k", label=to_translate("Smallest group of alike rows (k)"),
            about=to_translate("Everybody shares their coarse answers with at least this many respondents."),
            least=2, most=10_000, whole=True, usual=5,
        ),
    ),
    stops=(
        Stops(
            to_translate("k-anonymity"), '"k": 5',
            to_translate("finding the row of somebody"),
            to_translate("learning the sensitive value where a whole class shares it"),
        ),
    ),
)  # fmt: skip
CONDITIONS = {row.name: row for row in conditions.ROWS}
LIMITS = {row.name: row for row in limits.ROWS}
MODELS = {row.name: row for row in (K, *conditions.ROWS, *limits.ROWS, limits.SAFE_HARBOUR)}
"""Every member of a model, in the order in which people read of them."""


def in_symbols(model: Mapping[str, Any]) -> list[str]:
    """The members of a model as people write them.

    >>> in_symbols({"k": 2, "l": {"kind": "recursive", "l": 3, "c": 2}, "k_map": 5})
    ['k = 2', 'l = 3 (recursive, c = 2)', 'k-map = 5']
    """
    said = [f"k = {model['k']}"] if "k" in model else []
    said += [row.read(model, "model").symbols for name, row in CONDITIONS.items() if name in model]
    return said + [f"{name.replace('_', '-')} = {model[name]}" for name in LIMITS if name in model]


def read_conditions(model: Mapping[str, Any], where: str) -> tuple[Condition, ...]:
    """Read the conditions among the members of a model, or of a column, whose sentences name it in place of the model.

    >>> [condition.symbols for condition in read_conditions({"alpha": 0.5}, "attributes.disease")]
    ['α = 0.5']
    """
    try:
        return tuple(row.read(model, where) for name, row in CONDITIONS.items() if name in model)
    except InputError as error:
        if str(error).startswith("model.") and where != "model":
            raise InputError(str(error).replace("model", where, 1)) from error
        raise


def read_limits(model: Mapping[str, Any]) -> dict[str, float]:
    """Read the members of a model that are about the whole table.

    >>> read_limits({"k": 2, "average": 0.1, "presence": [0, "1/2"]})
    {'marketer': 0.1, 'presence': 0.5, 'absence': 1.0}
    """
    found: dict[str, float] = {}
    for name, row in LIMITS.items():
        if name in model:
            found |= row.read(model, "model")
    return found


@dataclass(frozen=True, eq=False)
class AnonymityModel:
    """What every published class must fulfil: at least k records, and conditions on their sensitive values.

    `apart`: of several sensitive attributes each is looked at by itself, and not within the others. `each`: what is
    asked of each of them, in place of `conditions`, where it is not the same of all.
    """

    k: int = 1
    conditions: tuple[Condition, ...] = ()
    apart: bool = False
    each: tuple[tuple[Condition, ...], ...] = ()

    def __post_init__(self) -> None:
        if self.k < 1:
            raise InputError(f"model.k: {self.k} is below 1.")

    @property
    def every(self) -> tuple[Condition, ...]:
        """All conditions, whatever sensitive attribute they are of."""
        return tuple(chain(self.conditions, *self.each))

    @property
    def about_sensitive(self) -> bool:
        return bool(self.every)

    def conditions_at(self, place: int) -> tuple[Condition, ...]:
        """What is asked of the sensitive attribute at a place."""
        return self.each[place] if self.each else self.conditions

    def distances(self, count: int) -> list[Closeness]:
        """The distance by which t of each of so many attributes is measured, also where the model asks for no t."""
        every = map(self.conditions_at, range(count))
        asked = (next((one for one in own if isinstance(one, Closeness)), EQUAL) for own in every)
        return [replace(one, t=1.0) for one in asked]

    @property
    def fewest(self) -> int:
        """How many different sensitive values every class needs at least."""
        return max((condition.least for condition in self.every), default=1)

    def least(self, several: bool = False) -> "AnonymityModel":
        """The least conditions of this model that further generalisation cannot break.

        `several`: there are several sensitive attributes, or records whose values are passed over.
        """
        fewest = 1 if several else self.fewest
        return AnonymityModel(self.k, (Diversity("distinct", fewest),) if fewest > 1 else ())

    def always_grows(self, suppression: bool, several: bool = False) -> bool:
        """Whether a table that fulfils the model still does after any further generalisation."""
        return not (suppression and any(condition.can_spoil or several for condition in self.every))

    def holds(self, classes: Classes) -> Bools:
        """Say of each class whether it fulfils the model."""
        kept: Bools = classes.sizes >= self.k
        for condition in self.conditions:
            kept = kept & condition.holds(classes)
        return kept


def safe(
    member: Ints,
    sensitive: Sequence[Ints],
    model: AnonymityModel,
    overall: Sequence[Floats] | None = None,
    count: Ints | None = None,
) -> Bools:
    """Say of every class whether it fulfils the model for every sensitive attribute.

    With several of them each is looked at within classes that are alike in the others, too: multi-attribute
    l-diversity (Machanavajjhala and others 2007, section 4.4); t-closeness is of each by itself. Records with the code
    −1 are passed over: they have no such value, or one that is not true. `overall`: how common each value is in the
    table that these records are of. `count`: for how many records each of these stands.
    """
    sizes = count_in_classes(member, count)
    good: Bools = sizes >= model.k
    if not model.about_sensitive:
        return good
    for place, secret in enumerate(sensitive):
        conditions, elsewhere = model.conditions_at(place), (*sensitive[:place], *sensitive[place + 1 :])
        own, values, counts = member, secret, count
        if secret.min(initial=0) < 0:
            has_secret = secret >= 0
            own, values, elsewhere = member[has_secret], secret[has_secret], tuple(one[has_secret] for one in elsewhere)
            counts = None if count is None else count[has_secret]
            if not len(own):
                continue
        alone = [one for one in conditions if one.alone or model.apart or not elsewhere]
        for asked, others in ((alone, ()), ([one for one in conditions if one not in alone], elsewhere)):
            if not asked:
                continue
            finer = number_classes([own, *others]) if len(own) < len(member) or others else own
            owner = np.empty(int(finer.max()) + 1, np.int64)
            owner[finer] = own
            classes = tally(finer, values, None if overall is None else overall[place], counts)
            for condition in asked:
                good[owner[~condition.holds(classes)]] = False
    return good


def unmet_conditions(chosen: Bools, sensitive: Sequence[Ints], model: AnonymityModel) -> list[str]:
    """Name the conditions of a model that the `chosen` records miss, taken as one class of the table.

    >>> model = AnonymityModel(2, (Diversity("distinct", 2),))
    >>> unmet_conditions(np.array([False, False, True]), [np.array([0, 1, 1])], model)
    ['k', 'l']
    """
    parts = {"k": AnonymityModel(model.k)}
    for name in dict.fromkeys(one.name for one in model.every):
        conditions, *each = (
            tuple(one for one in asked if one.name == name) for asked in (model.conditions, *model.each)
        )
        parts[name] = replace(model, k=1, conditions=conditions, each=tuple(each))
    return [name for name, part in parts.items() if not safe(chosen.astype(np.int64), sensitive, part)[1]]
