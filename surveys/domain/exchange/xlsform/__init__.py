"""XLSForm, the spreadsheet that ODK, Kobo and others know: sheets “survey”, “choices” and “settings”.

Candor's own columns stand beside those of ODK, which leaves them alone:

    rr_role     open, sensitive, harmless-yes or harmless-no; empty: open. The last two are of yes/no questions of which
                one answer is harmless, and which a one-sided block or a list of words disguises
    rr_block    questions of one name here are disguised together; empty: each by itself, or as it is proposed
    rr_keep     the chance that the truth stays: of a coin for the whole block, of a coin for each question where there
                is no block, and of a harmless answer in a one-sided block
    rr_theta    the chance of a yes in the noise of a yes/no question
    rr_harmless the harmless answer of a question in a list of words, where rr_role does not name it
    rr_guess    how many say yes to a sensitive question; for all of them in the sheet “settings”
    rr_no_skip  why a sensitive question has no "prefer not to say"
    rr_out      answers that end the visit, with spaces between them; of an undisguised question
    rr_parameter  the parameter of the address that holds the answer of an undisguised question
    rr_chances  the proportions, such as 1 : 1, in which devices draw the answer of an undisguised question
    rr_shuffle  yes: the questions of this group, which is a page, come in random order
    rr_moves    yes: this page changes places with the others that do
    rr_ask      each device asks so many of the undisguised questions of this page
    rr_low      the words at the lower end of a scale, by languages as labels are
    rr_high     the words at the upper end

and in a sheet “rr_blocks” the blocks that are none of these: `block`, `kind`, and a column for each value of its kind.
Without rr_block, rr_keep and rr_theta the blocks of sensitive questions are proposed.
"""
