"""What the studio asks for and says of a list of words, of which each device sends one: of all, or of named ones."""

from dataclasses import replace

from privacy.errors import to_translate
from surveys.kinds.forms import HARMLESS, Explanation, Form, FormField, Value

_GAMMA = FormField(
    "list_gamma",
    Value.NUMBER,
    to_translate("words by γ"),
    help=to_translate("The promise of the whole list: one short message, or none, is all that is sent of a person."),
    default=19.0,
    key="gamma",
)
_CAP = FormField(
    "cap",
    Value.NUMBER,
    to_translate("cap, in answers"),
    help=to_translate("So many telling answers of one person count in full. Of people with more, all count less."),
    default=2.0,
    term=Explanation(
        to_translate("The cap"),
        to_translate(
            "One word is sent, so the chances of all words of a person share one total. People with more telling "
            "answers than the cap send each of them less often."
        ),
        to_translate(
            "A small cap makes figures sharper, but shares come out too low where many people have more answers to "
            "tell. The interval allows for this."
        ),
    ),
)
_LONGEST = FormField(
    "longest",
    Value.COUNT,
    to_translate("answers in the longest word"),
    help=to_translate("1: only shares are shown. 2: also which two answers go together, but shares less exactly."),
    default=1,
    term=Explanation(
        to_translate("Words"),
        to_translate(
            "Everybody answers all questions, and the device sends one short message, or none. A message is a word of "
            "a public list: one telling answer, or two together."
        ),
        to_translate("Words of two answers show links, but the list gets longer and every figure needs more people."),
    ),
)

_WEIGHTS = FormField(
    "weights",
    Value.SHARES,
    to_translate("weights of words, by their length"),
    help=to_translate("Such as 1, 0.6: each word of two answers is sent .6 times as often as one. Empty: all alike."),
    term=Explanation(
        to_translate("The weights"),
        to_translate("Longer words are many. Each is sent less often than a word of one answer, by its weight."),
        to_translate("A smaller weight makes shares sharper, and links need more people."),
    ),
)
_GROUPS = FormField(
    "groups",
    Value.COUNT,
    to_translate("groups of words, of each seed"),
    help=to_translate("For a long list, a prime up to 127: a device sends the number of a group. Empty: a word."),
    term=Explanation(
        to_translate("Groups of words"),
        to_translate(
            "Each word is in many groups, and each two words share exactly one. A device sends one group, in which "
            "perhaps a word is true."
        ),
        to_translate("Rare links of many questions need far fewer people. A stored row is then no answer to read."),
    ),
)

_LEAST = FormField(
    "least",
    Value.COUNT,
    to_translate("answers that are enough"),
    help=to_translate(
        "2: the longest words are true of people with 2 or more of their answers. All others have one. Empty: all."
    ),
    term=Explanation(
        to_translate("Words with a threshold"),
        to_translate("Beside single answers a message may say: at least 2 of these 4."),
        to_translate(
            "One such word fits many pairs, so pairs of about ten rare answers need fewer people. Of people with more "
            "than two, devices send “many of these” more often; intervals reach further up for them."
        ),
    ),
)

_WORD_CAP = FormField(
    "word_cap",
    Value.NUMBER,
    to_translate("cap, in words"),
    help=to_translate("So many words that are true of one person count in full. Of people with more, all count less."),
    default=2.0,
)
_NAMED = FormField(
    "words",
    Value.WORDS,
    to_translate("words"),
    help=to_translate("Separated by semicolons: theft; fraud; theft,fraud. Every question needs a word."),
    term=Explanation(
        to_translate("The words"),
        to_translate("The answers, and sets of answers, that devices may send. All are equally likely."),
        to_translate("Only these have figures: a set that is no word has none. Each further word costs all others."),
    ),
)
_LOSSES = FormField(
    "losses",
    Value.SHARES,
    to_translate("what makes loss words certain, by length"),
    help=to_translate("Such as 1.2, 1: a device that cannot count 1.2 words of one answer says so. 0: no loss word."),
    term=Explanation(
        to_translate("Loss words"),
        to_translate("They measure how many words of each length are not counted, of people above the cap."),
        to_translate("A smaller number measures more sharply, but counts no more than itself of any person."),
    ),
)
_HARMLESS = replace(HARMLESS, help=to_translate("No word tells of it. Best the commonest. Empty: no, or the first."))

FORMS = {
    "one-of": Form(
        label=to_translate("set-valued: one word of a list (for rare answers)"),
        fields=(_GAMMA, _CAP, _LONGEST, _WEIGHTS, _GROUPS, _LEAST),
        item_fields=(_HARMLESS,),
        refusal=to_translate("a list of words works with options, not with numbers or places."),
    ),
    "named-words": Form(
        label=to_translate("set-valued: one word of a list that you name (for a second wave)"),
        fields=(_GAMMA, _WORD_CAP, _NAMED, _LOSSES),
        item_fields=(_HARMLESS,),
        refusal=to_translate("a list of words works with options, not with numbers or places."),
    ),
}
