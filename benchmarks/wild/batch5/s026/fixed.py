import argparse

import torch

from fixed_agent import ActorCritic, ppo_step
from gae import estimate_advantages
from world import Corridor, rollout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--iters", type=int, default=8)
    parser.add_argument("--steps", type=int, default=128)
    parser.add_argument("--minibatch", type=int, default=32)
    parser.add_argument("--gamma", type=float, default=0.97)
    parser.add_argument("--tau", type=float, default=0.95)
    args = parser.parse_args()

    torch.manual_seed(0)
    env = Corridor(length=7)
    net = ActorCritic(env.obs_dim, env.n_actions)
    optim = torch.optim.Adam(net.parameters(), lr=5e-3)
    for it in range(args.iters):
        batch = rollout(env, net, args.steps)
        adv, ret = estimate_advantages(batch["rewards"], batch["masks"], batch["values"],
                                       args.gamma, args.tau)
        for _ in range(4):
            for rows in torch.randperm(args.steps).split(args.minibatch):
                pg, vf = ppo_step(net, optim, batch["obs"][rows], batch["actions"][rows],
                                  batch["logp"][rows], adv[rows], ret[rows])
        mean_reward = batch["rewards"].mean().item()
        print(f"iter {it} reward {mean_reward:.4f} policy loss {pg:.4f} value loss {vf:.4f}")


if __name__ == "__main__":
    main()
