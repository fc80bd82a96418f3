"""A picture or a sound beside a question (surveys.media).

"media": {"file": {"en": NAME}, "words": TEXT}       of the main language and perhaps others; what it shows or says
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import NoneType
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import EntryError, InputError, to_translate
from surveys.features.questions.field import Entered, QuestionField
from surveys.media import check_words, is_name
from surveys.questions import Entry
from surveys.questions.entered import Question, Texts, in_languages, write_text
from surveys.rules import Faults, object_of, or_null, texts

_NO_FILE = to_translate("this is no file of a survey.")


def files_of(source: Mapping[str, Any]) -> set[str]:
    """The names of the pictures and sounds beside the questions of a definition."""
    media = [entry["media"] for page in source["pages"] for entry in page["questions"] if "media" in entry]
    return {name for one in media for name in one["file"].values()}


def _set_media(question: Entered, said: Mapping[str, Any]) -> None:
    """Set the picture or sound beside the question in one language, and its words in some; no file removes it."""
    language, file, media = said["language"], said["file"], question["media"] or {"file": {}, "words": {}}
    if not (file or media["file"]) and any(words.strip() for words in said["words"].values()):
        raise EntryError("choose the file first: these words stand in its place.", at="file")
    if file:
        media["file"][language] = file
    else:
        media["file"].pop(language, None)
    for tag, words in said["words"].items():
        write_text(media["words"], tag, words)
    question["media"] = media if media["file"] else None


def _check_files(files: Any, at: str) -> Faults:
    """A file for each of some languages."""
    yield from texts(files, at)
    if files == {}:
        yield EntryError(_NO_FILE, at=at)
    for tag, name in files.items() if isinstance(files, dict) else ():
        if not is_name(name):
            yield EntryError(_NO_FILE, at=f"{at}.{tag}")


class Media(QuestionField):
    name = "media"
    rule = staticmethod(or_null(object_of({"file": _check_files, "words": texts})))
    empty = NoneType
    is_read = True
    says_more = "media"
    lost = gettext_lazy("its picture or sound")
    changes = (("media", _set_media, gettext_lazy("picture or sound changed")),)

    def read(self, entry: Entry, at: str, languages: Sequence[str]) -> Mapping[str, Any]:
        """Refuse an entry that names no picture or sound for the main language, or lacks words in a language."""
        media, at = entry["media"], f"{at}.media"
        if not isinstance(media, dict) or set(media) != {"file", "words"} or not isinstance(media["file"], dict):
            raise InputError(f'{at} holds a "file" for languages, and its "words".')
        if not set(media["file"]) <= set(languages) or not all(map(is_name, media["file"].values())):
            raise InputError(f"{at} names files, for languages of the survey alone.")
        if languages and languages[0] not in media["file"]:
            raise EntryError("the main language needs a file: the others may do with it.", at=at)
        check_words(media["words"], languages, at)
        return {}

    def in_effect(self, question: Question) -> Any:
        return question.media and question.media["file"] and question.media

    def write(self, question: Question, languages: Sequence[str]) -> dict[str, Any]:
        media = self.in_effect(question)
        file = {tag: name for tag, name in media["file"].items() if tag in languages}
        main = {tag: next(iter(media["file"].values())) for tag in languages[:1] if tag not in file}  # they may change
        return {"file": file | main, "words": in_languages(media["words"], languages)}

    def pictures(self, question: Entered) -> Iterator[dict[str, Any]]:
        if question["media"]:
            yield question["media"]

    def texts(self, question: Entered) -> Iterator[tuple[str, Texts]]:
        yield from (("media", medium["words"]) for medium in self.pictures(question))

    def needed_texts(self, question: Question, names: Iterable[str]) -> Iterator[tuple[str, bool, Texts]]:
        if question.media:
            yield _("picture or sound"), True, question.media["words"]
