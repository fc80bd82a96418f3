"""What a reader must know before believing findings: kept as codes with figures, said in sentences.

These rooms know no Django: the sentences are English, and the page that shows them brings the translation.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np

from mining.engines.columns import Columns
from mining.engines.lattice import MOST_JOINT, Lattice
from mining.engines.mine import MinedLattice
from mining.engines.request import MiningRequest
from mining.engines.table_counter import TableCounter
from privacy.estimate.weights import DIRECT
from privacy.output import ENGLISH, Language, format_count, two_digits
from privacy.plan.connections import BEYOND_CHANCE, connections, expects_none, roughly
from privacy.reconstruct.group_difference import LEVEL, GroupComparison
from privacy.reconstruct.likeliest import say_contradictions

CodedWarning = dict[str, Any]
NO_RULES = "no rules"
RAREST = 0.05  # noise makes answers look rarer than they are


def warnings(
    mined: MinedLattice, columns: Columns, groups: GroupComparison, request: MiningRequest
) -> list[CodedWarning]:
    """The warnings about these findings, each with its code and figures."""
    disguised, direct = (int(size) for size in mined.lattice.sizes)
    support, se = columns.itemsets["support"], columns.itemsets["se"]
    made: list[CodedWarning] = []
    if expectation := _expectation(mined, columns, request):
        made.append(expectation)
    if mined.lattice.left_out:
        made.append({"code": "left out", "count": mined.lattice.left_out, "least": request.least})
    if alike := int(np.isnan(se).sum()):
        made.append({"code": "no error", "count": alike})
    outside = (columns.itemsets["low"] > 1) | (columns.itemsets["high"] < 0)
    if outside.any():
        made.append({"code": "contradicted", "count": int(outside.sum())})
    weak = ~(support >= 2 * se)  # an error that is not known is no small one
    if weak.any():
        with np.errstate(divide="ignore"):
            needed = (2 * se[weak] / support[weak]) ** 2 * (direct + disguised)
        needed = needed[np.isfinite(needed)]
        entry = {"code": "weak", "count": int(weak.sum()), "of": len(support)}
        made.append(entry | ({"needed": int(needed.max())} if len(needed) else {}))
    infeasible = int(columns.itemsets["infeasible"].sum())
    apart = int((columns.rules["infeasible"] & ~columns.itemsets["infeasible"][columns.itemset]).sum())
    if infeasible + apart:
        made.append({"code": "infeasible", "count": infeasible + apart})
    raw = np.isnan(columns.rules["shrunken confidence"])
    if raw.any():
        why = _why_raw(mined.lattice, all_raw=bool(raw.all()))
        made.append({"code": "raw", "why": why, "count": int(raw.sum()), "most": MOST_JOINT})
    if direct and disguised and not groups.answers and mined.lattice.drawn is None:
        made.append({"code": "groups few", "least": request.least})
    if groups.alike is False:
        differing = [answer.answer for answer in groups.answers if answer.corrected < LEVEL]
        made.append({"code": "groups", "items": differing, "estimator": request.estimator})
    if mined.lattice.too_few:
        made.append({"code": "few", "count": mined.lattice.too_few, "least": request.least})
    if mined.lattice.unasked:
        made.append({"code": "unasked", "count": mined.lattice.unasked})
    if mined.lattice.unidentified:
        made.append({"code": "unidentified", "count": mined.lattice.unidentified})
    biases = np.concatenate([level.supports.bias[level.accepted] for level in mined.lattice.levels])
    if np.isfinite(biases).any():
        lists = (block.patterns.word_list for block in mined.literals.bins.design.blocks)
        corrected = any(one is not None and one.corrects for one in lists)
        entry = {"code": "biased", "off": float(np.nanmax(biases))}
        made.append(entry | ({"corrected elsewhere": True} if corrected else {}))
    return made


def sentences(warnings: Sequence[CodedWarning], n: int, language: Language = ENGLISH) -> list[str]:
    """The warnings of a summary about `n` respondents; the one that no rules can be expected comes first.

    >>> (sentence,) = sentences([{"code": "few", "count": 3, "least": 30}], 1000)
    >>> sentence.startswith("3 itemsets are left out")
    True
    """
    ordered = sorted(warnings, key=lambda warning: warning["code"] != NO_RULES)
    return [_SENTENCES[warning["code"]](warning, n, language) for warning in ordered]


def not_listed(rules: Mapping[str, np.ndarray], language: Language = ENGLISH, *, redundant: bool = False) -> str:
    """Say how many of the rules found a list leaves out, and why; "" where it leaves out none.

    `redundant`: whether the list has redundant rules, too.

    >>> not_listed({"redundant": np.array([False, True, False]), "listed": np.array([True, False, True])})[:52]
    '3 rules were found. 1 is not listed, because it is r'
    """
    hidden = rules["redundant"].astype(bool) & (not redundant)
    unknown = ~hidden & ~rules["listed"]
    if not (hidden | unknown).any():
        return ""
    why = ((_found_sentence, hidden | True), (_redundant_sentence, hidden), (_not_listed_sentence, unknown))
    said = [sentence({"count": int(own.sum())}, 0, language) for sentence, own in why if own.any()]
    return (language.gettext("%(sentence)s %(next)s") % {"sentence": "", "next": ""}).join(said)


def _expectation(mined: MinedLattice, columns: Columns, request: MiningRequest) -> CodedWarning | None:
    """Warn if no rule is beyond chance and so few respondents could not show a medium one."""
    n, drawn = int(mined.lattice.sizes.sum()), mined.lattice.drawn
    if drawn is not None and drawn.bins:
        return None  # how likely rules with bins are to be found is not worked out
    if n == 0 or (columns.rules["q"] <= BEYOND_CHANCE).any():
        return None
    possible = connections(
        mined.literals.design,
        n,
        shares=_shares(mined),
        direct_share=float(mined.lattice.sizes[DIRECT]) / n,
        longest=request.max_length,
        least=request.least,
        negated=request.negated,
    )
    if not expects_none(possible):
        return None
    best = max(possible, key=lambda one: one.chance)
    return {"code": NO_RULES, "chance": best.chance, "needed": best.needed}


def _shares(mined: MinedLattice) -> dict[str, tuple[float, float]]:
    """The shares of yes answers, where single answers were kept; impossible shares are moved into 0 to 1."""
    literals, level = mined.literals, mined.lattice.levels[0]
    shares = {}
    for place, support in zip(level.items[:, 0].tolist(), level.supports.support.tolist(), strict=True):
        item = literals.design.items[literals.column[place]]
        if item.boolean and literals.positive[place]:
            yes = min(max(support, RAREST), 1 - RAREST)
            shares[item.id] = (1 - yes, yes)
    return shares


def _figures_as_text(warning: CodedWarning, *names: str) -> dict[str, str]:
    return {name: format_count(warning[name]) for name in names}


def of_count(one: str, several: str, *names: str) -> Callable[[CodedWarning, int, Language], str]:
    """Return a function that writes a warning whose only figure is a count (and `names`)."""

    def sentence(warning: CodedWarning, _n: int, language: Language) -> str:
        return language.ngettext(one, several, warning["count"]) % _figures_as_text(warning, "count", *names)

    return sentence


def of_text(text: str, *names: str) -> Callable[[CodedWarning, int, Language], str]:
    """As `of_count`, of a sentence that counts nothing."""
    return lambda warning, _n, language: language.gettext(text) % _figures_as_text(warning, *names)


_found_sentence = of_count("%(count)s rule was found.", "%(count)s rules were found.")
_redundant_sentence = of_count(
    "%(count)s is not listed, because it is redundant: a rule with fewer conditions is as strong.",
    "%(count)s are not listed, because they are redundant: a rule with fewer conditions is as strong.",
)
_not_listed_sentence = of_count(
    "%(count)s further rule is not listed, because the records do not bound its confidence: it may be any share. Files "
    "keep it, marked.",
    "%(count)s further rules are not listed, because the records do not bound their confidence: it may be any share. "
    "Files keep them, marked.",
)


def _weak_sentence(warning: CodedWarning, n: int, language: Language) -> str:
    sentence = language.gettext(
        "There are too few respondents for these parameters: %(count)s of %(of)s itemsets have a support below two "
        "standard errors."
    ) % _figures_as_text(warning, "count", "of")
    if "needed" not in warning:
        return sentence
    figures = {"needed": format_count(roughly(warning["needed"])), "n": format_count(n)}
    needed = language.gettext("About %(needed)s respondents are needed; there are %(n)s.") % figures
    return _after_one_another([sentence, needed], language)


def _no_rules_sentence(warning: CodedWarning, n: int, language: Language) -> str:
    said = language.gettext(
        "Expect no rules: with %(n)s respondents a rule of medium strength is found in %(chance)s %% of surveys "
        "like this."
    ) % {"n": format_count(n), "chance": two_digits(100 * warning["chance"])}
    if warning["needed"] is None:
        return said
    figures = {"needed": format_count(roughly(warning["needed"]))}
    needed = language.gettext("About %(needed)s respondents would be needed.") % figures
    return _after_one_another([said, needed], language)


def _after_one_another(sentences: Sequence[str], language: Language) -> str:
    pair = language.gettext("%(sentence)s %(next)s")  # Chinese has no space between them
    return reduce(lambda said, sentence: pair % {"sentence": said, "next": sentence}, sentences)


def _groups_sentence(warning: CodedWarning, _n: int, language: Language) -> str:
    sentence = language.gettext("Direct and disguised respondents answer differently on: %(items)s.") % {
        "items": ", ".join(warning["items"])
    }
    if warning["estimator"] == "stratified":
        trust = language.gettext("The stratified estimator, used here, is right all the same.")
    else:
        trust = language.gettext("Trust the stratified estimator, not the one used here.")
    return _after_one_another([sentence, trust], language)


def _least_squares_sentence(warning: CodedWarning, _n: int, language: Language) -> str:
    """Of runs that are stored: such errors are computed no more."""
    return language.gettext(
        "By least squares the standard errors of itemsets of %(items)s items would be %(less)s %% smaller, but figures "
        "would not add up across itemsets, so they are not used here."
    ) % {"items": warning["items"], "less": f"{100 * (1 - warning['part']):.0f}"}


def _sentence_of_bias(warning: CodedWarning, _n: int, language: Language) -> str:
    said = language.gettext(
        "People to whom much applies send each of their words less often, so supports may lie further from the truth "
        "by up to %(off)s percentage points, chance included. The intervals allow for it; standard errors do not."
    ) % {"off": two_digits(100 * warning["off"])}
    if not warning.get("corrected elsewhere"):
        return said
    more = language.gettext(
        "The report of this version and “candor mine --top” give back what these people leave out, so that their "
        "figures are higher."
    )
    return f"{said} {more}"


def _why_raw(lattice: Lattice, *, all_raw: bool) -> str:
    """The code of the reason why rules have raw figures alone."""
    if isinstance(lattice.counter, TableCounter):
        return "tables"
    if any(level.accepted.any() for level in lattice.levels[max(lattice.shrinkable, 1) :]):
        return "many"
    return "drawn" if lattice.drawn is not None and all_raw else "unsure"


def _raw_sentence(warning: CodedWarning, _n: int, language: Language) -> str:
    if warning["why"] in ("drawn", "tables"):
        return language.gettext(
            "With counts of tables, bins, a list of words, ordered answers, few clusters, or weights of very many "
            "respondents, the figures of rules cannot allow for luck, so only their intervals are shown. The raw "
            "figures are beside them or in the files, and the highest are too high."
        )
    if warning["why"] == "many":
        return language.gettext(
            "More than %(most)s itemsets were counted, too many to allow for luck in the figures of all rules, so of "
            "longer ones only intervals are shown. Raise the support or lower the length. The raw figures are beside "
            "them or in the files; in simulated surveys these are too high by up to 11 percentage points on average."
        ) % _figures_as_text(warning, "most")
    return language.ngettext(
        "%(count)s rule has only an interval, without allowance for luck: the share of one of its items may be 0 or "
        "1, or its error is too large. Its raw figures are beside it or in the files, and may be far too high.",
        "%(count)s rules have only an interval, without allowance for luck: the share of one of their items may be "
        "0 or 1, or their error is too large. Their raw figures are beside it or in the files, and may be far too "
        "high.",
        warning["count"],
    ) % _figures_as_text(warning, "count")


def _visitors_sentence(warning: CodedWarning, n: int, language: Language) -> str:
    figures = _figures_as_text(warning, "known", "count")
    if not warning["shown"]:
        return (
            language.gettext(
                "Distances from the truth are left out: that of the %(known)s simulated respondents is known, but not "
                "that of the %(count)s visitors who also answered."
            )
            % figures
        )
    return language.gettext(
        "Distances are from the truth of the %(known)s simulated respondents. They may be off by up to %(off)s "
        "percentage points, because %(count)s visitors also answered and their truth is unknown."
    ) % {**figures, "off": two_digits(100 * warning["count"] / n)}


_SENTENCES: dict[str, Callable[[CodedWarning, int, Language], str]] = {
    NO_RULES: _no_rules_sentence,
    "no error": of_count(
        "%(count)s itemset has no standard error: all records of it say the same.",
        "%(count)s itemsets have no standard error: all records of each say the same.",
    ),
    "contradicted": of_count(
        "No share from 0 to 1 lies in the interval of %(count)s itemset. Unless that is chance, the records contradict "
        "the design.",
        "No share from 0 to 1 lies in the intervals of %(count)s itemsets. Unless that is chance, the records "
        "contradict the design.",
    ),
    "weak": _weak_sentence,
    # Of older runs rules are apart.
    "infeasible": lambda warning, _n, language: say_contradictions(
        warning["count"] + warning.get("rules", 0), language
    ),
    "groups": _groups_sentence,
    "groups few": of_text(
        "The direct or the disguised group is too small to compare: no question was asked of %(least)s people in each.",
        "least",
    ),
    "left out": of_count(
        "The direct answers of %(count)s respondent are left out, and all figures are about the others. Itemsets that "
        "fewer than %(least)s people answered directly would give true answers away.",
        "The direct answers of %(count)s respondents are left out, and all figures are about the others. Itemsets "
        "that fewer than %(least)s people answered directly would give true answers away.",
        "least",
    ),
    "collecting": of_text(
        "Direct answers are left out, and all figures are about the others. Mine again when the version is closed and "
        "its last response is sealed."
    ),
    "few direct": of_text(
        "Fewer than %(least)s people answered directly, or nobody did: all figures are about the others.", "least"
    ),
    "too few alike": of_count(
        "The direct answer of %(count)s respondent is left out, and all figures are about the others: too few people "
        "gave the same direct answers, so rules about them could reveal one person's answer. The report has the "
        "direct share of each answer.",
        "The direct answers of %(count)s respondents are left out, and all figures are about the others: too few "
        "people gave the same direct answers, so rules about them could reveal one person's answer. The report has "
        "the direct share of each answer.",
    ),
    "few": of_count(
        "%(count)s itemset is left out, with every longer itemset that contains it: fewer than %(least)s respondents "
        "were asked all of it, or fewer of those who answered directly.",
        "%(count)s itemsets are left out, with every longer itemset that contains one of them: fewer than %(least)s "
        "respondents were asked all of each, or fewer of those who answered directly.",
        "least",
    ),
    "least squares": _least_squares_sentence,
    "raw": _raw_sentence,
    "unasked": of_count(
        "The stratified estimator has no value for %(count)s itemset, because nobody in one of the two groups was "
        "asked all of it. Use the combined or the pooled estimator.",
        "The stratified estimator has no value for %(count)s itemsets, because nobody in one of the two groups was "
        "asked all of each. Use the combined or the pooled estimator.",
    ),
    "unidentified": of_count(
        "The disguise leaves nothing of %(count)s itemset; it is not in the tables.",
        "The disguise leaves nothing of %(count)s itemsets; they are not in the tables.",
    ),
    "biased": _sentence_of_bias,
    "visitors": _visitors_sentence,
}
