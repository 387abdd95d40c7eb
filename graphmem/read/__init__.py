"""The read path: a question becomes a Recall. Changes nothing. Start in pipeline.py."""
