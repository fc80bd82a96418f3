"""How tables of choices are coded."""

NOT_ASKED = 255  # an item that a sampled block did not ask, in a table whose codes are bytes
