import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class LoRALayer:
    def init_lora(self, r, lora_alpha):
        self.r = r
        self.scaling = lora_alpha / r if r > 0 else 1.0

    def reset_lora(self):
        nn.init.kaiming_uniform_(self.lora_A, a=math.sqrt(5))
        nn.init.zeros_(self.lora_B)


class Linear(nn.Linear, LoRALayer):
    def __init__(self, in_features, out_features, r=0, lora_alpha=1, **kwargs):
        nn.Linear.__init__(self, in_features, out_features, **kwargs)
        self.init_lora(r, lora_alpha)
        self.lora_A = nn.Parameter(self.weight.new_empty(r, in_features))
        self.lora_B = nn.Parameter(self.weight.new_empty(out_features, r))
        self.weight.requires_grad = False
        self.reset_lora()

    def forward(self, x):
        return F.linear(x, self.weight + (self.lora_B @ self.lora_A) * self.scaling, self.bias)


class ConvLoRA(LoRALayer):
    def init_conv_lora(self, r, lora_alpha):
        self.init_lora(r, lora_alpha)
        k = self.kernel_size[0]
        self.lora_A = nn.Parameter(self.weight.new_empty(r * k, self.in_channels * k))
        self.lora_B = nn.Parameter(self.weight.new_empty(self.out_channels * k ** (self.weight.dim() - 3), r * k))
        self.weight.requires_grad = False
        self.reset_lora()

    def merged_weight(self):
        delta = (self.lora_B @ self.lora_A).view(self.weight.shape)
        return self.weight + delta * self.scaling


class Conv2d(nn.Conv2d, ConvLoRA):
    def __init__(self, *args, r=0, lora_alpha=1, **kwargs):
        nn.Conv2d.__init__(self, *args, **kwargs)
        self.init_conv_lora(r, lora_alpha)

    def forward(self, x):
        return self._conv_forward(x, self.merged_weight(), self.bias)


class Conv1d(nn.Conv1d, ConvLoRA):
    def __init__(self, *args, r=0, lora_alpha=1, **kwargs):
        nn.Conv1d.__init__(self, *args, **kwargs)
        self.init_conv_lora(r, lora_alpha)

    def forward(self, x):
        return self._conv_forward(x, self.merged_weight(), self.bias)


def mark_only_lora_as_trainable(model):
    for name, p in model.named_parameters():
        p.requires_grad = "lora_" in name or name.startswith("head")


def lora_state_dict(model):
    return {k: v for k, v in model.state_dict().items() if "lora_" in k}
