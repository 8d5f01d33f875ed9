"""Responses of a policy: written here, or by a server that has its weights."""
