"""What goes together: the sure pairs of answers in sentences, and all pairs that were looked at as a table."""

from collections.abc import Sequence
from hashlib import sha256
from math import isfinite
from typing import Any

import numpy as np
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import mark_safe
from django.utils.translation import get_language, gettext as _, ngettext

from privacy.design.channels import Literal
from privacy.design.patterns import Pattern
from privacy.output import format_count, tenths
from privacy.reconstruct.discoveries import MOST_LOOKED_AT
from privacy.reconstruct.pairs import MOST_SAID, Pair, Pairs, PairShare, SaidPair, answers_in_pairs, look_at_pairs
from surveys.displays import Table
from surveys.domain.questionnaire.expected import pair_items
from surveys.domain.questionnaire.forecast import judge_pairs_of_version
from surveys.percent import Share, interval, percent
from surveys.questions.rows import SKIP
from surveys.results.figures import Figure, caption, describe_disguise, keep_together
from surveys.results.following import known_literals, say_of_all
from surveys.results.reading import ReportData
from surveys.results.scale import OnScale
from surveys.results.sections import SECTIONS, LinkReview, ReportPart
from surveys.results.words import VersionWords, words_of
from surveys.sentences import join_sentences

MOST_LISTED = 100
TEMPLATE = "surveys/results/together.html"


def pairs_of(data: ReportData) -> Pairs:
    """All pairs of disguised answers: who mines the files has the same, and the same figures and verdicts."""
    if "pairs" not in data.memory:
        data.memory["pairs"] = look_at_pairs(data.for_patterns, answers_in_pairs(data.sealed.design), data.least)
    pairs: Pairs = data.memory["pairs"]
    return pairs


def pairs_to_list(data: ReportData) -> list[Pair]:
    """The pairs that pages list, the surest first: no question that a feature adds, such as one that is never true."""
    own = {literal.removeprefix("!").partition("=")[0] for literal in known_literals(data.version.parsed)}
    items = data.sealed.design.items
    return [pair for pair in pairs_of(data).tested if own.isdisjoint(items[column].id for column, _ in pair.answers)]


def _sure(data: ReportData) -> list[Pair]:
    return [pair for pair in pairs_to_list(data) if pair.is_sure]


def has_pairs(data: ReportData) -> bool:
    return sum(item.has_options for item in data.sealed.design.items) > 1


def parts(data: ReportData) -> list[ReportPart]:
    """The part with the sure pairs; none where fewer than two disguised questions have answers to name."""
    if not has_pairs(data):
        return []
    reviews = _reviews(data)
    return [_part(data, reviews, marked=any(review.is_rejection for review in reviews.values()))]


def find(data: ReportData, key: str) -> ReportPart | None:
    """The part with the sure pairs, those that a reviewer rejected last or left out, or with the table of all."""
    if key in ("together", "together-all"):
        return _part(data, _reviews(data), marked=key == "together-all")
    if key != "pairs":
        return None

    def context() -> dict[str, object]:
        drawn = [_table(data)] if pairs_to_list(data) else []
        return {"figures": drawn, "loose": drawn}

    return ReportPart(key, _("All pairs, with their ranges"), "", context)


def _part(data: ReportData, reviews: dict[frozenset[str], LinkReview], *, marked: bool) -> ReportPart:
    """The part with the sure pairs and what reviewers said of them; the rejected ones are marked or left out."""
    key, without = ("together-all", "together") if marked else ("together", "")
    return ReportPart(key, _("What goes together"), TEMPLATE, lambda: _context(data, reviews, marked), without=without)


def count_sure(data: ReportData) -> int:
    """How many pairs are sure, but for those that a reviewer rejected last."""
    rejected = {link for link, review in _reviews(data).items() if review.is_rejection}
    return sum(_link(data, pair) not in rejected for pair in _sure(data))


def _reviews(data: ReportData) -> dict[frozenset[str], LinkReview]:
    return {link: review for section in SECTIONS for link, review in section.reviews(data).items()}


def every_sure_pair(data: ReportData) -> dict[str, Any]:
    """For those who review them: all sure pairs and what was said of them, the rejected ones last."""
    return _context(data, _reviews(data), True, most=len(pairs_to_list(data)))


def _context(
    data: ReportData, reviews: dict[frozenset[str], LinkReview], marked: bool, most: int | None = None
) -> dict[str, Any]:
    most = MOST_SAID if most is None else most
    every = _sure(data)
    rejected = [pair for pair in every if (review := reviews.get(_link(data, pair))) and review.is_rejection]
    sure = [pair for pair in every if pair not in rejected] + (rejected if marked else [])
    words = words_of(data.version, get_language() or "en") if sure else None
    return {
        "said": [_say(data, pair, words, reviews.get(_link(data, pair))) for pair in sure[:most]] if words else [],
        "all_said": 0 < len(sure) <= most,
        "sure": _count(len(sure), most),
        "left_out": 0 if marked else len(rejected),
        "looked": _describe_search(data, pairs_of(data)),
        "true": _true_links(data, every),
        "version": data.version,
        "pairs": pairs_to_list(data),
        "figures": [],
    }


def _count(sure: int, most: int) -> str:
    if not sure:
        return ""
    said = ngettext("%(n)s pair is sure.", "%(n)s pairs are sure.", sure) % {"n": sure}
    return said if sure <= most else join_sentences([said, _("These are the surest.")])


def _describe_search(data: ReportData, pairs: Pairs) -> list[str]:
    """How many pairs were looked at, and what the verdict says of links with so many people."""
    listed = pairs_to_list(data)
    if pairs.too_many:
        said = _("There are %(n)s pairs of answers; this page looks at up to %(most)s. A search looks at all of them.")
        return [said % {"n": format_count(pairs.too_many), "most": MOST_LOOKED_AT}]
    aim = judge_pairs_of_version(data.version, max(data.everybody.number, 1))
    links = [one.as_text(_) for one in (*aim.said, *aim.means)] if aim else []
    if not listed:
        said = _(
            "No pair could be looked at: it takes %(least)s people who were asked both questions, and a disguise "
            "that tells how their answers go together."
        )
        return [said % {"least": data.least}, *links]
    count = len(pairs.tested)
    looked = ngettext("We looked at %(n)s pair of answers.", "We looked at %(n)s pairs of answers.", count)
    blocks = data.sealed.design.blocks
    # Then nothing tells how “prefer not to say” goes together with other answers.
    leaves_skips_out = any(block.items[place].options[code] == SKIP for block in blocks for place, code in block.alone)
    of_both = [_("They are of people who answered both questions.")] if leaves_skips_out else []
    return [looked % {"n": format_count(count)}, *of_both, *say_of_all(data.version.parsed), *links]


def _link(data: ReportData, pair: Pair) -> frozenset[str]:
    return frozenset(_literal(data, answer) for answer in pair.answers)


def _say(data: ReportData, pair: Pair, words: VersionWords, review: LinkReview | None) -> dict[str, Any]:
    """A sure pair as people read it."""
    as_said = pairs_of(data).say(pair)
    given, said = (_literal(data, one) for one in (as_said.given, as_said.said))
    truths = _true_shares(data, as_said) or (None, None)
    those, others = (
        OnScale(share.value, share.low, share.high, truth)
        for share, truth in zip((as_said.those, as_said.others), truths, strict=True)
    )
    short = f"{given} ⇒ {said}"
    beside = {"given": words.brief(given), "short": short, "anchor": anchor_of(short), "review": review}
    return say_link(words, [given], [said], those, others, sure=True) | beside


def anchor_of(short: str) -> str:
    """The name of the place of a link on its page, by its short names."""
    return sha256(short.encode()).hexdigest()[:12]


def say_link(
    words: VersionWords, given: Sequence[str], said: Sequence[str], those: OnScale, others: OnScale, *, sure: bool
) -> dict[str, Any]:
    """A link as people read it everywhere: how common some answers are in two groups, with bars and a simulated truth.

    Where the group of those may not differ from the others, no share leads the sentence, and none is drawn. Nor is one
    where luck is not allowed for. Results of before do not know the others of longer rules.
    """
    values = {
        "given": format_html("<b>{}</b>", words.join(given)),
        "said": words.join(said),
        "those": those.best_guess,
        "range": those.range,
        "others": others.best_guess,
        "others_range": others.range,
    }
    bars: tuple[tuple[str, OnScale], ...] = ((words.join_briefly(given), those), (_("All others"), others))
    true = _("In truth %(those)s and %(others)s.") % {"those": those.true, "others": others.true} if those.true else ""
    if sure and those.low <= others.share <= those.high:
        sentence = _("“%(first)s” and “%(second)s” go together surely; how strongly, this survey hardly tells.")
        values |= {"first": words.join_briefly(given), "second": words.join_briefly(said)}
        bars = ()
    elif not isfinite(those.share):
        sentence = _(
            "Of those who %(given)s, %(range)s %% also %(said)s. This interval does not allow for luck, so there is "
            "no best guess."
        )
        bars = bars[:1]
    elif isfinite(others.share):
        sentence = _(
            "Of those who %(given)s, %(those)s (%(range)s) also %(said)s. Of the others, %(others)s (%(others_range)s)."
        )
    else:
        sentence, bars = _("Of those who %(given)s, %(those)s (%(range)s) also %(said)s."), bars[:1]
    escaped = {name: conditional_escape(value) for name, value in values.items()}
    return {"sentence": mark_safe(keep_together(sentence % escaped)), "true": true, "bars": bars}


def _literal(data: ReportData, answer: Literal) -> str:
    return Pattern((answer,)).text(data.sealed.design)


def _true_shares(data: ReportData, pair: SaidPair) -> tuple[float, float] | None:
    """The shares among simulated people in both groups; None where people are real."""
    if data.simulation is None:
        return None
    codes = data.simulation[0]
    given, said = (np.isin(codes[:, column], sorted(options)) for column, options in (pair.given, pair.said))
    return float(said[given].mean()) if given.any() else 0.0, float(said[~given].mean()) if not given.all() else 0.0


def _true_links(data: ReportData, sure: list[Pair]) -> str:
    """How many links of a rehearsal are true, and how many of them are found; "" where people are real."""
    if data.version.survey.rehearses_id is None or data.simulation is None:
        return ""
    true = {*pair_items(data.sealed.design)}
    found = {tuple(sorted(column for column, _options in pair.answers)) for pair in sure}
    said = ngettext(
        "In this simulation %(all)s link is true. The report finds %(found)s of them, and %(false)s that are not true. "
        "Another rehearsal may find more or fewer.",
        "In this simulation %(all)s links are true. The report finds %(found)s of them, and %(false)s that are not "
        "true. Another rehearsal may find more or fewer.",
        len(true),
    )
    return said % {"all": len(true), "found": len(found & true), "false": len(found - true)}


def _table(data: ReportData) -> Figure:
    """All pairs as a table, up to `MOST_LISTED`, the surest first."""
    pairs, words = pairs_of(data), words_of(data.version, get_language() or "en")
    head = (
        _("those who"),
        _("also"),
        *(_("share among them"), _("interval"), _("raw share")),
        *(_("share among all others"), _("interval"), _("raw share")),
        _("people"),
        _("sure"),
    )
    shown = pairs_to_list(data)
    listed = [(pair, pairs.say(pair)) for pair in shown[:MOST_LISTED]]
    rows = [
        (
            words.brief(_literal(data, said.given)),
            words.brief(_literal(data, said.said)),
            *_cells(said.those),
            *_cells(said.others),
            str(data.people(pair.n)),
            _("yes") if pair.is_sure else _("no"),
        )
        for pair, said in listed
    ]
    design = data.sealed.design
    items = list(dict.fromkeys(design.items[column].id for pair in shown for column, _options in pair.answers))
    n = data.people(len(data.for_patterns))
    drawn = data.source(data.for_patterns is data.sealed)
    disguise = describe_disguise(data.version, items)
    source = caption(disguise, n, drawn=drawn, lines=False)
    lines = join_sentences([*_explain(pairs, [said for _pair, said in listed]), source])
    return Figure("pairs", _("Pairs of answers"), lines, "", Table(head, tuple(rows), words=2), disguise=disguise)


def _explain(pairs: Pairs, listed: list[SaidPair]) -> list[str]:
    """What shares and intervals of the table are, and what is sure."""
    raw = [said.those.value == said.those.raw for said in listed]
    count = {"n": format_count(len(pairs.tested)), "level": tenths(100 * pairs.level)}
    said = []
    if not all(raw):
        said.append(
            _(
                "Shares and 95 %% intervals allow for luck: they are shrunk over all %(n)s pairs. A table of two "
                "questions that you choose has the raw share."
            )
            % count
        )
    if any(raw):
        said.append(
            _(
                "Where a raw share stands alone, its interval is of %(level)s %%, which allows for choosing the surest "
                "of %(n)s pairs."
            )
            % count
        )
    return [*said, _("Sure is a pair whose chance in the whole list is at most 1 in 20; the surest are first.")]


def _cells(share: PairShare) -> tuple[str, str, str]:
    printed, raw = Share(share.value, share.se, share.low, share.high), Share(share.raw, 0.0, 0.0, 1.0)
    return percent(printed), interval(printed), percent(raw)
