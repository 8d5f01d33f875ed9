import torch


def logprobs_from_logits(logits, labels):
    logp = logits.log_softmax(-1)
    return logp.gather(2, labels.unsqueeze(-1)).squeeze(-1)


class PPOTrainer:
    def __init__(self, model, ref_model, config):
        self.model, self.ref_model, self.config = model, ref_model, config
        self.optimizer = torch.optim.Adam(model.parameters(), lr=config["lr"])

    def forward_pass(self, model, query, response):
        input_ids = torch.cat([query, response], dim=1)
        gen_len = response.size(1)
        logits, values = model(input_ids)
        logprobs = logprobs_from_logits(logits[:, :-1], input_ids[:, 1:])
        return logprobs[:, -gen_len:], values[:, -gen_len - 1:-1]

    def compute_rewards(self, scores, logprobs, ref_logprobs):
        rewards = -self.config["init_kl_coef"] * (logprobs - ref_logprobs)
        rewards[:, -1] += scores
        return rewards

    def advantages(self, values, rewards):
        lastgaelam, reversed_adv = 0, []
        gen_len = rewards.size(1)
        for t in reversed(range(gen_len)):
            nextvalues = values[:, t + 1] if t < gen_len - 1 else 0.0
            delta = rewards[:, t] + self.config["gamma"] * nextvalues - values[:, t]
            lastgaelam = delta + self.config["gamma"] * self.config["lam"] * lastgaelam
            reversed_adv.append(lastgaelam)
        return torch.stack(reversed_adv[::-1], dim=1)

    def step(self, query, response, scores):
        cfg = self.config
        with torch.no_grad():
            old_logprobs, old_values = self.forward_pass(self.model, query, response)
            ref_logprobs, _ = self.forward_pass(self.ref_model, query, response)
        rewards = self.compute_rewards(scores, old_logprobs, ref_logprobs)
        adv = self.advantages(old_values, rewards)
        returns = adv + old_values
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)

        for _ in range(cfg["ppo_epochs"]):
            logprobs, values = self.forward_pass(self.model, query, response)
            vclipped = torch.max(torch.min(values, old_values + cfg["cliprange_value"]), old_values - cfg["cliprange_value"])
            vf_loss = 0.5 * torch.max((values - returns) ** 2, (vclipped - returns) ** 2).mean()
            ratio = torch.exp(logprobs - old_logprobs)
            pg_loss = torch.max(-adv * ratio, -adv * ratio.clamp(1 - cfg["cliprange"], 1 + cfg["cliprange"])).mean()
            loss = pg_loss + cfg["vf_coef"] * vf_loss
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        kl = (old_logprobs - ref_logprobs).sum(1).mean().item()
        return {"loss": loss.item(), "kl": kl}
