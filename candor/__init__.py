"""Candor for analysts: disguised answers, and the statistics recovered from them with their error."""
