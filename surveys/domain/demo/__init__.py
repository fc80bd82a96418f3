"""Demo surveys with simulated respondents."""
