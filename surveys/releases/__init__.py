"""Releases of a closed version: what is asked for, who works on it, and what is made."""
