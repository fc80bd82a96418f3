"""`make run`: the whole site as processes that are kept running, with a private broker."""
