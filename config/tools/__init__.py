"""Scripts of the Makefile: they run by themselves, without Django."""
