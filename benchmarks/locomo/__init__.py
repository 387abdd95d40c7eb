"""The place of the LoCoMo benchmark, which does not exist yet."""
