import torch
from torch import nn
from torch.distributions import Normal

OBS, ACT = 6, 4


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(OBS, 32), nn.ReLU())
        self.mu, self.log_std = nn.Linear(32, ACT), nn.Linear(32, ACT)

    def forward(self, obs):
        h = self.body(obs)
        dist = Normal(self.mu(h), self.log_std(h).clamp(-4, 1).exp())
        raw = dist.rsample()
        action = torch.tanh(raw)
        log_prob = dist.log_prob(raw) - torch.log(1 - action.pow(2) + 1e-6)
        return action, log_prob


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(OBS + ACT, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, obs, act):
        return self.net(torch.cat([obs, act], -1))


class SAC:
    def __init__(self, gamma=0.9, alpha=0.2, tau=0.05):
        self.actor, self.critic, self.target = Actor(), Critic(), Critic()
        self.target.load_state_dict(self.critic.state_dict())
        self.opt_a = torch.optim.Adam(self.actor.parameters(), lr=3e-3)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=3e-3)
        self.gamma, self.alpha, self.tau = gamma, alpha, tau

    def td_target(self, rew, nxt, done):
        with torch.no_grad():
            act, log_prob = self.actor(nxt)
            value = self.target(nxt, act) - self.alpha * log_prob
            return rew + self.gamma * (1 - done) * value

    def update(self, obs, act, rew, nxt, done):
        target = self.td_target(rew, nxt, done)
        critic_loss = (self.critic(obs, act) - target).pow(2).mean()
        self.opt_c.zero_grad()
        critic_loss.backward()
        self.opt_c.step()
        new_act, log_prob = self.actor(obs)
        actor_loss = (self.alpha * log_prob - self.critic(obs, new_act)).mean()
        self.opt_a.zero_grad()
        actor_loss.backward()
        self.opt_a.step()
        for p, q in zip(self.target.parameters(), self.critic.parameters()):
            p.data.lerp_(q.data, self.tau)
        return critic_loss.item(), actor_loss.item()


torch.manual_seed(0)
agent = SAC()
memory = []
for _ in range(256):
    o, a = torch.randn(OBS), torch.rand(ACT) * 2 - 1
    r = -((a - torch.tanh(o[:ACT])) ** 2).sum().reshape(1)
    memory.append((o, a, r, torch.randn(OBS), torch.zeros(1)))
for step in range(1, 61):
    rows = [memory[i] for i in torch.randint(0, len(memory), (64,)).tolist()]
    c, a = agent.update(*(torch.stack(col) for col in zip(*rows)))
    if step % 20 == 0:
        print("step %d critic %.4f actor %.4f" % (step, c, a))
