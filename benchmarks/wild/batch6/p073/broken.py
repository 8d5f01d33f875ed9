import argparse
import json
import os

import torch

from episodes import create_episodes, pad_episodes
from lm import CountdownLM, token_logps
from pg import compute_pg_loss

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description="r1 from scratch")
    parser.add_argument("--config", default=os.path.join(HERE, "r1.json"))
    args = parser.parse_args()
    with open(args.config) as f:
        cfg = json.load(f)
    torch.manual_seed(cfg["seed"])
    policy, reference = CountdownLM(cfg["vocab"], cfg["dim"]), CountdownLM(cfg["vocab"], cfg["dim"])
    reference.load_state_dict(policy.state_dict())
    opt = torch.optim.AdamW(policy.parameters(), lr=cfg["lr"])
    g = torch.Generator().manual_seed(cfg["seed"])
    for it in range(cfg["iterations"]):
        episodes = create_episodes(policy, cfg["prompts"], cfg["group"], cfg["max_new"], cfg["vocab"], g)
        batch = pad_episodes(episodes)
        with torch.no_grad():
            batch["ref_logps"] = token_logps(reference, batch["input_ids"], batch["labels"])
        loss, metrics = compute_pg_loss(policy, batch, cfg["kl_coefficient"])
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"iter {it} loss {loss.item():.4f} kl {metrics['kl']:.4f} zero {metrics['zero_advantages']:.4f}")


if __name__ == "__main__":
    main()
