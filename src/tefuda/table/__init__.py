"""One table in Python: what seats know, its record, a session, the value of actions."""
