"""How values lie in the broker: as JSON, which only ever becomes numbers and texts again.

Django would write and read them as pickles. Whoever can write to the broker would have code of theirs run by everybody
who reads there.
"""

import json


class Json:
    def dumps(self, value: int | str) -> bytes:
        return json.dumps(value).encode()

    def loads(self, written: bytes) -> int | str:
        """ValueError for everything that this site does not write there."""
        try:
            value = json.loads(written) if len(written) < 1000 else None
        except RecursionError:  # of a thousand brackets
            value = None
        if isinstance(value, int | str):
            return value
        raise ValueError("The broker holds something that this site has not written.")
