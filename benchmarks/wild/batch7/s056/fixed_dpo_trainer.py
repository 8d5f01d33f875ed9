import torch
import torch.nn.functional as F


def get_batch_logps(logits, ids, prompt_lens):
    labels = ids[:, 1:]
    loss_masks = labels != 0
    for mask, source_len in zip(loss_masks, prompt_lens + prompt_lens):
        mask[:source_len - 1] = False
    logps = logits[:, :-1].log_softmax(dim=-1)
    picked = logps.gather(2, labels.unsqueeze(2)).squeeze(2)
    return (picked * loss_masks).sum(dim=1)


def concatenated_forward(model, ids, prompt_lens):
    """Chosen and rejected rows in one pass."""
    return get_batch_logps(model(ids), ids, prompt_lens).chunk(2)


def dpo_loss(policy, reference, beta):
    chosen, rejected = policy[0] - reference[0], policy[1] - reference[1]
    margin = beta * (chosen - rejected)
    return -F.logsigmoid(margin).mean(), margin.mean().detach()
