"""Files of the project: written whole or not at all, policy files, provenance, resumable parts."""
