"""Proving repairs by running them on tensors of our own making."""
