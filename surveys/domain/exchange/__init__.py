"""Surveys in and out: one module for each format of files, and the table that lists them (`formats`)."""
