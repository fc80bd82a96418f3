"""Trying a draft with simulated people: who they are, and the survey apart in which their answers lie."""
