"""Why an engine was taken, and why the reference engine declines, each in one sentence."""


def gettext_noop(sentence: str) -> str:
    """The sentence itself: pages translate it, and `make messages` knows what to collect by this name."""
    return sentence


WAS_ASKED = gettext_noop("It was asked for.")
WAS_SMALL = gettext_noop("The reference engine takes up to 100,000 answers (records × items).")
WAS_LARGE = gettext_noop("There are more than 100,000 answers (records × items), too many for the reference engine.")
WAS_MANY = gettext_noop("So many itemsets may pass the threshold that the reference engine would take long.")
WAS_EMPTY = gettext_noop("There are no records.")

SAMPLED = gettext_noop("mlxtend knows no answers that were not asked, as a sampled block has them.")
FLIPS = gettext_noop(
    "Flips can count records for an itemset that show none of it, so that no threshold on the supports mlxtend sees is "
    "sure to keep every itemset."
)
COMBINED = gettext_noop(
    "The combined estimator weighs the groups anew for every rule, while mlxtend takes one support per itemset."
)
SEVERAL = gettext_noop(
    "With several coins and a direct group no threshold on the supports mlxtend sees is sure to keep every itemset of "
    "the stratified estimator."
)
FEW = gettext_noop(
    "With so few records of this design no threshold on the supports mlxtend sees is sure to keep every itemset."
)
