import torch


class Corridor:
    """Walk to the right end; every step costs a little."""

    n_actions = 3

    def __init__(self, length):
        self.length = length
        self.obs_dim = length
        self.reset()

    def reset(self):
        self.pos, self.age = 0, 0
        return self.observe()

    def observe(self):
        return torch.nn.functional.one_hot(torch.tensor(self.pos), self.length).float()

    def step(self, action):
        self.pos = min(max(self.pos + action - 1, 0), self.length - 1)
        self.age += 1
        done = self.pos == self.length - 1 or self.age >= 25
        reward = 1.0 if self.pos == self.length - 1 else -0.05
        return self.observe(), reward, done


@torch.no_grad()
def rollout(env, net, steps):
    rows = {k: [] for k in ("obs", "actions", "logp", "values", "rewards", "masks")}
    obs = env.reset()
    for _ in range(steps):
        dist, value = net(obs.unsqueeze(0))
        action = dist.sample()
        nxt, reward, done = env.step(action.item())
        rows["obs"].append(obs)
        rows["actions"].append(action)
        rows["logp"].append(dist.log_prob(action))
        rows["values"].append(value[0])
        rows["rewards"].append(torch.tensor([reward]))
        rows["masks"].append(torch.tensor([0.0 if done else 1.0]))
        obs = env.reset() if done else nxt
    out = {k: torch.stack(v) for k, v in rows.items()}
    out["actions"], out["logp"] = out["actions"].squeeze(1), out["logp"].squeeze(1)
    return out
