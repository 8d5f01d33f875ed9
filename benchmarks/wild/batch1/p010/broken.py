import json

import torch

from model import TinyLMWithValueHead, generate
from ppo import PPOTrainer
from reward import SentimentReward


def main():
    with open("ppo_config.json") as f:
        config = json.load(f)
    torch.manual_seed(config["seed"])

    policy = TinyLMWithValueHead(config["vocab_size"], config["hidden_size"])
    ref = TinyLMWithValueHead(config["vocab_size"], config["hidden_size"])
    ref.load_state_dict(policy.state_dict())
    reward_fn = SentimentReward(positive=range(2, 8))
    trainer = PPOTrainer(policy, ref, config)

    prompts = torch.randint(1, config["vocab_size"], (config["num_prompts"], config["prompt_len"]))
    for step in range(config["steps"]):
        start = (step * config["batch_size"]) % config["num_prompts"]
        query = prompts[start:start + config["batch_size"]]
        response = generate(policy, query, config["gen_len"])
        scores = reward_fn(response)
        stats = trainer.step(query, response, scores)
        print("step {} reward {:.4f} kl {:.4f} loss {:.4f}".format(
            step, scores.mean().item(), stats["kl"], stats["loss"]))


if __name__ == "__main__":
    main()
