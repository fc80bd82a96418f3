"""How staff sign in: passwords, attempts, the second factor, sessions. Respondents have none of it."""
