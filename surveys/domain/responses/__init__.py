"""The way of a response: received, encrypted while it waits, sealed into parts, read as far as it may be reported."""
