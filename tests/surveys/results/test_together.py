"""What goes together: sure pairs with their ranges, and of lists without any link 1 in 20 has a sure one by chance."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, override

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.estimate.sampling import Sampling
from privacy.reconstruct.pairs import Pairs, PairShare, look_at_pairs
from privacy.reconstruct.shares_and_rules import rules_of
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append
from surveys.models import Phrase, Survey
from surveys.percent import Share, percent
from surveys.results import sharing, together
from surveys.results.report import data_of, parts
from surveys.results.tables import cross_table, variables
from tests.cases import first
from tests.surveys.making import make_survey, set_block
from tests.surveys.results.making import survey_with_results
from tests.surveys.staff import somebody, visit

YES = frozenset([1])
COIN = {"model": "warner", "theta": 0.75}
WEAK = {"model": "warner", "theta": 0.95}
LIST = {"model": "one-of", "gamma": 39, "cap": 4, "longest": 2}


def people(
    model: dict[str, object], n: int, items: int, seed: int, share: float, link: float = 0.0
) -> tuple[Records, np.ndarray]:
    """Records of people with independent answers; with a `link` the second answer follows the first, and so on."""
    design, chance = (
        Design.parse({**model, "items": [f"q{place}" for place in range(items)]}),
        np.random.default_rng(seed),
    )
    truth = (chance.random((n, items)) < share).astype(np.uint8)
    if link:
        for place in range(0, items - 1, 2):
            truth[:, place + 1] = chance.random(n) < np.where(truth[:, place] == 1, link, share / 2)
    return disguise(design, truth, np.zeros(n, bool), words_from_seed(seed + 1)), truth


def look(records: Records, least: int = 20) -> Pairs:
    return look_at_pairs(records, [(column, YES) for column in range(len(records.design.items))], least)


def lists_with_false_pairs(model: dict[str, object], n: int, items: int, surveys: int, share: float) -> int:
    return sum(bool(look(people(model, n, items, seed, share)[0]).sure) for seed in range(surveys))


@pytest.mark.parametrize(
    ("model", "n", "items", "surveys"),
    first(1, [(WEAK, 100, 4, 12), (WEAK, 100, 4, 200), (COIN, 100, 6, 200), (COIN, 800, 6, 200), (LIST, 800, 6, 200)]),
)
def test_few_lists_of_unrelated_answers_have_a_sure_pair(
    model: dict[str, object], n: int, items: int, surveys: int
) -> None:
    """Of surveys with some rare answers each: at most 5 %, and 4.5 standard errors."""
    most = 0.05 * surveys + 4.5 * (surveys * 0.05 * 0.95) ** 0.5
    assert lists_with_false_pairs(model, n, items, surveys, 0.05) <= most


@pytest.mark.long
@pytest.mark.parametrize("model", [COIN, LIST])
def test_ranges_of_sure_pairs_hold_the_truth_though_they_were_chosen(model: dict[str, object]) -> None:
    """Of both shares of all sure pairs in 30 surveys of 3 000 people, 95 in 100 and 4.5 standard errors.

    A pair that is found by luck looks stronger than it is: at the usual level fewer would.
    """
    held = []
    for seed in range(30):
        records, truth = people(model, 3000, 6, seed, 0.15, link=0.7)
        pairs = look(records)
        for pair in map(pairs.say, pairs.sure):
            given, said = (truth[:, column] == 1 for column, _options in (pair.given, pair.said))
            for share, among in ((pair.those, given), (pair.others, ~given)):
                held.append(share.low <= said[among].mean() <= share.high)
    assert len(held) > 60
    assert np.mean(held) >= 0.95 - 4.5 * (0.05 * 0.95 / len(held)) ** 0.5


def test_a_strong_link_is_found_and_said_from_the_side_of_the_rarer_answer() -> None:
    """Half of the 10 % who did one thing did the other, of the others 5 %: with 20 000 people both shares are near."""
    records, truth = people(COIN, 20_000, 4, 3, 0.1, link=0.8)
    pairs = look(records)
    said = [pairs.say(pair) for pair in pairs.sure]
    assert {(pair.given[0], pair.said[0]) for pair in said} == {(0, 1), (2, 3)}
    for pair in said:
        given = truth[:, pair.given[0]] == 1
        assert pair.those.low < truth[given, pair.said[0]].mean() < pair.those.high
        assert pair.others.low < truth[~given, pair.said[0]].mean() < pair.others.high


def test_pairs_that_too_few_were_asked_are_not_looked_at() -> None:
    """Each person was asked 2 of 6 by lot: a fifteenth of 600 are too few for 100, and enough for 20."""
    design = Design.parse(
        {"blocks": [{"keep": 0.5, "ask": 2, "items": [{"id": one, "theta": 0.5} for one in "abcdef"]}]}
    )
    truth = np.random.default_rng(1).integers(0, 2, (600, 6)).astype(np.uint8)
    records = disguise(design, truth, np.zeros(600, bool), words_from_seed(1))
    assert (len(look(records, 100).tested), len(look(records, 20).tested)) == (0, 15)


def test_more_pairs_than_a_page_can_look_at_are_left_to_mining() -> None:
    """26 answers have 325 pairs."""
    records, _truth = people(COIN, 50, 26, 1, 0.1)
    assert look(records) == Pairs((), too_many=325)


def test_the_report_says_sure_pairs_and_how_many_were_looked_at(admin_client: Client) -> None:
    """In sentences with both shares and ranges, on the page and behind a link; all pairs are one press away."""
    version = survey_with_results(3000, direct_share=0.0)
    _shared, token = sharing.share(version, "Colleague", ["together"], 30, somebody())
    page = reverse("studio:results", args=[version.pk])
    data = data_of(version)
    pairs = together.pairs_of(data)
    said = r"Of those who <b>[^<]*?</b>, \d+\s% \(\d+–\d+\) also [^<]*?\. Of the others, \d+\s% \(\d+–\d+\)\."
    for address in (page, f"/r/{token}/"):
        text = admin_client.get(address).content.decode()
        assert len(re.findall(said, text)) == len(pairs.sure) == 3
        assert "We looked at 12 pairs of answers." in text
        assert ("pairs/" in text) == (address == page)
    table = admin_client.get(reverse("studio:results-pairs", args=[version.pk])).content.decode()
    assert table.count("<tr>") == 1 + len(pairs.tested)
    assert together.pairs_of(data) is pairs  # the page looks once


@pytest.mark.parametrize("most", [2, 3])
def test_a_report_that_leaves_sure_pairs_out_says_of_no_other_that_it_is_not(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Of three sure pairs a page that says two does not go on with “no other pair is sure”."""
    monkeypatch.setattr(together, "MOST_SAID", most)
    version = survey_with_results(3000, direct_share=0.0)
    text = admin_client.get(reverse("studio:results", args=[version.pk])).content.decode()

    assert "3 pairs are sure." in text
    assert ("These are the surest." in text, "No other pair is sure." in text) == (most == 2, most == 3)
    assert "No pair is sure." not in text


@pytest.mark.parametrize("names", [("q1",), ("q1", "q2")])
def test_a_report_speaks_of_what_goes_together_where_it_has_such_a_part(names: tuple[str, ...]) -> None:
    """Of one question nothing goes together, so the sentence that warns of it is left out."""
    version = publish(make_survey(names=names, direct=False, least=20))
    records = disguise(version.design, np.zeros((40, len(names)), np.uint8), np.zeros(40, bool), words_from_seed(1))
    append(version, pack(records), [b""] * 40)
    Survey.objects.update(closed_at=timezone.now())
    shown = {part.key: part.context() for part in parts(data_of(version), lambda _action: True)}

    assert ("together" in shown) == (len(names) > 1)
    assert [one.startswith("“Goes together”") for one in shown["cannot"]["said"]][3:] == [False, True][: len(names)]


def test_a_chinese_sentence_on_a_pair_puts_nothing_before_the_words_of_researchers() -> None:
    """These may begin with the preposition themselves, as “in shops” does."""
    values = {"given": "在商店偷过东西", "said": "说过谎", "those": "40 %", "range": "25–55"}
    with override("zh-hans"):
        sentence = gettext(
            "Of those who %(given)s, %(those)s (%(range)s) also %(said)s. Of the others, %(others)s (%(others_range)s)."
        ) % {**values, "others": "9 %", "others_range": "4–14"}

    assert sentence == "在商店偷过东西的人中，40 %（25–55）也说过谎；其他人中是 9 %（4–14）。"


def test_pairs_are_looked_at_of_yes_and_not_of_no() -> None:
    """In whichever order a question has its answers, and whether people may prefer not to say or not."""
    noises = {3: [0.4, 0.3, 0.3], 2: [0.5, 0.5]}
    options = {
        "a": ["1", "0", "secret"],
        "b": ["0", "1"],
        "c": ["x", "y"],
        "d": ["x", "secret", "y"],
        "e": ["x", "y", "z"],
    }
    items = [{"id": name, "options": own, "noise": noises[len(own)]} for name, own in options.items()]
    design = Design.parse({"blocks": [{"keep": 0.6, "items": items}]})
    seen = [(design.items[column].id, *codes) for column, codes in together.answers_in_pairs(design)]
    assert seen == [("a", 0), ("b", 1), ("c", 1), ("d", 2), ("e", 0), ("e", 1), ("e", 2)]


def test_a_pair_is_about_the_people_of_its_table() -> None:
    """Its raw shares are those of the table of both questions, which nobody picked for what they show."""
    data = data_of(survey_with_results(3000))
    known = {one.axis.name: one for one in variables(data, "en")}
    names = [item.id for item in data.sealed.design.items]
    pairs = together.pairs_of(data)
    for pair in map(pairs.say, pairs.sure):
        given, said = (known[names[column]] for column, _options in (pair.given, pair.said))
        lines = {(line.group, line.answer): line.share for line in cross_table(data, [said, given]).lines}
        for share, group in ((pair.those, "Yes"), (pair.others, "No")):
            line = lines[(group,), "Yes"]
            assert line is not None
            assert share.raw == pytest.approx(line.value)


def test_all_pairs_stand_by_their_own_p_and_have_the_raw_share_beside() -> None:
    """Holm's p is 1 of most pairs, in the order of questions; the raw share is that before selection."""
    data = data_of(survey_with_results(3000))
    pairs = together.pairs_of(data)
    part = together.find(data, "pairs")
    assert part is not None
    (figure,) = part.context()["figures"]

    assert [pair.p for pair in pairs.tested] == sorted(pair.p for pair in pairs.tested)
    said = [pairs.say(pair) for pair in pairs.tested]
    assert [row[4] for row in figure.table.rows] == [percent(Share(one.those.raw, 0, 0, 1)) for one in said]
    assert [row[2] for row in figure.table.rows] == [percent(Share(one.those.value, 0, 0, 1)) for one in said]
    assert [row[-1] for row in figure.table.rows] == ["yes" if pair.is_sure else "no" for pair in pairs.tested]


def test_a_sure_pair_whose_range_holds_the_others_has_no_leading_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the report; its group is neither said to be large nor drawn."""
    version = survey_with_results(3000)
    data = data_of(version)
    pairs = together.pairs_of(data)
    unsure = replace(pairs.say(pairs.sure[0]), others=PairShare(0.02, 0.01, 0, 0.5, 0.02))
    vague = replace(unsure, those=PairShare(1.0, 0.5, -0.1, 1.2, 1.1))
    (part,) = together.parts(data)
    said = []
    for figures in (vague, unsure):
        monkeypatch.setattr(Pairs, "say", lambda _pairs, _pair, figures=figures: figures)
        said.append(part.context()["said"][0])

    hardly = r"“.+” and “.+” go together surely; how strongly, this survey hardly tells\."
    assert [bool(re.fullmatch(hardly, one["sentence"])) for one in said] == [True, False]
    assert [len(one["bars"]) for one in said] == [0, 2]


@pytest.mark.parametrize("model", [COIN, LIST, {"blocks": [{"keep": 0.5, "ask": 3, "items": []}]}])
def test_pairs_have_the_raw_figures_of_rules(model: dict[str, Any]) -> None:
    """From records of which equal ones are one row: estimate, error and interval of every record by itself."""
    if "blocks" in model:
        items = [{"id": f"q{place}", "theta": 0.5} for place in range(4)]
        design = Design.parse({"direct": True, "blocks": [{**model["blocks"][0], "items": items}]})
    else:
        design = Design.parse({**model, "direct": True, "items": [f"q{place}" for place in range(4)]})
    chance = np.random.default_rng(1)
    truth = (chance.random((2000, 4)) < 0.3).astype(np.uint8)
    truth[:, 1] = np.where(chance.random(2000) < 0.6, truth[:, 0], truth[:, 1])
    records = disguise(design, truth, chance.random(2000) < 0.2, words_from_seed(1))
    pairs = look(records)
    rule = rules_of(records, Sampling.simple(2000))

    for pair in pairs.tested:
        said = pairs.say(pair)
        text = " => ".join(design.items[column].id for column in (said.given[0], said.said[0]))
        figure = rule(text, "confidence").simple_estimate(pairs.level)
        assert said.those.raw == pytest.approx(figure.estimate)
        if said.those.raw == said.those.value:
            assert (said.those.se, said.those.low, said.those.high) == pytest.approx((figure.se, *figure.ci))
    assert {said.those.raw == said.those.value for said in map(pairs.say, pairs.tested)} == {model is LIST}


def test_the_table_of_all_pairs_says_of_each_how_many_were_asked_both() -> None:
    """Each device asks 2 of 3: of 60 people about 20 were asked both questions of a pair, and no pair is of 60."""
    survey = make_survey("lot", direct=False, override_by="Tests", override_reason="few people")
    set_block(survey, settings={"keep": 0.6, "theta": 0.5, "ask": 2})
    version = publish(survey)
    truth = np.random.default_rng(1).integers(0, 2, (60, 3)).astype(np.uint8)
    records = disguise(version.design, truth, np.zeros(60, bool), words_from_seed(1))
    append(version, pack(records), [b""] * 60)
    Survey.objects.update(closed_at=timezone.now())
    part = together.find(data_of(version), "pairs")
    assert part is not None
    (figure,) = part.context()["figures"]
    asked = records.codes != version.design.not_asked
    both = [int((asked[:, one] & asked[:, other]).sum()) for one, other in ((0, 1), (0, 2), (1, 2))]

    assert sorted(int(row[-2]) for row in figure.table.rows) == sorted(n for n in both if n >= 20)
    assert len(figure.table.rows) > 0


def test_a_row_of_pairs_has_its_headings_where_a_phone_shows_it_as_a_card() -> None:
    """In the words of the report; a phone hides the row of headings."""
    version = survey_with_results()
    Phrase.objects.create(survey=version.survey, item="drugs", value="1", words={"en": "used drugs"})
    page = visit(somebody("view"), reverse("studio:results-pairs", args=[version.pk])).render().content.decode()
    heads = re.findall(r'<th scope="col"[^>]*>([^<]+)</th>', page)
    row = page.partition("<tbody>")[2].partition("</tr>")[0]
    assert re.findall(r'data-what="([^"]+)"', row) == heads[1:]
    assert "used drugs" in page
    assert 'class="table as-cards"' in page
