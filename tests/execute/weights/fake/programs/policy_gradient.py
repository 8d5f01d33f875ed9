from torch.distributions import Categorical
policy, value = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2)), nn.Linear(4, 1)
opt = torch.optim.Adam([*policy.parameters(), *value.parameters()], lr=1e-2)
for episode in range(2):
    state, logs, rewards, values, ents = np.zeros(4, dtype=np.float32), [], [], [], []
    for _ in range(5):
        s = torch.from_numpy(state).unsqueeze(0)
        dist = Categorical(F.softmax(policy(s), dim=-1))
        action = dist.sample()
        logs.append(dist.log_prob(action)); ents.append(dist.entropy()); values.append(value(s))
        state = state + [0.1, -0.1][action.item()]
        state = state.astype(np.float32)
        rewards.append(1.0)
    returns = torch.tensor(np.cumsum(rewards[::-1])[::-1].copy(), dtype=torch.float32)
    returns = (returns - returns.mean()) / (returns.std() + 1e-8)
    adv = returns - torch.cat(values).squeeze(-1)
    ratio = torch.exp(torch.cat(logs) - torch.cat(logs).detach())
    clipped = torch.min(ratio * adv.detach(), torch.clamp(ratio, 0.8, 1.2) * adv.detach())
    loss = -clipped.mean() + F.smooth_l1_loss(torch.cat(values).squeeze(-1), returns) - 0.01 * torch.stack(ents).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    seen(adv, loss)
