"""Counting a run by several workers: the process that mines leads, others count groups of parts for it."""
