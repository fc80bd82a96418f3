"""Invitations and reminders by mail: whom the site writes to (`invitees`), what (`texts`), and the sending (`send`)."""
