"""Pictures of a result: what they show is true, can be read, and stands in a table as well."""

import re
from dataclasses import replace
from html import escape
from itertools import product
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
from django.http import QueryDict

from mining import expected, pictures, run_page
from mining.domain.claim import claim, finish
from mining.domain.files import mark_withheld
from mining.domain.report import arrange, strongest, strongest_to_draw
from mining.domain.result import mine_run
from mining.engines.columns import Columns, columns_of
from mining.engines.literals import literals_of
from mining.engines.mine import mine
from mining.engines.request import MiningRequest
from mining.engines.shrunken_rules import add_shrunk_figures
from mining.graph import item_graph
from mining.models import MiningRun
from privacy.choices import AVAILABLE, CASES, COMPLETE, ESTIMATORS
from privacy.design import Design
from privacy.design.patterns import parse_pattern
from privacy.draw.labels import shorten, text_width
from privacy.estimate.weights import channel_of, factors
from privacy.reconstruct.metrics import shrunken_keys
from surveys.domain.responses.snapshots import cite
from surveys.models import Phrase
from tests.cases import first
from tests.mining.designs import KINDS, design_of, records_of, yes_no
from tests.mining.surveys import finished_run, queued_run, sealed_survey

TITLE = "{http://www.w3.org/2000/svg}title"
FLIPS = {"kind": "flip", "flips": [0.7, 0.2, 0.06, 0.04]}


def draw_tabs(run):
    tabs = pictures.tabs(run, arrange(Columns.from_bytes(bytes(run.result.columns))), run.result.summary)
    return {tab.name: tab.draw(pictures.WIDE) for tab in tabs}


def run_of(block, **asked):
    return done_run(sealed_survey(1000, block=block), **asked)


def done_run(survey, **asked):
    run = queued_run(survey, **asked)
    finish(run.pk, claim(run.pk), *mine_run(run, lambda *_: None))
    return MiningRun.objects.get(pk=run.pk)


@pytest.mark.parametrize(("kind", "estimator", "cases"), first(4, product(KINDS, ESTIMATORS, CASES)))
def test_the_curve_of_errors_passes_through_the_error_of_the_run(kind, estimator, cases):
    """At the survey's own p and k the largest itemset of each length has the errors, of either kind, of its run."""
    design = design_of(kind)
    codes, direct = records_of(design, 20_000)
    done = columns_of(mine([(codes, direct)], design, MiningRequest(0.02, 0.1, 3, True, estimator, "bitset", cases)))
    lengths = (done.items != -1).sum(axis=1)
    for length in np.unique(lengths):
        here = np.flatnonzero(lengths == length)
        place = int(here[np.argmax(done.itemsets["support"][here])])
        error = expected.itemset_as_seen(done, literals_of(design, True), place, cases).standard_errors(
            estimator, [direct.mean()]
        )
        np.testing.assert_allclose(error, done.itemsets["se"][place], rtol=0.05)
        about = expected.about_respondents(error, float(done.itemsets["support"][place]), len(codes))
        np.testing.assert_allclose(about, done.itemsets["se_respondents"][place], rtol=0.1)


def test_the_pooled_error_does_not_count_what_lies_between_the_groups():
    """k is known: everybody says yes, nine in ten directly, so that only the disguised tenth errs, by its coin."""
    design = Design.parse({"direct": True, "model": "improved-grouped", "p": 0.4, "theta": 0.36, "items": ["a"]})
    seen = expected.SeenItemset("a", 5000, channel_of([factors(design, parse_pattern("a", design))]), np.array([0, 1]))

    error = expected.about_respondents(seen.standard_errors("pooled", [0.9]), 1.0, 5000)

    yes = 0.4 + 0.6 * 0.36
    np.testing.assert_allclose(error, np.sqrt(0.1 * yes * (1 - yes) / 5000) / (0.9 + 0.1 * 0.4), rtol=1e-9)


def test_the_error_of_one_question_follows_from_its_two_chances():
    """√((1−k)·(S·a(1−a) + (1−S)·b(1−b))/n)/p, a and b the chances to send yes of those who have S and have not."""
    design = Design.parse({"direct": True, "model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ["a"]})
    n, support, k = 10_000, 0.3, np.array([0.0, 0.2, 0.5, 1.0])
    channel = channel_of([factors(design, parse_pattern("a", design))])
    seen = expected.SeenItemset("a", n, channel, np.array([1 - support, support]))

    error = expected.about_respondents(seen.standard_errors("stratified", k), support, n)

    a, b = 0.3 + 0.7 * 0.6, 0.7 * 0.6
    np.testing.assert_allclose(
        error, np.sqrt((1 - k) * (support * a * (1 - a) + (1 - support) * b * (1 - b)) / n) / 0.3, rtol=1e-9
    )
    assert error[-1] == 0


@pytest.mark.parametrize("direct", [0.0, 0.2])
def test_w_is_the_mean_distance_from_the_truth_of_the_same_people(direct):
    """4 000 surveys of the same 2 000 people, seed 7: the mean of |S − S′| of section 4, within 4.5 standard errors."""
    design = Design.parse({"direct": True, "model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ["a"]})
    n, yes, random = 2_000, 600, np.random.default_rng(7)
    seen = expected.SeenItemset("a", n, channel_of([factors(design, parse_pattern("a", design))]), np.array([0.7, 0.3]))
    disguised = [round((n - yes) * (1 - direct)), round(yes * (1 - direct))]
    sent = random.binomial(np.array(disguised)[:, None], [[0.7 * 0.6], [0.3 + 0.7 * 0.6]], (2, 4_000)).sum(axis=0)
    estimates = (1 - direct) * (sent / sum(disguised) - 0.42) / 0.3 + direct * 0.3
    distances = np.abs(estimates - 0.3)

    w = expected.mean_distance(
        expected.about_respondents(seen.standard_errors("stratified", [direct]), yes / n, n)
    ).item()

    assert abs(distances.mean() - w) < 4.5 * distances.std() / np.sqrt(len(distances))


@pytest.mark.parametrize(
    ("kind", "direct", "titles"),
    [
        (
            "two blocks",
            True,
            ["W against p, with this survey's n and k", "W against k, with this survey's n and design"],
        ),
        ("two blocks", False, ["W against p, with this survey's n and k"]),
        ("flips", True, ["W against k, with this survey's n and design"]),
        ("flips", False, None),
    ],
)
def test_w_is_drawn_against_what_the_design_has(kind, direct, titles):
    """p where there are coins, k where people may answer directly, and no page where there is neither."""
    design = replace(design_of(kind), direct=direct)
    codes, answered = records_of(design_of(kind))
    made = columns_of(mine([(codes, answered & direct)], design, MiningRequest(0.02, 0.1, 3)))
    columns = made.with_columns({"length": (made.items != -1).sum(axis=1)}, {})
    version = SimpleNamespace(design=design)
    run = SimpleNamespace(
        snapshot=SimpleNamespace(version=version), negated=False, cases=AVAILABLE, bins="",
        get_estimator_display=lambda: "stratified",
    )  # fmt: skip

    summary = {"n": len(codes), "direct": int((answered & direct).sum()), "estimator": "stratified"}

    tabs = {tab.name: tab for tab in pictures.tabs(run, columns, summary)}

    drawn_of_w = [one.title for one in tabs["w"].draw(pictures.WIDE)] if "w" in tabs else None
    assert drawn_of_w == titles


@pytest.mark.django_db
def test_the_table_beside_w_holds_what_the_formula_gives():
    """Of the survey's own p = .3 and θ = .6, at k = 0, .1, … 1: the mean distance of one answer, in points."""
    run = run_of({})
    summary, done = run.result.summary, arrange(Columns.from_bytes(bytes(run.result.columns)))
    single = done.itemsets["support"][done.itemsets["length"] == 1].max()
    a, b = 0.3 + 0.7 * 0.6, 0.7 * 0.6
    once = np.sqrt(2 / np.pi * (single * a * (1 - a) + (1 - single) * b * (1 - b)) / summary["n"]) / 0.3

    (_, by_k) = draw_tabs(run)["w"]

    assert [row[:2] for row in by_k.table.rows] == [
        (f"{k:.4g}", f"{100 * once * np.sqrt(1 - k):.2f}") for k in np.linspace(0, 1, 11)
    ]


@pytest.mark.parametrize("kind", ["two blocks", "sampled coin"])
def test_more_coins_that_keep_and_more_respondents_make_errors_smaller(kind):
    """Along p and along n; four times the respondents halve the error."""
    design = design_of(kind)
    done = columns_of(mine([records_of(design)], design, MiningRequest(0.02, 0.1, 3)))
    seen = expected.itemset_as_seen(done, literals_of(design), len(done.items) - 1, AVAILABLE)
    assert (np.diff(seen.standard_errors("stratified", 0.2, p=np.linspace(0.1, 1, 10))) < 0).all()
    once, four = seen.standard_errors("stratified", [0.2, 0.2], times=[1, 4])
    np.testing.assert_allclose(once / four, 2, rtol=2e-3)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("block", "first"),
    [
        ({}, "Standard error against p, with this survey's n and k"),
        ({"ask": 2}, "Standard error against p, with this survey's n and k"),
        (FLIPS, "Standard error against n, with this survey's design and k"),
    ],
)
def test_errors_are_drawn_for_every_design(block, first):
    """Coins, some of which ask only part, against p; flips, which have no p, against n; all against k."""
    run = run_of(block, estimator="combined")
    made = draw_tabs(run)["errors"]
    assert [one.title for one in made] == [first, "Standard error against k, with this survey's n and design"]
    assert {one.caption for one in made} == {
        "For the largest itemset of each length, by the estimator of this run: combined."
    }


@pytest.mark.parametrize("groups", [{}, {"groups": 5}])
def test_errors_of_a_list_of_words_are_drawn_against_n_alone(admin_client, groups):
    """One word tells too little for another k. At the n of the survey are the errors that the run reports."""
    block = {"kind": "one-of", "list_gamma": 19, "cap": 2, "longest": 2, **groups}
    run = done_run(sealed_survey(1000, items=5, block=block), min_support=1e-6)
    done = arrange(Columns.from_bytes(bytes(run.result.columns)))
    single = np.where(done.itemsets["length"] == 1, done.itemsets["support"], 0).argmax()

    tabs = draw_tabs(run)
    (by_n,) = tabs["errors"]
    row = next(row for row in by_n.table.rows if row[0] == f"{run.result.summary['n']:.4g}")
    page = admin_client.get(run.get_absolute_url(), {"picture": "errors"}).content.decode()
    file = admin_client.get(run.get_absolute_url().replace("change/", "pictures/itemsets.svg"))

    assert "w" not in tabs
    assert row[1] == f"{100 * done.itemsets['se'][single]:.2f}"
    assert escape(by_n.title) in page
    assert file["Content-Type"] == "image/svg+xml"


@pytest.mark.django_db
def test_errors_are_drawn_of_the_cases_that_the_run_took():
    """Those of a pair are smaller by available cases than by complete ones; a single answer has the same ones."""
    survey = sealed_survey(1000, block={"ask": 2})
    tables = [draw_tabs(done_run(survey, cases=cases))["errors"][1].table.rows for cases in (AVAILABLE, COMPLETE)]
    available, complete = (np.array([[float(cell) for cell in row[1:3]] for row in rows]) for rows in tables)
    np.testing.assert_array_equal(available[:, 0], complete[:, 0])
    assert (available[:, 1] < complete[:, 1]).all()


@pytest.mark.django_db
def test_every_picture_has_a_table_of_its_own():
    """Beside the tables that are filtered and paged, each brings the figures that it shows."""
    made = draw_tabs(finished_run())
    assert {at: [(one.title, bool(one.table.rows)) for one in here] for at, here in made.items()} == {
        "rules": [("Support and confidence of the rules to trust most", True)],
        "groups": [("Rules: if the row, then the column", True)],
        "items": [("Items of the rules to trust most", True)],
        "itemsets": [("Supports of the largest itemsets", True)],
        "errors": [
            ("Standard error against p, with this survey's n and k", True),
            ("Standard error against k, with this survey's n and design", True),
        ],
        "w": [
            ("W against p, with this survey's n and k", True),
            ("W against k, with this survey's n and design", True),
        ],
    }
    for picture in (one for here in made.values() for one in here):
        assert ElementTree.fromstring(picture.svg).find(TITLE).text == picture.title
        assert not re.search("<script|style=", picture.svg)
        assert {len(row) for row in picture.table.rows} <= {len(picture.table.head)}


def many_rules():
    """As if each could be trusted."""
    design = Design.parse({"direct": True, "blocks": [{"keep": 0.5, "items": yes_no(*"abcdef")}]})
    mined = mine([records_of(design)], design, MiningRequest(0.02, 0.1, 3, True))
    done = add_shrunk_figures(mined, columns_of(mined), "stratified")
    done.rules["q"][:], done.rules["infeasible"][:] = 0, False
    return done


def test_tables_of_pictures_hold_exactly_what_is_drawn():
    """A row for each point of the rules and the supports, named alike and in one order; a row for each arrow."""
    done = many_rules()
    for picture in (pictures.rules(strongest_to_draw(done)), pictures.supports(done)):
        assert re.findall("<circle [^>]*><title>(.*?)</title>", picture.svg) == [row[0] for row in picture.table.rows]
    graph = pictures.graph(strongest_to_draw(done))
    arrows = re.findall("<title>([^<]*) ⇒ ([^<]*): ([^<]*) %</title></path>", graph.svg)
    assert sorted(arrows) == sorted(map(tuple, graph.table.rows))


def test_a_rule_without_a_figure_is_not_drawn():
    """Its raw confidence would be a point like those that allow for luck; without any other rule nothing is drawn."""
    done = many_rules()
    (first,) = strongest(done, 1)
    name = " ⇒ ".join(", ".join(side) for side in done.sides(first))
    assert pictures.rules(strongest_to_draw(done)).table.rows[0][0] == name
    for key in shrunken_keys():
        done.rules[key][first] = np.nan
    assert name not in [row[0] for row in pictures.rules(strongest_to_draw(done)).table.rows]


def test_the_rules_to_trust_most_are_named_in_their_picture():
    """Six by numbers, with their whole names below; a line stands at 100 % where they come near."""
    done = many_rules()
    picture = pictures.rules(strongest_to_draw(done))
    named = re.findall('<text class="note"[^>]*>([^<]*)</text>', picture.svg)
    assert named == list("123456")
    assert "; ".join(f"{place}: {row[0]}" for place, row in enumerate(picture.table.rows[:6], 1)) in picture.caption
    assert ">100 %</text>" in picture.svg
    done.rules["shrunken confidence"][:] = 0.5
    assert ">100 %</text>" not in pictures.rules(strongest_to_draw(done)).svg


def test_the_key_of_the_graph_says_what_the_widths_mean():
    """The thinnest and the widest arrow are as the two strokes beside their confidences."""
    graph = pictures.graph(strongest_to_draw(many_rules()))
    widths = [float(width) for width in re.findall('stroke-width="([^"]*)"[^>]* marker-end', graph.svg)]
    key = re.findall('h32" [^>]*stroke-width="([^"]*)"/>\n<text[^>]*>([^<]*) %</text>', graph.svg)
    confidences = [float(row[2]) for row in graph.table.rows]
    assert [float(width) for width, _ in key] == [min(widths), max(widths)] == [1, 5]
    assert [int(confidence) for _, confidence in key] == [round(min(confidences)), round(max(confidences))]


def test_long_names_leave_the_items_of_the_graph_their_room():
    """Names of 81 characters are shown by their two ends, and whole to a person who points at the item."""
    names = [f"{place}{'x' * 60}=some long option {place}" for place in range(6)]
    svg = item_graph("Items", {(one, other): 0.5 for one in names for other in names if one != other}, 560)
    width, height = (float(side) for side in re.findall('viewBox="0 0 ([0-9]+) ([0-9]+)"', svg)[0])
    circles = [(float(x), float(y)) for x, y in re.findall('<circle cx="([^"]*)" cy="([^"]*)"', svg)]
    assert all(0 < x < width and 0 < y < height for x, y in circles)
    assert min(abs(x - width / 2) + abs(y - circles[3][1]) for x, y in circles[:3]) > 20
    assert re.findall("<circle [^>]*><title>([^<]*)</title>", svg) == names
    written = " ".join(re.findall('<text class="note"[^>]*>([^<]*)</text>', svg))
    assert re.findall(r"([0-5])x+….*? option ([0-5])", written) == [(str(place), str(place)) for place in range(6)]


def test_options_of_one_item_are_told_apart_where_names_are_short():
    """Two names that differ in the end alone keep their end; whatever is wider than it may be loses its middle."""
    short = [shorten(name, 117) for name in ("marital_status=married", "marital_status=widowed", "age")]
    assert short[2] == "age"
    assert short[0] != short[1]
    assert all(text_width(name) <= 117 and "…" in name for name in short[:2])


@pytest.mark.parametrize("width", [pictures.NARROW, pictures.WIDE])
def test_names_are_written_on_several_lines_and_none_beyond_the_picture(width):
    """Answers that begin and end alike are whole; so are the columns, whose letters the caption explains."""
    long = [f"never took {thing} from a shop without paying" for thing in ("anything", "a drink", "a book")]
    axis = pictures._axis_of_names(tuple(long), width)
    key = pictures.chart("", [pictures.Line(f"{name}, {name}", [0, 1], [1, 2]) for name in long], width=width)
    matrix = pictures.matrix(strongest_to_draw(many_rules()), width)

    texts = re.findall('<text x="26" y="[^"]*">([^<]*)</text>', key)
    assert [name.replace("\n", " ") for name in axis.name_lines] == long
    assert max(text_width(line) for name in axis.name_lines for line in name.split("\n")) <= axis.widest
    assert max(26 + text_width(text) for text in texts) <= width
    assert " ".join(texts) == " ".join(f"{name}, {name}" for name in long)
    assert {*re.findall("[A-F]: ([^;.]+)", matrix.caption)} == {row[1] for row in matrix.table.rows}


@pytest.mark.django_db
def test_one_rule_alone_is_not_drawn():
    """It is read faster than a picture of it."""
    run = finished_run()
    done = arrange(Columns.from_bytes(bytes(run.result.columns)))
    first = strongest(done, 1)
    done.rules["redundant"][:] = True
    done.rules["redundant"][first] = False
    assert [tab.name for tab in pictures.tabs(run, done, run.result.summary)] == ["itemsets", "errors", "w"]


def test_the_matrix_groups_what_lifts_alike():
    """Of many antecedents a few rows are left, no antecedent is lost, and the columns are capped."""
    matrix = pictures.matrix(strongest_to_draw(many_rules()))
    groups = {row[0] for row in matrix.table.rows}
    members = [name for group in groups for name in group.split("; ")]
    assert len(groups) <= 12 < len(members) == len(set(members))
    assert len({row[1] for row in matrix.table.rows}) == 6
    radii = {float(radius) for radius in re.findall(r'<circle [^>]*r="([\d.]+)"', matrix.svg)}
    assert max(radii) == 11 > min(radii)


def test_rows_that_lift_alike_are_one_group():
    """Thirteen antecedents, the first and the last with equal lifts: these two share a row."""
    lifts = np.arange(13.0)[:, np.newaxis] + np.array([[1.0, 1.0]])
    lifts[12] = lifts[0]
    assert pictures._groups(lifts) == [*range(12), 0]


@pytest.mark.parametrize(
    ("tab", "count"), [("rules", 1), ("groups", 1), ("items", 1), ("itemsets", 1), ("errors", 2), ("w", 2)]
)
def test_a_picture_is_a_file_with_title_caption_and_source(admin_client, tab, count):
    """The caption says how the figures came about: by which parameters, and from how many people."""
    run = finished_run()
    at = run.get_absolute_url().removesuffix("change/")
    page = admin_client.get(run.get_absolute_url(), {"picture": tab}).content.decode()
    names = re.findall(rf'href="{at}pictures/([-a-z]+)\.svg"', page)
    assert len(set(names)) == count
    for name in names:
        file = admin_client.get(f"{at}pictures/{name}.svg")
        words = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", file.content.decode()))
        assert file["Content-Type"] == "image/svg+xml"
        assert "disguised (p = 0.3, θ = 0.6; γ = 7.70)" in words
        assert "n = 5\u202f000." in words
        assert f"snapshot {cite(run.snapshot)}" in words
    assert admin_client.get(f"{at}pictures/none.svg").status_code == 404


@pytest.mark.django_db
def test_pictures_speak_in_the_words_of_the_questions():
    """On the page, in its tables and as files: no code of an answer, but words of the report and of questions."""
    run = finished_run()
    Phrase.objects.create(survey=run.survey, item="q0", value="1", words={"en": "took something"})
    run = mark_withheld(MiningRun.objects.all()).get(pk=run.pk)
    report = run_page.report(run, QueryDict("picture=itemsets"))
    on_page = [figure for figure, _narrow in report["pictures"]]
    for figure in (*on_page, *run_page.pictures_of(run)):
        told = [figure.svg, *figure.table.head, *(cell for row in figure.table.rows for cell in row)]
        assert re.findall(r"!?\bq\d\b(?!\?)", " ".join(told)) == []
    (itemsets,) = on_page
    assert {"took something", "q1? Yes", "q0? No"} <= {row[0] for row in itemsets.table.rows}
