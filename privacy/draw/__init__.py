"""Pictures as SVG: axes, charts, and words that keep out of each other's way."""
