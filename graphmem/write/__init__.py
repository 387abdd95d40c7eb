"""The write path: what was said becomes a Delta. Touches nothing."""
