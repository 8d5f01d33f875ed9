"""One way to switch dropout off, wherever a model keeps its rate."""

from torch import nn

from wellshaped.train.models.dropout import without_dropout


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention_dropout = 0.1
        self.attn_dropout_rate = 0.2
        self.dropout_name = "none"
        self.inner = nn.Dropout(0.3)


def test_layers_and_rates_kept_as_numbers_are_set_to_0():
    module = nn.Sequential(Attention(), nn.Dropout2d(0.4))
    without_dropout(module)
    attention, layer = module
    assert (attention.attention_dropout, attention.attn_dropout_rate) == (0.0, 0.0)
    assert (attention.inner.p, layer.p, attention.dropout_name) == (0.0, 0.0, "none")
    assert module.training
