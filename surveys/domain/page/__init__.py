"""The respondent's page as a fixed set of files, and whether a site hands out these files."""
