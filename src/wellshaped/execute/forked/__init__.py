"""Forked children: what they may spend, what they inherit, and how they answer."""
