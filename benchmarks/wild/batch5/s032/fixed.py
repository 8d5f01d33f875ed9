import argparse

import torch
import torch.nn.functional as F

from chunks import chunk_batches, make_episodes
from fixed_recurrent import ValueNet


def main():
    parser = argparse.ArgumentParser(description="value learning on chunked episodes")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--episodes", type=int, default=48)
    parser.add_argument("--rows", type=int, default=8)
    parser.add_argument("--max-chunk", type=int, default=10)
    args = parser.parse_args()
    torch.manual_seed(0)
    episodes = make_episodes(args.episodes)
    net = ValueNet(obs_dim=3, hidden=24)
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    for epoch in range(args.epochs):
        total, count = 0.0, 0
        for chunks in chunk_batches(episodes, args.rows, args.max_chunk):
            state = net.initial_state(args.rows)
            for obs, ret, lens in chunks:
                value, state = net(obs, state, lens)
                real = torch.arange(obs.size(1)) < lens[:, None]
                loss = F.mse_loss(value[real], ret[real])
                opt.zero_grad()
                loss.backward()
                opt.step()
                state = tuple(s.detach() for s in state)
                total, count = total + loss.item(), count + 1
        print(f"epoch {epoch} value loss {total / count:.4f}")


if __name__ == "__main__":
    main()
