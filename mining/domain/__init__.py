"""What mining does: request a run, claim it, run it, report it."""
