import argparse
import json
from pathlib import Path

import numpy as np
import torch

from dqn import Agent
from lander import ToyLander


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", type=Path, default=Path(__file__).with_name("lander.json"))
    parser.add_argument("--games", type=int, default=8)
    args = parser.parse_args()
    cfg = json.loads(args.config.read_text())

    np.random.seed(cfg["seed"])
    torch.manual_seed(cfg["seed"])
    env = ToyLander(cfg["env"]["n_obs"], cfg["env"]["n_actions"], cfg["env"]["max_steps"])
    agent = Agent(cfg)
    scores = []
    for _ in range(args.games):
        obs, done, score = env.reset(), False, 0.0
        while not done:
            action = agent.choose(obs)
            nxt, reward, done = env.step(action)
            agent.memory.store(obs=obs, action=action, reward=reward, next_obs=nxt, done=done)
            agent.learn()
            obs, score = nxt, score + reward
        scores.append(score)
    print("mean score %.4f" % np.mean(scores))
    print("last losses", [round(v, 4) for v in agent.losses[-3:]])


if __name__ == "__main__":
    main()
