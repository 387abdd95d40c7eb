"""Upkeep: what happens in the background, never on a caller's path."""
