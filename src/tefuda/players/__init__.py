"""From a player's name to somebody who can be seated and asked."""
