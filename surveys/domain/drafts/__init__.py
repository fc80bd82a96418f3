"""A draft as one plain document, changed by small named changes: the base of the studio, of copies and of imports."""
