"""The check of one bibliography, for a person at a prompt."""
