import torch
import torch.nn as nn
from torch.distributions import Categorical


class SeriesExtractor(nn.Module):
    """encodes the window of observations of every environment"""

    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.norm = nn.LayerNorm(cfg.n_features)
        self.lstm = nn.LSTM(cfg.n_features, cfg.lstm_hidden, batch_first=True)
        self.linear = nn.Sequential(nn.Linear(cfg.window * cfg.lstm_hidden, cfg.features_dim), nn.Tanh())

    def forward(self, obs):
        series, _ = self.lstm(self.norm(obs))
        series = series.reshape(self.cfg.n_envs, -1, self.cfg.window * self.cfg.lstm_hidden)
        return self.linear(series).mean(1)


class ActorCritic(nn.Module):
    def __init__(self, cfg, n_actions):
        super().__init__()
        self.extractor = SeriesExtractor(cfg)
        self.pi = nn.Linear(cfg.features_dim, n_actions)
        self.vf = nn.Linear(cfg.features_dim, 1)

    def forward(self, obs):
        features = self.extractor(obs)
        dist = Categorical(logits=self.pi(features))
        actions = dist.sample()
        return actions, self.vf(features).squeeze(-1), dist.log_prob(actions)

    def evaluate_actions(self, obs, actions):
        features = self.extractor(obs)
        dist = Categorical(logits=self.pi(features))
        return self.vf(features).squeeze(-1), dist.log_prob(actions), dist.entropy()
