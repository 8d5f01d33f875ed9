"""One process or many, through accelerate: steps, shards, and the engine of DeepSpeed."""
