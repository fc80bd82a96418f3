"""Who may do what with a survey, and the log of what was done with it."""
