import torch

from config import Config
from env import ChainWorld
from learn import DQNLearner
from replay_buffer import ReplayBuffer


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    env = ChainWorld(cfg.n_states, seed=cfg.seed)
    buffer = ReplayBuffer(cfg.buffer_size, env.n_states, seed=cfg.seed)
    learner = DQNLearner(env.n_states, env.n_actions, cfg)

    state = env.reset()
    returns, episode_return, losses = [], 0.0, []
    for step in range(cfg.total_steps):
        action = learner.select_action(state, step)
        next_state, reward, done = env.step(action)
        buffer.add(state, action, reward, next_state, done)
        episode_return += reward
        state = next_state
        if done:
            returns.append(episode_return)
            state, episode_return = env.reset(), 0.0

        if step >= cfg.learning_starts and step % cfg.learning_freq == 0:
            losses.append(learner.update(buffer.sample(cfg.batch_size)))
            if len(losses) % 20 == 0:
                print("step %d bellman error %.4f" % (step, sum(losses[-20:]) / 20))
    print("episodes %d, mean return %.4f" % (len(returns), sum(returns) / len(returns)))


if __name__ == "__main__":
    main()
