"""Why an engine was taken, and why mining ended without a result: sentences, by the codes under which they are kept.

What is stored holds the code, so that every reader reads the sentence in the reader's language. These rooms know no
Django: the page that shows a sentence brings the function that translates it.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from privacy.errors import InputError, to_translate
from privacy.output import format_count

# Why mlxtend cannot search.
REFUSALS = {
    "missing": to_translate("mlxtend is not installed; install it with `pip install 'candor-survey[mining]'`."),
    "no join": to_translate("This version of mlxtend has no join of Apriori that Candor knows; 0.23.4 to 0.25.0 have."),
}
# Why it could not, of runs from when it searched by one threshold on disguised records.
_OLD = {
    "sampled": to_translate("mlxtend cannot handle questions that were not asked, as in a sampled block."),
    "coinless": to_translate(
        "Without a coin, an itemset can be common among the true answers but rare in disguised records. mlxtend sees "
        "only disguised records, so it could miss such itemsets."
    ),
    "flips": to_translate(  # of runs from before other kinds of blocks had no coin either
        "With flips, records without an itemset can count for it, so no threshold in mlxtend is sure to keep every "
        "itemset."
    ),
    "combined": to_translate(
        "The combined estimator weighs the groups for each rule, but mlxtend takes one support per itemset."
    ),
    "several": to_translate(
        "With several coins and a direct group, no threshold in mlxtend is sure to keep every itemset of the "
        "stratified estimator."
    ),
    "bins": to_translate("mlxtend has no weights, which bins of numbers and places need."),
    "ordered": to_translate("mlxtend does not read whole records, which one-of blocks need."),
    "drawn": to_translate("mlxtend counts all respondents alike; it has no weights, strata or clusters."),
    "few": to_translate(
        "With so few records of this design, an itemset can have a high estimate but occur in few records. mlxtend "
        "sees only records, so it could miss such itemsets."
    ),
}
# Why an engine was taken; and of a site who made the rules, and why.
CHOICES = (
    REFUSALS
    | _OLD
    | {
        "asked": to_translate("It was asked for."),
        "joined": to_translate("mlxtend takes up to 60 000 possible itemsets."),
        "candidates": to_translate("There are more than 60 000 possible itemsets, for which mlxtend would be slow."),
        "library": to_translate("Outside a site Candor's own search is taken, which is faster."),
        # Of runs from then.
        "small": to_translate("mlxtend takes up to 100 000 answers (records × items)."),
        "large": to_translate("There are more than 100 000 answers (records × items), too many for mlxtend."),
        "spread": to_translate(  # of runs from before each was counted by one process
            "There are so many answers (records × literals) that several workers count them."
        ),
        "many": to_translate("So many itemsets may pass the threshold that mlxtend would be slow."),
        "empty": to_translate("There are no records."),
        "rules mlxtend": to_translate("mlxtend made the rules from these supports (association_rules)."),
        "rules many": to_translate("Candor made the rules: for more than 5 000 itemsets mlxtend takes long."),
        "rules part": to_translate(
            "Candor made the rules: mlxtend makes none where a part of an itemset has no support."
        ),
        "rules missing": to_translate("Candor made the rules, because mlxtend is not installed."),
    }
)
_OTHER_ENGINE = to_translate("{refusal} Use the bitset engine.")


class MiningError(InputError):
    """Mining ended without a result, for a reason that has a code."""

    SENTENCES: ClassVar[Mapping[str, str]] = {
        "literals": to_translate("{literals} literals are too many for itemsets of length {length}: lower the length."),
        "candidates": to_translate(
            "Length {length} has {candidates} candidates, more than {most}: raise the support or lower the length."
        ),
        "itemsets": to_translate(
            "More than {most} itemsets reach a support of {support}: raise the support or lower the length."
        ),
        "rules": to_translate(
            "More than {most} rules reach a confidence of {confidence}: raise the support or the confidence, or "
            "lower the length."
        ),
        # These end the run of a site.
        "late": to_translate("It took longer than {most} seconds: raise the support or lower the length."),
        "memory": to_translate("It needed more than {most} MiB of memory: raise the support or lower the length."),
        "at_once": to_translate(  # of runs from before these were counted by parts
            "It needed more than {most} MiB of memory. Bins and ordered answers need all responses in memory at once: "
            "leave the bins out, or ask the administrator for more memory."
        ),
        "broke": to_translate("Mining failed on these records ({error}); see the worker's log."),
        "stopped": to_translate("The mining process ended unexpectedly (status {status}). Tried {attempts} times."),
        "died": to_translate("The worker died {attempts} times during this run."),
        "other": "{error}",  # what nobody foresaw, as it was said
    }

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(self.sentence(code, values))
        self.code, self.values = code, values

    @classmethod
    def sentence(cls, code: str, values: Mapping[str, Any], gettext: Callable[[str], str] = str) -> str:
        if code in {**REFUSALS, **_OLD}:
            return gettext(_OTHER_ENGINE).format(refusal=gettext(CHOICES[code]))
        return gettext(cls.SENTENCES[code]).format(**{name: _value_as_text(value) for name, value in values.items()})


def _value_as_text(value: object) -> object:
    return format_count(value) if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else value
