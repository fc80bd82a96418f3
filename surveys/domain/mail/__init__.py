"""Mail: invitations and reminders (whom the site writes to, what, and the sending), and notices to researchers."""
