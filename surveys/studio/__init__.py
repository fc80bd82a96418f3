"""The studio: the pages on which researchers write a survey, see what it promises, and find what to do next."""
