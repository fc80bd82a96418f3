"""Which disguised questions a later version asks in other words than an earlier one; their answers are not combined."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from surveys.features.questions import FIELDS

Source = Mapping[str, Any]
"""Of a definition: its "languages" and "pages"."""

_FIXED = {"type", "text", "help", "options", "items", "ends"} | {each.name for each in FIELDS.values() if each.is_read}


def questions_reworded(earlier: Source, later: Source) -> set[str]:
    """The names of the questions that both ask, with other texts in a language of both, or with other options."""
    shared = set(earlier["languages"]) & set(later["languages"])
    before, now = (dict(_contents(source, shared)) for source in (earlier, later))
    return {name for name in before.keys() & now.keys() if not shared or before[name] != now[name]}


def _contents(source: Source, shared: Collection[str]) -> Iterator[tuple[str, Any]]:
    """Each question by its name, with what people read of it in the shared languages."""
    tags = set(source["languages"])
    for page in source["pages"]:
        for entry in page["questions"]:
            yield entry["id"], {name: _read(entry[name], tags, shared) for name in _FIXED if name in entry}


def _read(value: Any, tags: set[str], shared: Collection[str]) -> Any:
    """A value whose texts, which have a string for each of the tags, are cut to the shared languages."""
    if isinstance(value, Mapping):
        is_text = value.keys() <= tags and all(isinstance(text, str) for text in value.values())
        return {key: _read(one, tags, shared) for key, one in value.items() if not is_text or key in shared}
    return [_read(one, tags, shared) for one in value] if isinstance(value, list | tuple) else value
