"""A file of the texts of the respondent's page, as a translator sends it back."""

import json

from privacy.errors import EntryError, to_translate


def read_page_texts(content: bytes, tag: str) -> dict[str, str]:
    """Read texts of the respondent's page in language `tag`, by their names; EntryError says what is wrong.

    {"begin": {"en": "I agree – begin", "it": "Accetto: si comincia"}, …}; empty texts are left out.
    """
    try:
        entries = json.loads(content)
        if not all(isinstance(own[tag], str) for own in entries.values()):
            raise TypeError
    except (ValueError, RecursionError):
        raise EntryError("the file is not JSON.") from None
    except (AttributeError, TypeError, KeyError):
        sentence = to_translate("every text of the file is an object with the language “{tag}”.")
        raise EntryError(sentence, tag=tag) from None
    return {name: text for name, own in entries.items() if (text := own[tag].strip())}
