"""How many years of school an English text asks for, by Kincaid, Fishburne, Rogers and Chissom (1975)."""

import re

_ENDING = re.compile(r"[.!?:;]+(?:\s|$)|\n+")


def grade(text: str) -> float:
    """0.39·words/sentences + 11.8·syllables/words − 15.59."""
    sentences = [sentence for sentence in _ENDING.split(text) if re.search(r"[A-Za-z]", sentence)]
    words = re.findall(r"[A-Za-z0-9]+(?:[’'-][A-Za-z]+)*", text)
    return 0.39 * len(words) / len(sentences) + 11.8 * sum(map(syllables, words)) / len(words) - 15.59


def syllables(word: str) -> int:
    """Groups of vowels, without an e at the end that is not spoken; a number counts as one."""
    spoken = word.lower()
    if not spoken.endswith(("le", "ted", "ded")):
        spoken = re.sub(r"(?<=[^aeiouy])(?:es|ed|e)$", "", spoken)
    return max(1, len(re.findall(r"[aeiouy]+", spoken)))
