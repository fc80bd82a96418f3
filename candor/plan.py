"""A design for a questionnaire that also has numbers and places, before anyone is asked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from candor import arguments
from candor.designs import Design
from candor.results import Result, TextColumns
from privacy.errors import InputError
from privacy.guarantee import rounded_up
from privacy.output import counted, strict
from privacy.plan.questionnaire import Questionnaire, plan_questionnaire
from privacy.plan.questions import question

if TYPE_CHECKING:
    from fractions import Fraction

    import pandas as pd


@dataclass(frozen=True, repr=False)
class Plan(Result):
    """The design for a questionnaire with numbers or places; `candor.advise` makes it."""

    plan: Questionnaire

    @property
    def design(self) -> Design:
        """The design that is recommended."""
        return Design.of(self.plan.design)

    def contents(self) -> Iterator[str | TextColumns]:
        plan = self.plan
        items, people = counted(len(plan.design.items), "item"), counted(plan.respondents, "respondent")
        limit, reached = (float(rounded_up(value, 6)) for value in (plan.gamma, plan.design.odds))
        yield f"{items}, {people}, gamma at most {limit:g}; the odds of the design are {reached:g}."
        yield TextColumns(["items", "asked", "disguise"], self._rows())
        yield (
            f"Worst standard error {plan.error:.4g}: of patterns up to {plan.length}, and of the share of people in "
            "one half of a number or a place."
        )

    def _rows(self) -> list[list[object]]:
        rows: list[list[object]] = []
        for block in self.plan.design.blocks:
            names = ", ".join(item.id for item in block.items)
            settings = {key: value for key, value in block.friendly_entry().items() if key != "items"}
            rows.append([names, block.asked, ", ".join(f"{key} {value}" for key, value in settings.items())])
        return rows

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for each block."""
        import pandas as pd

        return pd.DataFrame(self._rows(), columns=["items", "asked", "disguise"])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor advise` for such a questionnaire."""
        document: dict[str, Any] = strict(self.plan.to_json())
        return document


def make_plan(
    items: Mapping[str, Any],
    respondents: int,
    gamma: "float | Fraction",
    length: int | None,
    direct_share: float,
    beside: Mapping[str, Any],
) -> Plan:
    """The plan for these items; what is asked `beside` is not worked out where there are numbers or places."""
    if given := next((name for name, value in beside.items() if value), None):
        raise InputError(f"{given} is not worked out where questions have numbers or places.")
    questions = [
        question({"id": arguments.text(name, "items"), **_entry(name, entry)}, f"items[{name!r}]")
        for name, entry in items.items()
    ]
    return Plan(
        plan_questionnaire(
            questions,
            arguments.whole(respondents, "respondents"),
            arguments.exact_number(gamma, "gamma"),
            min(2, len(questions)) if length is None else arguments.whole(length, "length"),
            arguments.number(direct_share, "direct_share"),
        )
    )


def _entry(name: str, entry: Any) -> Mapping[str, Any]:
    return entry if isinstance(entry, Mapping) else {"options": list(arguments.texts(entry, f"items[{name!r}]"))}
