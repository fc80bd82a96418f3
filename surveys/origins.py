"""The origin of a page, as browsers name it. Settings read this before Django is there, so it needs nothing else."""

import re

# What goes into a header as it is. A survey can be tried in a page of one's own computer.
_LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
ORIGIN = re.compile(rf"(https://{_LABEL}(\.{_LABEL})*|http://(localhost|127\.0\.0\.1))(:[1-9]\d{{0,4}})?")
