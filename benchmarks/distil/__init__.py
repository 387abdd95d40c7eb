"""What distilling costs: how quick a large ingest is, and how little searches and writes notice of it."""
