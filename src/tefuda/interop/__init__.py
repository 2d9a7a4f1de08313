"""Players and games for programs of others: mjai servers."""
