"""The players of Koi-Koi. Each is a way to play cards joined to a way to decide agari or koi-koi (decision.py)."""
