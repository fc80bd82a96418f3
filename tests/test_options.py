"""Every option of an analysis is declared once, and stands where its table says: library, command, API and page."""

import ast
import inspect
from textwrap import dedent

import pytest
from django.utils.functional import Promise

import candor
from candor.commands import ANALYSES
from config.api.document import OPERATIONS
from mining.engines.options import MINE
from mining.engines.request import MiningRequest
from mining.forms import StartForm
from mining.models import MiningRun
from privacy.options import REQUIRED, Option, Options, check_arguments
from privacy.options.option import OneOf, Whole
from tests.commands import COMMAND_OF, arguments_of

PLACES = ("library", "command", "api", "page")
# What a function takes beside its options: what it reads, and objects that no text stands for.
TAKEN = {
    "records", "frame", "counts", "patterns", "design", "client", "channel", "people", "release", "designs", "items",
    "gamma", "epsilon", "open_columns",
}  # fmt: skip


def parameters_of(table: Options) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(getattr(candor, table.of)).parameters)


@pytest.mark.parametrize("table", ANALYSES, ids=lambda table: table.of)
def test_a_function_has_the_options_of_its_table(table: Options) -> None:
    """With the same defaults, and no other parameter but what it reads."""
    parameters = parameters_of(table)

    declared = {one.name: one.default for one in table.for_place("library")}

    there = {name: one.default for name, one in parameters.items() if name in declared or name not in TAKEN}
    if table.of == "anonymize":
        there.pop("spec")  # a document, which has a format of its own
        there.pop("withdrawn")  # what is refused with a sentence
    assert there == declared


@pytest.mark.parametrize("table", ANALYSES, ids=lambda table: table.of)
def test_a_function_reads_each_of_its_options(table: Options) -> None:
    """None is taken and then forgotten."""
    source = dedent(inspect.getsource(inspect.unwrap(getattr(candor, table.of))))

    read = {
        one.id for one in ast.walk(ast.parse(source)) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
    }

    assert {one.name for one in table.for_place("library")} - read == set()


@pytest.mark.parametrize("table", [one for one in ANALYSES if "command" not in one.absent], ids=lambda table: table.of)
def test_a_command_has_the_options_of_its_table(table: Options) -> None:
    """By the same words: a flag is the name, or what one of several is called."""
    arguments = arguments_of(COMMAND_OF.get(table.of, table.of))

    flags = {one.name: one.flag for one in table.for_place("command")}

    there = {name: arguments[name].option_strings[0] for name in flags if name in arguments}
    assert there == flags
    assert [
        name
        for name, flag in flags.items()
        if flag.strip("-").replace("-", "_") not in (name, name[:-1], f"{name[:-3]}y")
    ] == []


def test_the_api_and_the_page_take_the_options_of_mining() -> None:
    """Also what is stored of a request, and the columns of its row, whose names are what pages call the options."""
    (start,) = (one for one in OPERATIONS if one.name == "startRun")
    assert start.body is not None

    assert list(start.body["properties"]) == [one.name for one in MINE.for_place("api")]
    assert list(StartForm.base_fields) == [one.name for one in MINE.for_place("page")]
    assert tuple(one.name for one in MINE.for_place("page")) == MiningRequest.STORED
    columns = {name: MiningRun._meta.get_field(name) for name in MiningRequest.STORED}
    assert [name for name, column in columns.items() if not isinstance(column.verbose_name, Promise)] == []
    defaults = {name: one.default for name, one in inspect.signature(MiningRequest).parameters.items()}
    assert [name for name in MiningRequest.STORED if defaults[name] not in (MINE[name].default, REQUIRED)] == []


@pytest.mark.parametrize("table", ANALYSES, ids=lambda table: table.of)
def test_a_place_without_an_option_has_a_reason(table: Options) -> None:
    """One sentence each, of a place that there is."""
    reasons = [dict(table.absent), *(dict(one.absent) for one in table)]

    assert {place for one in reasons for place in one} <= set(PLACES)
    assert [why for one in reasons for why in one.values() if len(why.split()) < 3] == []
    if table is not MINE:
        assert {"api", "page"} <= set(table.absent)


def test_a_flag_of_the_release_before_still_works() -> None:
    """Scripts that call commands go on."""
    old = {"disguise": "--direct-share", "counts": "--column", "places": "--epsilon"}

    for name, flag in old.items():
        assert flag in [known for action in arguments_of(name).values() for known in action.option_strings]


def test_a_value_that_breaks_a_rule_is_refused_at_its_option() -> None:
    """By the type where an analyst calls, and by the bounds wherever a request is made."""

    @check_arguments(Options("count", (Option("least", Whole(1), "the smallest", 1),)))
    def count(*, least: int = 1) -> int:
        return least

    assert count(least=3) == 3
    with pytest.raises(candor.InputError, match=r"^least: 2\.5 is not a whole number\.$"):
        count(least=2.5)  # type: ignore[arg-type]
    with pytest.raises(candor.InputError, match=r"^least: 0 is less than 1\.$"):
        MINE.check({"least": 0})


def test_each_of_several_choices_is_read() -> None:
    """A list of choices, and one with a word that no list names."""
    one = Option("ways", OneOf(("by road", "by air")), "how it goes", (), each="way")

    assert one.read(["by road", "by air"]) == ["by road", "by air"]
    with pytest.raises(candor.InputError, match=r"^ways: 'by sea' is not one of by road, by air\.$"):
        one.read(["by road", "by sea"])
