import torch
from torch import nn
from torch.distributions import Categorical


class RNNPolicy(nn.Module):
    def __init__(self, n_obs=3, n_act=2, hidden=16):
        super().__init__()
        self.cell = nn.GRU(n_obs, hidden)
        self.pi = nn.Linear(hidden, n_act)

    def forward(self, obs):
        h, _ = self.cell(obs)
        return Categorical(logits=self.pi(h))


def play(policy, n_episodes, longest):
    """Returns (time, batch, ...) tensors; an episode ends with its first wrong action or at its own limit."""
    limit = torch.where(torch.rand(n_episodes) < 0.1, longest, 6)
    obs = torch.randn(longest, n_episodes, 3)
    with torch.no_grad():
        acts = policy(obs).sample()
    good = (acts == (obs[..., 0] > 0).long()).float()
    alive = torch.ones(n_episodes)
    masks = torch.zeros(longest, n_episodes)
    rews = torch.zeros(longest, n_episodes)
    for t in range(longest):
        alive = alive * (t < limit).float()
        masks[t] = alive
        rews[t] = (2 * good[t] - 1) * alive
    return obs, acts, rews, masks


def pg_loss(policy, obs, acts, advs, out_masks, ent_beta=0.02):
    dist = policy(obs)
    pol_loss = -dist.log_prob(acts) * advs * out_masks
    pol_loss = torch.mean(pol_loss)
    entropy = torch.sum(dist.entropy() * out_masks) / torch.sum(out_masks)
    return pol_loss - ent_beta * entropy


def main():
    torch.manual_seed(10)
    policy = RNNPolicy()
    opt = torch.optim.SGD(policy.parameters(), lr=0.5)
    for it in range(1, 31):
        obs, acts, rews, masks = play(policy, 24, longest=40)
        base = (rews * masks).sum() / masks.sum()
        advs = (rews - base) * masks
        loss = pg_loss(policy, obs, acts, advs, masks)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 10 == 0:
            print("it", it, "loss", round(loss.item(), 4), "reward", round(base.item(), 4),
                  "padding", round(1 - masks.mean().item(), 4))


if __name__ == "__main__":
    main()
