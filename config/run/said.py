"""What `config.run.serve` says itself: a sentence, or with LOG_FORMAT=json an object like every line of the log."""

import logging
import sys

from config import settings
from config.web.logs import JsonLine


def say(sentence: str, level: int = logging.INFO) -> None:
    if settings.LOG_FORMAT == "json":
        sentence = JsonLine().format(logging.LogRecord("config.run", level, "", 0, sentence.strip(), (), None))
    print(sentence, file=sys.stdout if level == logging.INFO else sys.stderr, flush=True)
