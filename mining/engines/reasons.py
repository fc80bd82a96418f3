"""Why an engine was taken, and why the reference engine declines, each in one sentence."""

WAS_ASKED = "It was asked for."
WAS_SMALL = "The reference engine takes up to 100,000 answers (records × items)."
WAS_LARGE = "There are more than 100,000 answers (records × items), too many for the reference engine."
WAS_MANY = "So many itemsets may pass the threshold that the reference engine would take long."
WAS_EMPTY = "There are no records."

SAMPLED = "mlxtend knows no answers that were not asked, as a sampled block has them."
FLIPS = (
    "Flips can count records for an itemset that show none of it, so that no threshold on the supports mlxtend sees is "
    "sure to keep every itemset."
)
COMBINED = "The combined estimator weighs the groups anew for every rule, while mlxtend takes one support per itemset."
SEVERAL = (
    "With several coins and a direct group no threshold on the supports mlxtend sees is sure to keep every itemset of "
    "the stratified estimator."
)
FEW = "With so few records of this design no threshold on the supports mlxtend sees is sure to keep every itemset."
