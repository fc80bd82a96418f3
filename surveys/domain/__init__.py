"""What the system does with surveys, as plain functions; docs/design.md lists the rooms."""
