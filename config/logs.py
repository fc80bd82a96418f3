"""Log lines that say what happened and not to whom."""

import logging


class RouteOnly(logging.Filter):
    """Django's lines about a request name its path, which may hold a receipt: the route stands there instead."""

    def filter(self, record: logging.LogRecord) -> bool:
        match = getattr(getattr(record, "request", None), "resolver_match", None)
        if isinstance(record.args, tuple) and len(record.args) == 2:
            record.args = (record.args[0], match.route if match else "no page of ours")
        return True
