"""What a respondent's device may send: how often, in which form, with which invitation; and how it is refused."""
