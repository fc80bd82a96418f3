"""The way of a response: received, encrypted while it waits, sealed into parts, read again as far as it may be told."""
