"""Policies improved by rewards: data, policy, rollout, loss, loop; one file for each idea."""
