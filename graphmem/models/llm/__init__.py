"""Ask language models: providers in their order, retries, circuit breakers, and what it costs. Start at ``order``."""
