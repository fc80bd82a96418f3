"""What somebody who can write to the broker may put there."""

from pathlib import Path
from typing import Any


class Plant:
    """Becomes a file when somebody unpickles it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)
