import argparse

import torch

from policy import TinyPolicy, sequence_logp
from rewards import make_problems, score
from rollouts import expand_prompts, group_advantages


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=12)
    p.add_argument("--prompts", type=int, default=8)
    p.add_argument("--rollouts", type=int, default=6)
    p.add_argument("--lr", type=float, default=1e-2)
    args = p.parse_args()

    torch.manual_seed(0)
    problems, answers = make_problems(args.prompts * 4)
    model = TinyPolicy(n_tokens=10, answer_len=3)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    for step in range(args.steps):
        rows = torch.randperm(len(problems))[:args.prompts]
        prompts, gold = expand_prompts(problems[rows], answers[rows], args.rollouts)
        with torch.no_grad():
            completions = torch.distributions.Categorical(logits=model(prompts)).sample()
        rewards = score(completions, gold)
        adv = group_advantages(rewards, args.rollouts)
        logp = sequence_logp(model(prompts), completions)
        loss = -(adv * logp).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"step {step} reward {rewards.mean():.4f} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
