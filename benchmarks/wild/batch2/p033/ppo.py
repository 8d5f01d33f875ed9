import torch
import torch.nn.functional as F

from policies import ActorCritic


class PPO:
    def __init__(self, env, cfg):
        self.env, self.cfg = env, cfg
        self.policy = ActorCritic(cfg, env.n_actions)
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=cfg.lr)
        self.last_obs = torch.from_numpy(env.reset())

    @torch.no_grad()
    def collect_rollouts(self):
        rows = []
        for _ in range(self.cfg.n_steps):
            actions, values, log_probs = self.policy(self.last_obs)
            obs, reward, done = self.env.step(actions.numpy())
            rows.append((self.last_obs, actions, values, log_probs, torch.from_numpy(reward), torch.from_numpy(done)))
            self.last_obs = torch.from_numpy(obs)
        self.obs, self.actions, self.values, self.log_probs, rewards, dones = (torch.stack(c) for c in zip(*rows))
        _, last_value, _ = self.policy(self.last_obs)
        adv, gae = torch.zeros_like(rewards), 0.0
        for t in reversed(range(self.cfg.n_steps)):
            nxt = last_value if t == self.cfg.n_steps - 1 else self.values[t + 1]
            delta = rewards[t] + self.cfg.gamma * nxt * (1 - dones[t]) - self.values[t]
            gae = delta + self.cfg.gamma * self.cfg.gae_lambda * (1 - dones[t]) * gae
            adv[t] = gae
        self.advantages, self.returns = adv, adv + self.values
        return rewards.mean().item()

    def train(self):
        cfg = self.cfg
        fields = (self.obs, self.actions, self.log_probs, self.advantages, self.returns)
        obs, actions, old_log_probs, advantages, returns = (f.flatten(0, 1) for f in fields)
        for _ in range(cfg.n_epochs):
            for ids in torch.randperm(len(obs)).split(cfg.batch_size):
                values, log_prob, entropy = self.policy.evaluate_actions(obs[ids], actions[ids])
                adv = advantages[ids]
                adv = (adv - adv.mean()) / (adv.std() + 1e-8)
                ratio = torch.exp(log_prob - old_log_probs[ids])
                clipped = ratio.clamp(1 - cfg.clip_range, 1 + cfg.clip_range)
                policy_loss = -torch.min(adv * ratio, adv * clipped).mean()
                value_loss = F.mse_loss(values, returns[ids])
                loss = policy_loss + cfg.vf_coef * value_loss - cfg.ent_coef * entropy.mean()
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
        return {"policy_loss": policy_loss.item(), "value_loss": value_loss.item()}
