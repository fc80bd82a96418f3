"""Questionnaires, the respondent's page, responses and their sealing."""
