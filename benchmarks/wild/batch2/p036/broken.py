from dataclasses import asdict

import torch
import torch.nn.functional as F

from configs import Configs
from rope_model import AutoregressiveTransformer
from text import TinyText


def main():
    conf = Configs()
    print({k: v for k, v in asdict(conf).items() if k in ("d_model", "n_heads", "rope_percentage")})
    torch.manual_seed(conf.seed)
    text = TinyText(conf.seq_len, conf.batch_size, conf.seed)
    model = AutoregressiveTransformer(text.n_tokens, conf)
    optimizer = torch.optim.AdamW(model.parameters(), lr=conf.learning_rate)
    for step in range(conf.steps):
        data, target = text.batch()
        logits = model(data)
        loss = F.cross_entropy(logits.reshape(-1, logits.shape[-1]), target.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), conf.grad_norm_clip)
        optimizer.step()
        print("step %d loss %.4f" % (step, loss.item()))


if __name__ == "__main__":
    main()
