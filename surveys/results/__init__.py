"""What a snapshot says: from its responses to the figures that pages show, each with its error and never of too few."""
