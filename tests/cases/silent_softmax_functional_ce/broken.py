import torch
import torch.nn as nn
import torch.nn.functional as F


class Policy(nn.Module):
    """Imitates an expert driver: left, straight, right, brake."""

    def __init__(self, sensors=8, actions=4):
        super().__init__()
        self.affine1 = nn.Linear(sensors, 48)
        self.affine2 = nn.Linear(48, actions)

    def forward(self, x):
        scores = self.affine2(F.relu(self.affine1(x)))
        return F.softmax(scores, dim=-1)


def expert(sensors):
    return sensors[:, :4].argmax(dim=1)


def clone_behaviour(policy, iterations, batch_size):
    optimizer = torch.optim.SGD(policy.parameters(), lr=0.5)
    for i in range(iterations):
        observation = torch.randn(batch_size, 8)
        action = expert(observation)
        action_probs = policy(observation)
        loss = F.cross_entropy(action_probs, action)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (i + 1) % 40 == 0:
            print(f"iteration {i + 1} loss {loss.item():.4f}")


torch.manual_seed(35)
clone_behaviour(Policy(), iterations=120, batch_size=32)
