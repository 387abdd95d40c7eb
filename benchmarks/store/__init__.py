"""How quick and how large the store is, beside the bare libraries under it."""
