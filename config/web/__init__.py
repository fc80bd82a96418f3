"""The web server: its workers and connections, what strangers may cost, and what is logged of them."""
