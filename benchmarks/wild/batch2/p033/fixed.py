import torch

from config import PPOConfig
from envs import VecTradingEnv
from fixed_ppo import PPO


def main():
    cfg = PPOConfig()
    torch.manual_seed(cfg.seed)
    env = VecTradingEnv(cfg.n_envs, cfg.window, cfg.n_features, seed=cfg.seed)
    agent = PPO(env, cfg)
    for iteration in range(cfg.iterations):
        mean_reward = agent.collect_rollouts()
        stats = agent.train()
        print("iteration %d reward %.4f policy_loss %.4f value_loss %.4f" % (
            iteration, mean_reward, stats["policy_loss"], stats["value_loss"]))


if __name__ == "__main__":
    main()
