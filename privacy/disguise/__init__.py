"""The disguise of answers: of whole tables in Python, and of one respondent's answers in the browser."""

from privacy.disguise.table import disguise, draw_asked
