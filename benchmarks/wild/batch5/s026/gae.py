import torch


def estimate_advantages(rewards, masks, values, gamma, tau):
    """All of shape (steps, 1)."""
    deltas = torch.zeros_like(rewards)
    advantages = torch.zeros_like(rewards)
    prev_value, prev_adv = 0.0, 0.0
    for i in reversed(range(rewards.size(0))):
        deltas[i] = rewards[i] + gamma * prev_value * masks[i] - values[i]
        advantages[i] = deltas[i] + gamma * tau * prev_adv * masks[i]
        prev_value, prev_adv = values[i, 0], advantages[i, 0]
    returns = values + advantages
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    return advantages, returns
