"""Pictures of a result: what they show is true, can be read, and stands in a table as well."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from django.http import QueryDict

from mining import pictures, run_page
from mining.domain.files import mark_withheld
from mining.domain.report import arrange, strongest, strongest_to_draw
from mining.engines.columns import Columns, columns_of
from mining.engines.mine import mine
from mining.engines.request import MiningRequest
from mining.engines.shrunken_rules import add_shrunk_figures
from mining.models import MiningRun
from privacy.design import Design
from privacy.draw.chart import Line
from privacy.draw.labels import text_width
from privacy.reconstruct.metrics import shrunken_keys
from surveys.domain.responses.snapshots import cite
from surveys.models import Phrase
from tests.mining.designs import records_of, yes_no
from tests.mining.surveys import finished_run

TITLE = "{http://www.w3.org/2000/svg}title"


def draw_tabs(run):
    tabs = pictures.tabs(arrange(Columns.from_bytes(bytes(run.result.columns))))
    return {tab.name: tab.draw(pictures.WIDE) for tab in tabs}


def test_every_picture_has_a_table_of_its_own():
    """Beside the tables that are filtered and paged, each brings the figures that it shows."""
    made = draw_tabs(finished_run())
    assert {name: (picture.title, bool(picture.table.rows)) for name, picture in made.items()} == {
        "rules": ("Support and confidence of the rules to trust most", True),
        "groups": ("Rules: if the row, then the column", True),
        "items": ("Items of the rules to trust most", True),
        "itemsets": ("Supports of the largest itemsets", True),
    }
    for picture in made.values():
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


@pytest.mark.parametrize("width", [pictures.NARROW, pictures.WIDE])
def test_names_are_written_on_several_lines_and_none_beyond_the_picture(width):
    """Answers that begin and end alike are whole; so are the columns, whose letters the caption explains."""
    long = [f"never took {thing} from a shop without paying" for thing in ("anything", "a drink", "a book")]
    axis = pictures._axis_of_names(tuple(long), width)
    key = pictures.chart("", [Line(f"{name}, {name}", [0, 1], [1, 2]) for name in long], width=width)
    matrix = pictures.matrix(strongest_to_draw(many_rules()), width)

    texts = re.findall('<text x="26" y="[^"]*">([^<]*)</text>', key)
    assert [name.replace("\n", " ") for name in axis.name_lines] == long
    assert max(text_width(line) for name in axis.name_lines for line in name.split("\n")) <= axis.widest
    assert max(26 + text_width(text) for text in texts) <= width
    assert " ".join(texts) == " ".join(f"{name}, {name}" for name in long)
    assert {*re.findall("[A-F]: ([^;.]+)", matrix.caption)} == {row[1] for row in matrix.table.rows}


def test_one_rule_alone_is_not_drawn(run):
    """It is read faster than a picture of it."""
    done = arrange(Columns.from_bytes(bytes(run.result.columns)))
    first = strongest(done, 1)
    done.rules["redundant"][:] = True
    done.rules["redundant"][first] = False
    assert [tab.name for tab in pictures.tabs(done)] == ["itemsets"]


def test_the_matrix_groups_what_lifts_alike():
    """Of many antecedents a few rows are left, no antecedent is lost, and the columns are capped."""
    matrix = pictures.matrix(strongest_to_draw(many_rules()))
    groups = {row[0] for row in matrix.table.rows}
    members = [name for group in groups for name in group.split("; ")]
    assert len(groups) <= 12 < len(members) == len(set(members))
    assert len({row[1] for row in matrix.table.rows}) == 6
    radii = {float(radius) for radius in re.findall(r'<circle [^>]*r="([\d.]+)"', matrix.svg)}
    assert max(radii) == 11 > min(radii)


@pytest.mark.parametrize("tab", ["rules", "groups", "items", "itemsets"])
def test_a_picture_is_a_file_with_title_caption_and_source(admin_client, tab, run):
    """The caption says how the figures came about: by which parameters, and from how many people."""
    at = run.get_absolute_url().removesuffix("change/")
    page = admin_client.get(run.get_absolute_url(), {"picture": tab}).content.decode()
    names = re.findall(rf'href="{at}pictures/([-a-z]+)\.svg"', page)
    assert set(names) == {tab}
    file = admin_client.get(f"{at}pictures/{tab}.svg")
    words = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", file.content.decode()))
    assert file["Content-Type"] == "image/svg+xml"
    assert "How answers are disguised: p = 0.3, θ = 0.6; γ = 7.70" in words
    assert "n = 5\u202f000." in words
    assert f"snapshot {cite(run.snapshot)}" in words
    assert admin_client.get(f"{at}pictures/none.svg").status_code == 404


def test_pictures_speak_in_the_words_of_the_questions(run):
    """On the page, in its tables and as files: no code of an answer, but words of the report and of questions."""
    Phrase.objects.create(survey=run.survey, item="q0", value="1", words={"en": "took something"})
    run = mark_withheld(MiningRun.objects.all()).get(pk=run.pk)
    report = run_page.report(run, QueryDict("picture=itemsets"))
    on_page = [figure for figure, _narrow in report["pictures"]]
    for figure in (*on_page, *run_page.pictures_of(run)):
        told = [figure.svg, *figure.table.head, *(cell for row in figure.table.rows for cell in row)]
        assert re.findall(r"!?\bq\d\b(?!\?)", " ".join(told)) == []
    (itemsets,) = on_page
    assert {"took something", "q1? Yes", "q0? No"} <= {row[0] for row in itemsets.table.rows}
