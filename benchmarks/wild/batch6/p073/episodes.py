import torch

END = 0


@torch.no_grad()
def sample(model, prompt, max_new, g):
    ids = list(prompt)
    for _ in range(max_new):
        probs = model(torch.tensor([ids]))[0, -1].softmax(dim=-1)
        ids.append(int(torch.multinomial(probs, 1, generator=g)))
        if ids[-1] == END:
            break
    return ids[len(prompt):]


def reward(prompt, response):
    return float(sum(prompt) % 11 in response) + 0.5 * (response[-1] == END)


def create_episodes(model, prompts, group, max_new, vocab, g):
    episodes = []
    for _ in range(prompts):
        prompt = torch.randint(1, vocab, (3,), generator=g).tolist()
        responses = [sample(model, prompt, max_new, g) for _ in range(group)]
        rewards = torch.tensor([reward(prompt, r) for r in responses])
        advantages = (rewards - rewards.mean()) / (rewards.std() + 1e-4)
        episodes += [(prompt, r, a.item()) for r, a in zip(responses, advantages)]
    return episodes


def pad_episodes(episodes):
    width = max(len(p) + len(r) for p, r, _ in episodes)
    ids = torch.zeros(len(episodes), width, dtype=torch.long)
    labels = torch.full((len(episodes), width), -100)
    advantages = torch.zeros(len(episodes), width)
    for i, (p, r, a) in enumerate(episodes):
        ids[i, :len(p) + len(r)] = torch.tensor(p + r)
        labels[i, len(p):len(p) + len(r)] = torch.tensor(r)
        advantages[i, len(p):len(p) + len(r)] = a
    return {"input_ids": ids, "labels": labels, "advantages": advantages}
