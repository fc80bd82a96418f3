"""What the system does with surveys, as plain functions, in rooms.

database: what the database needs beside its rows. messages: what a device may send, and its refusals. questionnaire:
from a draft to the published definition. drafts: a draft as one document, and its changes. exchange: files of surveys,
in and out. responses: from the inbox to sealed parts. results: what may be told of sealed responses, and files of them.
closed: what is left of a survey at its end. page: the respondent's page as a set of files. demo: surveys with simulated
respondents. Each room may import those before it (`tests/imports.py`).
"""
