"""What the system does with surveys, as plain functions, in rooms.

database: what the database needs beside its rows. people: what each role may do. messages: what a device may send, and
its refusals. questionnaire: from a draft to the published definition. drafts: a draft as one document, and its changes.
exchange: files of surveys, in and out. responses: from the inbox to sealed parts, and what of them may be shown.
mail: invitations and notices by mail. exports: files of a snapshot. closed: what is left of a survey at its end.
page: the respondent's page as a set of files. demo: surveys with simulated respondents. rehearsal: a draft that
simulated people answer. Each room may import those before it (`tests/imports.py`).
"""
