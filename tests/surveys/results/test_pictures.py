"""A picture says of each share what the table below it says, also where the estimate was moved to an edge."""

import re
from dataclasses import replace

import numpy as np
from django.utils import timezone

from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.draw.labels import text_width
from privacy.draw.map import Map
from privacy.records.packing import pack
from surveys.displays import PlaceMap, ShareRow, Shares
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append
from surveys.models import Survey, SurveyVersion
from surveys.results import comparison, tables, versions, weighted
from surveys.results.answers import answers
from surveys.results.comparison import AskedShare, compare
from surveys.results.figures import Figure, document, of_answers, overview
from surveys.results.reading import ReportData, read_data
from surveys.results.tables import cross_table, variables
from surveys.results.words import words_of
from surveys.shares import Share, fit_options
from tests.surveys.making import write
from tests.surveys.results.making import draft
from tests.surveys.results.shown import figures_of_picture


def nobody_did(version: SurveyVersion, seed: int) -> None:
    """Seal answers of 1 000 people who all say no and are 50 or older."""
    truth = np.tile(np.array([0, 0, 0, 2], np.uint8), (1000, 1))
    records = disguise(version.design, truth, np.zeros(1000, bool), words_from_seed(seed))
    append(version, pack(records), (b"{}",) * 1000)


def drawn_of(waves: list[ReportData]) -> list[Figure]:
    """Every picture with bars of shares that a report of two versions may hold."""
    data = waves[-1]
    asked = answers(data, "en")
    known = {one.axis.name: one for one in variables(data, "en")}
    drugs, theft, words = known["drugs"], known["theft"], words_of(data.version, "en")
    alike = replace(data, drawn="alike", sampling=weighted.Sampling.simple(len(data.sealed)))
    return [
        *(one for question in asked for one in of_answers(data, question, {})),
        *overview(data, asked),
        *weighted.figures(alike, [drugs, known["age"]]),
        tables.figure(cross_table(data, [known["age"], drugs]), "table"),
        comparison.figure(compare(data, [AskedShare(words, drugs, 1), AskedShare(words, theft, 1)]), "compared"),
        *versions.figures(waves, "en"),
    ]


def test_every_picture_of_a_report_says_what_its_table_says() -> None:
    """Answers alone, all on one scale, weighted, in a table, compared and by version, where nobody did it."""
    first = publish(draft(override_by="Tests", override_reason="two blocks", direct=False))
    nobody_did(first, 1)
    write(first.survey, closing={"en": "Thank you again", "zh-hans": "再次感谢"})
    second = publish(first.survey, "Tests", "two blocks")
    nobody_did(second, 2)
    Survey.objects.filter(pk=first.survey.pk).update(closed_at=timezone.now())

    figures = drawn_of([read_data(version.snapshots.get()) for version in (first, second)])

    assert {one.name for one in figures if "about" in one.svg} >= {
        *("drugs-1", "overview", "weighted-drugs", "table", "compared", "drugs")
    }
    for one in figures:
        cells = {cell for row in one.table.rows for cell in row}
        assert set(figures_of_picture(one.svg)) <= cells, one.name


def test_a_picture_of_shares_says_that_one_was_moved() -> None:
    """To “about 100 %”, as the row does, and not to 100.0 %, which somebody could have counted."""
    raw = [Share(1.02, 0.05, 0.92, 1.12), Share(-0.02, 0.05, -0.12, 0.08)]
    shown = Shares("drugs", 300, tuple(map(ShareRow, ("No", "Yes"), fit_options(raw, lambda: np.eye(2)))))

    assert figures_of_picture(shown.svg("Drugs?")) == [row[1] for row in shown.table().rows]
    assert figures_of_picture(shown.svg("Drugs?")) == ["about 100 %", "about 0 %"]


def test_all_words_below_a_picture_stand_inside_of_it() -> None:
    """The hash that cites the figures has no space: it goes on in the next line, and is whole."""
    shown, cited = Shares("drugs", 300, (ShareRow("Yes", Share(0.2, 0.05, 0.1, 0.3)),)), "0123456789abcdef" * 4
    figure = Figure("drugs", "Drugs?", "Lines are 95 % intervals.", shown.svg("Drugs?"), shown.table())

    words = re.findall(r'<text x="16"[^>]* font-size="12"[^>]*>([^<]+)</text>', document(figure, f"Snapshot {cited}."))
    assert "".join(words[2:]) == f"{cited}."
    assert max(map(text_width, words)) * 12 / 13 <= 440


def test_a_map_says_of_a_cell_what_the_table_says() -> None:
    """A raw share below 0 is about 0 % where a pointer rests on the cell, too."""
    edges = {"x": (0.0, 1.0, 2.0), "y": (0.0, 1.0)}
    shown = PlaceMap("home", 300, map_=Map(2, 1, ()), edges=edges, shares=((-0.02, 0.4),), errors=((0.05, 0.05),))

    said = re.findall(r"<title>[^<]*: ([^<]*)</title>", shown.svg("Where?"))
    assert said == ["about 0 %", "40.0 %"] == [row[1] for row in shown.table().rows]
