"""Reward models: a backbone with a scalar head, its losses, and a forward without padding."""
