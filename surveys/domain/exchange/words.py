"""Words of other programs in the words of this one; and texts in one language, as a table for a translator."""

import csv
import io
import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from html.parser import HTMLParser
from unicodedata import combining, normalize

from django.conf.locale import LANG_INFO

from privacy.errors import EntryError, to_translate
from privacy.records.csv_rows import without_apostrophes
from surveys.domain.drafts.names import free
from surveys.domain.exchange.files import check_size
from surveys.domain.exchange.imported import TooLargeError
from surveys.questions.rows import READY, SKIP
from surveys.rules import TAG

Texts = dict[str, str]
CHINESE = {"zh": "zh-hans", "zh-cn": "zh-hans", "zh-hans-cn": "zh-hans", "zh-sg": "zh-hans"}
LONGEST_NAME = 40
_YES, _NO, _SKIP = (
    {*words, *(text.lower() for text in READY[name].values())}
    for name, words in (
        ("yes", ("y", "true", "si")),
        ("no", ("n", "false")),
        ("prefer-not", ("prefer not to answer", SKIP)),
    )
)


def name_of(foreign: str, taken: Collection[str]) -> str:
    """A free name for records, as near to the foreign one as can be."""
    plain = re.sub(r"[^a-z0-9_-]+", "-", foreign.lower()).strip("-_")
    if not plain[:1].isalpha():
        plain = f"q{plain}"
    own = plain[:LONGEST_NAME]
    return own if own not in taken else free(own[: LONGEST_NAME - 4], taken)


def tag_of(language: str) -> str | None:
    """The tag, in small letters, of “English (en)”, “en” or “Chinese”; “zh-CN” is zh-hans; None if unknown."""
    inside = re.search(r"\(([^()]+)\)\s*$", language)
    tag = (inside[1] if inside else language).strip().lower().replace("_", "-")
    tag = CHINESE.get(tag, tag)
    if TAG.fullmatch(tag) and (inside or tag in LANG_INFO or tag.partition("-")[0] in LANG_INFO):
        return tag
    return _tags_by_name().get(_plain(language.partition("(")[0]))


@cache
def _tags_by_name() -> Mapping[str, str]:
    named = [(tag, each) for tag, each in LANG_INFO.items() if "name" in each]
    names = {_plain(each[key]): tag for tag, each in reversed(named) for key in ("name", "name_local")}
    return names | {"chinese": "zh-hans", "中文": "zh-hans"}


def _plain(name: str) -> str:
    """The name of a language without the marks that few people write, such as the vowels of Arabic."""
    return "".join(letter for letter in normalize("NFD", name.strip().lower()) if not combining(letter))


class _TextReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, _attrs: object) -> None:
        self.silent += tag in ("script", "style")
        if tag in ("br", "p", "div", "li"):
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in ("script", "style") and self.silent > 0

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.parts.append(data)


def text_of_html(text: str) -> str:
    """The text of some HTML, without tags and empty lines."""
    reader = _TextReader()
    reader.feed(text)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.parts).split("\n"))
    return "\n".join(line for line in lines if line)


def yes_and_no(options: Iterable[tuple[str, Texts]]) -> dict[str, str]:
    """Map the values of options to "1" (yes), "0" (no) and SKIP; empty where the options say something else."""
    answers: dict[str, str] = {}
    for value, label in options:
        texts = {text.strip().lower() for text in label.values()} or {value.lower()}
        for answer, known in (("1", _YES), ("0", _NO), (SKIP, _SKIP)):
            if texts <= known and answer not in answers.values():
                answers[value] = answer
        if value not in answers:
            return {}
    return answers if {"1", "0"} <= set(answers.values()) else {}


PLACE = "place"  # the head of the column that says where a text stands
LARGEST = 2 * 2**20


def read_texts(content: bytes, most: int) -> tuple[str, dict[str, str]]:
    """The language of a translator's table and its texts by places; EntryError if it is faulty or over `most` lines."""
    check_size(len(content), LARGEST)
    try:
        lines = io.StringIO(content.decode("utf-8-sig"), newline="")
        between = ";" if lines.readline().count(";") == 2 else ","  # spreadsheets of some languages save it so
        lines.seek(0)
        rows = filter(None, csv.reader(lines, delimiter=between, strict=True))
        heads = next(rows, [])
        if len(heads) != 3 or heads[0] != PLACE or not TAG.fullmatch(heads[2]):
            raise EntryError(
                "the first line must be: place, the main language, the other language. Save it as CSV with commas."
            )
        texts: dict[str, str] = {}
        for number, row in enumerate(rows, 1):
            if len(row) != 3:
                raise EntryError("every line needs three cells: place, main text, translation.")
            if number > most:
                raise TooLargeError(to_translate("the file has more than {most} lines."), most=most)
            place, _main, text = row
            texts[place] = without_apostrophes(text)
    except (UnicodeDecodeError, csv.Error):
        raise EntryError("the file is not a UTF-8 CSV table.") from None
    return heads[2], texts
