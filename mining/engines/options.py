"""The options of mining, beside those of all other analyses (`privacy.options.tables`). It is not slow to import."""

from dataclasses import replace

from privacy.choices import USUAL_CONFIDENCE, USUAL_SUPPORT
from privacy.errors import to_translate
from privacy.options.option import Flag, OneOf, Option, Options, ShareValue, TextValue, Whole
from privacy.options.tables import COUNTED, ESTIMATOR, NO_SITE, SAMPLING, STORED, cases

LONGEST = 6  # itemset
ENGINES = {"auto": to_translate("automatic"), "bitset": "bitset", "mlxtend": "mlxtend"}

MINE = Options(
    "mine",
    (
        Option(
            "min_support",
            ShareValue(above_zero=True),
            "smallest support, above 0",
            metavar="S",
            hint=to_translate("The smallest share of all respondents that an itemset must have, 0.1 for one in ten."),
            begins=USUAL_SUPPORT,
        ),
        Option(
            "min_confidence",
            ShareValue(),
            "smallest confidence",
            0.5,
            metavar="C",
            hint=to_translate(
                "Of the people with the antecedent, the smallest share who must also have the consequent."
            ),
            begins=USUAL_CONFIDENCE,
        ),
        Option(
            "max_length",
            Whole(1, LONGEST),
            f"longest itemset, 1 to {LONGEST}",
            3,
            metavar="L",
            hint=to_translate("From 1 to 6 items. Errors grow with length."),
        ),
        Option(
            "negated",
            Flag(),
            "also mine negated answers, such as !drugs",
            False,
            hint=to_translate("Also rules about what people do not do."),
        ),
        ESTIMATOR,
        Option("engine", OneOf(ENGINES), "which searches for itemsets; both find the same (default auto)", "auto"),
        replace(
            cases("an itemset, if each respondent is asked only some items"),
            hint=to_translate("Matters only where each respondent is asked some of the questions."),
        ),
        Option(
            "bins",
            TextValue(longest=300),
            "numbers and places as bins beside other answers: age=18,30,50;home=zones gives a number the edges "
            "between its bins and a place its zones",
            "",
            metavar="BINS",
            hint=to_translate("Numbers and places beside other answers: age=18,30,50;home=zones. Empty: left out."),
        ),
        *(replace(one, absent=STORED | dict(one.absent)) for one in SAMPLING),
        replace(COUNTED, absent=NO_SITE),
        Option(
            "least",
            Whole(least=1),
            "report only what at least this many respondents were asked, and leave out smaller direct groups",
            100,
            metavar="N",
            absent=dict.fromkeys(("api", "page"), "a survey has its own minimum"),
        ),
    ),
)
