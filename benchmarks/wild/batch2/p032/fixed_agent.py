import numpy as np
import torch
import torch.nn as nn

from fixed_replay import Experience


class Agent:
    def __init__(self, env, exp_buffer, seed):
        self.env, self.exp_buffer = env, exp_buffer
        self.rng = np.random.RandomState(seed)
        self._reset()

    def _reset(self):
        self.state = self.env.reset()
        self.total_reward = 0.0

    @torch.no_grad()
    def play_step(self, net, epsilon):
        if self.rng.rand() < epsilon:
            action = self.rng.randint(self.env.n_actions)
        else:
            action = int(net(torch.from_numpy(self.state[None])).argmax(1))
        new_state, reward, done = self.env.step(action)
        self.total_reward += reward
        self.exp_buffer.append(Experience(self.state, action, reward, done, new_state))
        self.state = new_state
        if done:
            result = self.total_reward
            self._reset()
            return result
        return None


def calc_loss(batch, net, tgt_net, gamma):
    states, actions, rewards, dones, next_states = batch
    states_v, next_states_v = torch.tensor(states), torch.tensor(next_states)
    actions_v, rewards_v = torch.tensor(actions), torch.tensor(rewards)
    done_mask = torch.tensor(dones, dtype=torch.bool)
    state_action_values = net(states_v).gather(1, actions_v.unsqueeze(-1)).squeeze(-1)
    with torch.no_grad():
        next_state_values = tgt_net(next_states_v).max(1)[0]
        next_state_values[done_mask] = 0.0
    expected = next_state_values * gamma + rewards_v
    return nn.MSELoss()(state_action_values, expected)
