"""Local models: text in, vectors out. Nothing here knows of a store."""
