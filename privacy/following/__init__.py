"""Whether people and devices followed the design: what records alone tell, and what a pair of questions does."""
