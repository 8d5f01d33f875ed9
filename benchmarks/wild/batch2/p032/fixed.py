import torch

from fixed_agent import Agent, calc_loss
from config import HYPERPARAMS
from envs import CatchEnv
from nets import ConvDQN
from fixed_replay import ExperienceBuffer


def main():
    params = HYPERPARAMS["catch"]
    torch.manual_seed(params["seed"])
    env = CatchEnv(params["grid"], seed=params["seed"])
    net = ConvDQN(env.observation_shape, env.n_actions)
    tgt_net = ConvDQN(env.observation_shape, env.n_actions)
    tgt_net.load_state_dict(net.state_dict())
    buffer = ExperienceBuffer(params["replay_size"], seed=params["seed"])
    agent = Agent(env, buffer, seed=params["seed"])
    optimizer = torch.optim.Adam(net.parameters(), lr=params["learning_rate"])

    total_rewards, losses = [], []
    for frame_idx in range(params["frames"]):
        epsilon = max(params["epsilon_final"], 1.0 - frame_idx / params["epsilon_frames"])
        reward = agent.play_step(net, epsilon)
        if reward is not None:
            total_rewards.append(reward)
        if len(buffer) < params["replay_initial"]:
            continue
        if frame_idx % params["target_net_sync"] == 0:
            tgt_net.load_state_dict(net.state_dict())
        optimizer.zero_grad()
        loss = calc_loss(buffer.sample(params["batch_size"]), net, tgt_net, params["gamma"])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if len(losses) % 50 == 0:
            print("%d: done %d games, loss %.4f" % (frame_idx, len(total_rewards), sum(losses[-50:]) / 50))
    print("mean reward %.4f" % (sum(total_rewards) / len(total_rewards)))


if __name__ == "__main__":
    main()
