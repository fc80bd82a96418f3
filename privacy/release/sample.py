"""The figures of a table that is a sample, in the order of print; each is one function of a module."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from privacy.errors import to_translate
from privacy.release.everybody import SampleClasses, SampleFigure
from privacy.release.individual import global_risk, individual
from privacy.release.kmap import k_map
from privacy.release.measures import Measure
from privacy.release.presence import absence, presence

SIZE, PEOPLE = "size", "table"


@dataclass(frozen=True, kw_only=True)
class SampleMeasure(Measure):
    """A figure of a sample, what computes it, and the member of a spec's `population` that it needs beside the size."""

    of: Callable[[SampleClasses], SampleFigure]
    needs: str = SIZE


OF_SAMPLES = (
    SampleMeasure(
        "k_map", "k-map", to_translate("how many people fit a class, at least"), at_least=True, of=k_map,
    ),
    SampleMeasure(
        "presence", "presence", to_translate("how surely somebody is known to be in the table, at most"),
        of=presence, needs=PEOPLE,
    ),
    SampleMeasure(
        "absence", "absence", to_translate("how surely somebody is known not to be in it, at most"),
        of=absence, needs=PEOPLE,
    ),
    SampleMeasure(
        "individual", "individual", to_translate("the chance to find the row of somebody among all people, at most"),
        of=individual,
    ),
    SampleMeasure(
        "global_risk", "global risk", to_translate("the share of rows that are found among all people, on average"),
        of=global_risk,
    ),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class SampleFigures(Mapping[str, SampleFigure]):
    """The figures of a sample by their keys, each computed when it is asked for; those that need more are not there."""

    seen: SampleClasses
    _found: dict[str, SampleFigure] = field(default_factory=dict)

    def __getitem__(self, key: str) -> SampleFigure:
        if key not in self._found:
            self._found[key] = self._computable[key].of(self.seen)
        return self._found[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._computable)

    def __len__(self) -> int:
        return len(self._computable)

    @cached_property
    def _computable(self) -> dict[str, SampleMeasure]:
        people = self.seen.people is not None and self.seen.others is not None
        known = {SIZE: True, PEOPLE: people}
        return {one.key: one for one in OF_SAMPLES if known[one.needs]}

    def rows(self) -> list[tuple[SampleMeasure, SampleFigure]]:
        """The figures, each with its declaration."""
        return [(one, self[key]) for key, one in self._computable.items()]
