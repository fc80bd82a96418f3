"""The options of every analysis but mining. What takes them follows: commands, forms, the API, the checks of functions.

A new option is a row here and a parameter of its function. `tests/test_options.py` finds each in the library, in its
command, in the API and on its page, or the reason here why a place lacks it. `tests/test_option_effects.py` has two
values of each that give two results.
"""

from dataclasses import replace
from fractions import Fraction

from privacy.choices import (
    AVAILABLE,
    CASES,
    DEVICE,
    DISGUISERS,
    DISTANCES,
    ESTIMATORS,
    FAMILIES,
    ITEM_MODELS,
    LAWS,
    describe_choices,
)
from privacy.options.notation import (
    chance,
    lists,
    pair_of_numbers,
    prevalence,
    seed,
    shares_by_answer,
    value_and_share,
    values_by_column,
    words,
)
from privacy.options.option import FilePath, Flag, NumberValue, OneOf, Option, Options, TextValue, Whole, Written

# Why a place has no options of an analysis.
USUAL_FIGURES = "pages and the API give the usual figures: stratified, of available cases, at 95 %"
OF_FILES = "the site keeps no such file"
STORED = {"api": "a survey says how it was drawn", "page": "a run is of all respondents alike"}
SITE = {"api": USUAL_FIGURES, "page": USUAL_FIGURES}
NO_SITE = {"api": OF_FILES, "page": OF_FILES}

WEIGHTS = Option("weights", TextValue(), "how many people each respondent stands for", None, metavar="COLUMN")
CLUSTER = Option("cluster", TextValue(), "who was drawn together", None, metavar="COLUMN")
STRATA = Option("strata", TextValue(), "the groups that respondents were drawn from", None, metavar="COLUMN")
MARGINS = Option(
    "margins",
    FilePath(holds="margins"),
    "what is known of the population, in JSON or CSV: weights are made to meet it, and errors know it",
    None,
    metavar="FILE",
)
TRIM = Option(
    "trim",
    Written(pair_of_numbers),
    "with margins: weights stay between LOW and HIGH times those before, such as 0.3,3",
    None,
    metavar="LOW,HIGH",
)
SAMPLE = Option(
    "sample",
    TextValue(),
    "how respondents were drawn, and what is known of the population",
    None,
    absent=dict.fromkeys(("command", "api", "page"), "each of its fields is an option of its own"),
)
OF_SAMPLE = tuple(
    replace(one, absent={"library": f"it is a field of one argument: write sample=candor.Sample({one.name}=...)"})
    for one in (WEIGHTS, CLUSTER, STRATA, MARGINS, TRIM)
)
SAMPLING = (SAMPLE, *OF_SAMPLE)
ESTIMATOR = Option("estimator", OneOf(ESTIMATORS), describe_choices(ESTIMATORS), next(iter(ESTIMATORS)))
LEVEL = Option("level", NumberValue(), "of the confidence intervals", 0.95)
COUNTED = Option("counts", Flag(), "RECORDS has counts, as `candor sql` asks a database for them", False)
LEAST = Option("least", Whole(least=1), "the smallest number of respondents in a reported figure", 1)
MAP = Option(
    "map",
    TextValue(),
    "left,bottom,right,top: what the map is (default: the smallest around all places)",
    None,
)
CRS = Option(
    "crs",
    OneOf(("planar", "EPSG:4326")),
    "coordinates in one unit such as metres (planar), or longitudes and latitudes, laid flat in metres",
    "planar",
)


def cases(of: str) -> Option:
    """The option for which respondents count where each is asked only some items.

    >>> cases("a pattern").name
    'cases'
    """
    return Option("cases", OneOf(CASES), f"of {of}: {describe_choices(CASES)}", AVAILABLE)


BOTH = Option(
    "both",
    TextValue(),
    "a word that both waves ask for, fixed before the first, such as drugs; repeatable",
    (),
    each="both",
    metavar="WORD",
)
LIKELIEST = Options(
    "likeliest",
    (
        Option(
            "top", Whole(least=1), "instead of thresholds: the N likeliest itemsets of a list of words", metavar="N"
        ),
        Option(
            "first",
            FilePath(holds="records and design"),
            "with --top: the first wave, of other people; RECORDS and DESIGN are then those of the second",
            None,
            metavar=("RECORDS1", "DESIGN1"),
        ),
        replace(
            BOTH, about="with --first: a word that was fixed for both waves, whose figures are of both; repeatable"
        ),
        Option("simultaneous", Flag(), "with --top: intervals that all hold at once in 95 of 100 surveys", False),
    ),
    absent=dict.fromkeys(("api", "page"), "the site mines by thresholds"),
)

WAVE = Options(
    "wave",
    (
        Option("respondents", Whole(least=1), "how many people will answer in the second wave", metavar="N"),
        Option("top", Whole(least=1), "how many itemsets to find; the list has 2 or 3 times as many", 32, metavar="N"),
        BOTH,
        Option("alone", TextValue(), "the answer that no itemset has, such as secret", None, metavar="OPTION"),
    ),
    absent=NO_SITE,
)

RECONSTRUCT = Options(
    "reconstruct",
    (
        Option(
            "patterns",
            TextValue(),
            "such as drugs,!cheating,age=30-39; repeatable; without it every item",
            None,
            each="pattern",
            metavar="PATTERN",
        ),
        ESTIMATOR,
        cases("a pattern on a sampled block"),
        *SAMPLING,
        COUNTED,
        LEVEL,
    ),
    absent=SITE,
)

RECONSTRUCT_COUNTS = Options(
    "reconstruct_counts",
    (ESTIMATOR, LEVEL),
    absent=dict.fromkeys(("command", "api", "page"), "programs that count for themselves call it"),
)

TABLE = Options(
    "table",
    (
        Option("items", Written(words), "such as drugs,cheating", metavar="ITEMS"),
        ESTIMATOR,
        cases("items of a sampled block"),
        *SAMPLING,
        COUNTED,
    ),
    absent=SITE,
)


COMPARE = Options(
    "compare",
    (
        Option(
            "figures",
            TextValue(),
            "a share such as drugs,!cheating or a rule such as 'drugs => cheating'; repeatable",
            each="figure",
            metavar="FIGURE",
        ),
        Option("by", TextValue(), "an undisguised column whose values make the subgroups", None, metavar="COLUMN"),
        Option(
            "measure",
            OneOf("privacy.reconstruct.metrics:keys_with_error"),
            "which figure of rules to compare",
            "confidence",
        ),
        ESTIMATOR,
        *SAMPLING,
        LEAST,
        cases("a figure of items of a sampled block"),
        LEVEL,
    ),
    absent=SITE,
)

_USUAL, *_OTHERS = FAMILIES
REGRESS = Options(
    "regress",
    (
        Option("outcome", TextValue(), "such as drugs, age=50+ or an undisguised column", metavar="NAME"),
        Option(
            "on",
            Written(words),
            "predictors between commas: undisguised numbers, literals, direct, and products a:b",
            (),
            metavar="NAMES",
        ),
        Option(
            "family",
            OneOf(FAMILIES),
            "; ".join([f"{_USUAL} (default): {FAMILIES[_USUAL]}", *(f"{one}: {FAMILIES[one]}" for one in _OTHERS)]),
            _USUAL,
        ),
        *SAMPLING,
        Option("robust", Flag(), "robust errors, which do not assume the model of the variance", False),
        Option("designs", TextValue(), "several designs, a JSON object {value: design}", None, metavar="FILE"),
        Option("design_column", TextValue(), "which of them disguised a respondent's answers", None, metavar="COLUMN"),
        Option("model", OneOf(ITEM_MODELS), "another model for one item, without a design", None),
        Option("model_options", TextValue(), "its item, its p, its groups, in JSON", None, metavar="FILE"),
        LEVEL,
    ),
    absent=SITE,
)

GUARANTEE = Options(
    "guarantee",
    (
        Option(
            "prior",
            NumberValue(),
            "how likely somebody thought a fact before the answer (default 0.05)",
            Fraction(1, 20),
        ),
        Option(
            "respondents",
            Whole(),
            "how many answer disguised: shows the protection by the crowd and the effect of one forged response",
            None,
            metavar="N",
        ),
        Option("delta", NumberValue(), "of the crowd: the chance that more is revealed (default 1e-6)", None),
    ),
    absent={"api": "it is in the protocol of a version", "page": "its page works out all of it"},
)
LEDGER = Options(
    "ledger",
    (Option("budget", NumberValue(), "of several designs: the largest product of gamma accepted (default 19)", 19),),
    absent=GUARANTEE.absent,
)

BREACH = Options(
    "breach",
    (
        Option(
            "prior",
            FilePath(holds="chances"),
            "a CSV file of how likely each input was thought; a further column for each who knows more of a person",
            None,
            metavar="FILE",
        ),
        Option(
            "rho",
            Written(words),
            "can a belief of RHO1 become RHO2, or RHO2 become RHO1? such as 1/7,1/2",
            None,
            metavar="RHO1,RHO2",
        ),
        Option(
            "properties",
            TextValue(),
            "a property to look at, by the inputs that have it; repeatable; needs --prior",
            (),
            each="property",
            metavar="INPUT,…",
        ),
        Option(
            "plain",
            Written(words),
            "inputs that need no protection: also epsilon where an output may show that it was one of them",
            (),
            metavar="INPUT,…",
        ),
        Option(
            "measures",
            Flag(),
            "also what outputs tell on average: bits unknown before and after, and the loss; needs --prior",
            False,
        ),
    ),
    absent=NO_SITE,
)

LOT = Options(
    "lot",
    (
        Option("share", NumberValue(), "the chance of being drawn, such as 0.2: lot in the codebook"),
        replace(LEAST, about="leave out answers that fewer people of either group were asked"),
    ),
    absent={"api": "a version knows its lot", "page": "a version knows its lot"},
)
CARELESS = Options(
    "careless",
    (
        Option(
            "figures",
            TextValue(),
            "a pattern of yes/no items; repeatable (default: every yes/no item)",
            None,
            each="figure",
            metavar="FIGURE",
        ),
        Option(
            "anchors",
            Written(shares_by_answer),
            "an answer whose share among people who follow the design is known, such as never:0, or lies between "
            "bounds, such as never:0..0.01; name one that nobody gives and one that everybody does",
            None,
            each="anchor",
            metavar="ANSWER:SHARE",
        ),
        Option("disguiser", OneOf(DISGUISERS), f"who disguises: {'; '.join(DISGUISERS.values())}", DEVICE),
        ESTIMATOR,
        LEVEL,
        cases("patterns"),
        *SAMPLING,
    ),
    absent=dict.fromkeys(("api", "page"), "a version has its own pair of questions, and its report both figures"),
)

MEASURE = Options(
    "measure",
    (
        Option("quasi", Written(words), "what others may know, such as age,sex,town", metavar="COLUMNS"),
        Option("sensitive", TextValue(), "what they must not learn", metavar="COLUMN"),
        Option(
            "subsets",
            Whole(),
            "also k on all subsets of up to N columns, and the rows that a few columns single out (default 0: none)",
            0,
            metavar="N",
        ),
        Option(
            "distance",
            OneOf(DISTANCES),
            "how far two sensitive values are apart, for t (default: all equally far)",
            "equal",
        ),
        Option(
            "hierarchy",
            TextValue(),
            "of the sensitive values, value;level1;…, for the hierarchical distance",
            None,
            metavar="FILE",
        ),
        Option("rows", Flag(), "also how likely the value of each row is before the table and after it", False),
        Option(
            "belief",
            Written(value_and_share),
            "how likely somebody held a value before, such as flu=1/7: also how likely they then hold it, of each row",
            None,
            metavar="VALUE=SHARE",
        ),
        Option(
            "population",
            TextValue(),
            "of how many people the rows are a sample, or a CSV file of them all: also the risks among them",
            None,
            metavar="N|FILE",
        ),
        Option("count", TextValue(), "how many people each row of that file is", None, metavar="COLUMN"),
        Option("weight", TextValue(), "how many people each row stands for", None, metavar="COLUMN"),
        Option("safe_harbour", Flag(), "also the columns of TABLE that are on the list of HIPAA's safe harbour", False),
    ),
    absent=NO_SITE,
)
LINK = Options(
    "link",
    (
        Option(
            "spec",
            FilePath(holds="spec"),
            "the spec of the release: which values its labels stand for",
            None,
            metavar="SPEC",
        ),
        Option("on", Written(words), "the columns to compare (default: all that both have)", None, metavar="COLUMNS"),
        Option(
            "name", TextValue(), "that of the names (default: the first that only PEOPLE has)", None, metavar="COLUMN"
        ),
        Option("in_order", Flag(), "compare each person with the row at the same place (unsorted matching)", False),
    ),
    absent=NO_SITE,
)
COUNTS = Options(
    "counts",
    (
        Option(
            "values",
            Written(values_by_column),
            "a column to count, with all values that it may have; repeat it for more",
            each="values",
            metavar="NAME=VALUE,VALUE…",
            aliases=("--column",),
        ),
        Option("epsilon", TextValue(), "of all tables together: a decimal or a fraction"),
        Option("delta", TextValue(), "the chance with which discrete Gaussian noise may exceed ε (else Laplace)", None),
        Option("noise", OneOf(LAWS), "with a delta: this noise (default: whichever is nearer for these tables)", None),
        Option(
            "tables",
            Written(lists),
            "a table of several columns, such as sex,town; repeat it for more (default: each column by itself)",
            None,
            each="table",
            metavar="COLUMNS",
        ),
    ),
    absent=NO_SITE,
)

PLACES = Options(
    "places",
    (
        Option("columns", Written(words), "the columns of the coordinates (default x,y)", ("x", "y"), metavar="X,Y"),
        replace(MAP, metavar="MAP"),
        CRS,
        Option("cell", NumberValue(), "the side of a cell (default: 200 along the longer side)", None),
        Option(
            "epsilons",
            Written(words),
            "each of them (default 5,10,15,20)",
            (5, 10, 15, 20),
            metavar="E,…",
            aliases=("--epsilon",),
        ),
        Option("track", Whole(), "each person sends N places: each ε of one, and for all of them", 1, metavar="N"),
        Option(
            "zones",
            TextValue(),
            "a sensitive zone in the coordinates of the file, and an epsilon of its own; repeatable "
            "(default: half the sides, in the centre and in each corner, one after the other)",
            (),
            each="zone",
            metavar="L,B,R,T[,E]",
        ),
    ),
    absent=NO_SITE,
)

ADVISE = Options(
    "advise",
    (
        Option("respondents", Whole(), "how many people will answer", metavar="N"),
        Option("length", Whole(), "the longest pattern wanted (default 2)", None, metavar="L"),
        Option(
            "prevalence",
            Written(prevalence),
            "a guess of the share of yes, without FILE: a number, or very rare, rare, some, half, most; of "
            "all items, or of each, as rare,0.2 or drugs=rare,theft=0.2",
            None,
            metavar="P",
        ),
        Option("direct_share", NumberValue(), "who will answer directly", 0.0, metavar="K"),
        Option("most_asked", Whole(), "the most questions one person may be asked", None, metavar="S"),
        Option(
            "alone",
            TextValue(),
            "the answer that no pattern pairs with others",
            None,
            absent={"command": "FILE says it of each item"},
        ),
        Option(
            "by",
            OneOf(("device", "person")),
            "who draws: devices, or people themselves, among chances that people can draw",
            "device",
        ),
    ),
    absent={"api": "a design is chosen in the studio", "page": "Protect asks in the words of the survey"},
)

ANONYMIZE = Options(
    "anonymize",
    (
        Option("path", Flag(), "also show which nodes of the lattice were looked at, in order", False),
        Option(
            "compare",
            TextValue(),
            "also show what the release keeps: means, correlations, shares, and the joint table of these columns; "
            "do not publish it",
            (),
            metavar="COLUMN",
            several=True,
            absent={"page": "the page shows several releases side by side"},
        ),
    ),
    absent={
        "api": "the API makes no releases",
        "page": "the page shows the path",
    },
)
DISGUISE = Options(
    "disguise",
    (
        Option(
            "direct",
            Written(chance),
            "let each respondent answer directly with this chance",
            0.0,
            metavar="K",
            aliases=("--direct-share",),
        ),
        Option(
            "seed",
            Written(seed),
            "repeatable randomness for studies; never use it to protect real people",
            None,
            metavar="N",
        ),
    ),
    absent=dict.fromkeys(("api", "page"), "browsers disguise, by lot"),
)

ANALYSES = tuple(table for table in list(globals().values()) if isinstance(table, Options))
"""Every table above; that of mining stands where mining is."""
