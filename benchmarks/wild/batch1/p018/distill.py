import torch.nn as nn
import torch.nn.functional as F


class DistillationLoss(nn.Module):
    """prediction distillation + hidden state distillation (TinyBERT style)"""

    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        # every student layer copies one out of `stride` teacher layers
        self.stride = cfg.teacher.num_layers // cfg.student.num_layers
        self.fit_dense = nn.Linear(cfg.student.hidden_size, cfg.fit_size)

    def forward(self, s_logits, s_hidden, t_logits, t_hidden, labels):
        T = self.cfg.temperature
        soft = F.kl_div(F.log_softmax(s_logits / T, -1), F.softmax(t_logits / T, -1), reduction="batchmean") * T * T
        hard = F.cross_entropy(s_logits, labels)
        t_selected = t_hidden[::self.stride]
        rep = 0.0
        for s, t in zip(s_hidden, t_selected):
            rep = rep + F.mse_loss(self.fit_dense(s), t)
        return {"hard": hard, "soft": soft, "rep": self.cfg.hidden_weight * rep}
