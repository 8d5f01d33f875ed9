"""Small training steps, broken and healthy, each with its batch: what a certificate must say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

Made = tuple[Callable[..., Any], Any]
B, T, C, V = 6, 7, 5, 20
LENGTHS = torch.tensor([7, 3, 5, 2, 6, 4])


def rows() -> tuple[torch.Tensor, torch.Tensor]:
    """Vectors and their classes."""
    return torch.randn(B, C), torch.randint(0, 3, (B,))


def tokens() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Padded tokens, the mask of the real ones, and classes."""
    mask = torch.arange(T) < LENGTHS[:, None]
    return torch.randint(1, V, (B, T)) * mask, mask, torch.randint(0, 3, (B,))


class Tagger(nn.Module):
    """Embeds tokens, mixes them by `read`, and scores three classes."""

    def __init__(
        self, read: Callable[[torch.Tensor, torch.Tensor], torch.Tensor], *more: nn.Module
    ):
        super().__init__()
        self.embed, self.head = nn.Embedding(V, C), nn.Linear(C, 3)
        self.more = nn.ModuleList(more)
        self.read = read

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> Any:
        return self.head(self.read(self.embed(ids), mask))


def classify(model: nn.Module) -> Callable[..., torch.Tensor]:
    """A step of plain classification."""

    def step(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        return loss

    return step


def reading(read: Callable[[torch.Tensor, torch.Tensor], torch.Tensor], *more: nn.Module) -> Made:
    """A step that classifies padded tokens."""
    model = Tagger(read, *more)

    def step(ids: torch.Tensor, mask: torch.Tensor, y: torch.Tensor) -> None:
        F.cross_entropy(model(ids, mask), y).backward()

    return step, tokens()


class Apply(nn.Module):
    """A function as a layer."""

    def __init__(self, function: Callable[[torch.Tensor], torch.Tensor]):
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.function(x)


def layers(*parts: Any) -> Made:
    """A step that classifies vectors."""
    made = [each if isinstance(each, nn.Module) else Apply(each) for each in parts]
    return classify(nn.Sequential(*made)), rows()


# --- rows


def centred() -> Made:
    score = nn.Linear(C, 1)

    def step(x: torch.Tensor, y: torch.Tensor) -> None:
        value = score(x).squeeze(1)
        (value - value.mean()).pow(2).mul(y).sum().backward()

    return step, rows()


def batch_softmax() -> Made:
    return layers(nn.Linear(C, 3), lambda x: x.softmax(0))


def summed_penalty() -> Made:
    encode = nn.Linear(C, 4)

    def step(x: torch.Tensor, y: torch.Tensor) -> None:
        z = encode(x)
        (torch.sum(z.pow(2)) * x[:, 0]).sum().backward()

    return step, rows()


def crossed() -> Made:
    score = nn.Linear(C, 1)

    def step(x: torch.Tensor, y: torch.Tensor) -> None:
        (score(x) - y.float()).pow(2).mean().backward()

    return step, rows()


def plain() -> Made:
    return layers(nn.Linear(C, 8), nn.ReLU(), nn.Linear(8, 3))


def with_batch_norm() -> Made:
    return layers(nn.Linear(C, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 3))


def with_dropout() -> Made:
    return layers(nn.Linear(C, 8), nn.Dropout(0.5), nn.LayerNorm(8), nn.Linear(8, 3))


def noisy() -> Made:
    encode, decode = nn.Linear(C, 4), nn.Linear(2, C)

    def step(x: torch.Tensor, y: torch.Tensor) -> None:
        mean, spread = encode(x).chunk(2, 1)
        z = mean + torch.randn_like(mean) * spread.exp()
        F.mse_loss(decode(z), x).backward()

    return step, rows()


def masked_mean() -> Made:
    return reading(lambda x, mask: (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True))


# --- order


def crossed_groups() -> Made:
    encode, score = nn.Linear(C, 4), nn.Linear(8, 1)

    def step(x: torch.Tensor, y: torch.Tensor) -> None:
        first = encode(x)
        pairs = torch.cat([first.repeat(3, 1), first.repeat_interleave(3, 0)], 1)
        score(pairs.tanh()).pow(2).mean().backward()

    return step, rows()


def mixed_view() -> Made:
    return layers(nn.Linear(C, 8), lambda x: x.view(4, -1).t().reshape(B, 8), nn.Linear(8, 3))


def rows_as_time() -> Made:
    return layers(lambda x: x.unsqueeze(1), nn.RNN(C, 8), lambda out: out[0][:, 0], nn.Linear(8, 3))


def by_position() -> Made:
    table = nn.Parameter(torch.randn(B, C))
    return layers(lambda x: x + table, nn.Linear(C, 3))


def neighbours() -> Made:
    encode = nn.Linear(C, 4)

    def step(x: torch.Tensor, y: torch.Tensor) -> None:
        z = F.normalize(encode(x), dim=1)
        other = torch.arange(len(z)) + 1 - 2 * (torch.arange(len(z)) % 2)
        F.cross_entropy((z @ z.t()).fill_diagonal_(-9.0), other).backward()

    return step, rows()


def in_batch_negatives() -> Made:
    left, right = nn.Linear(C, 4), nn.Linear(C, 4)

    def step(x: torch.Tensor, y: torch.Tensor) -> None:
        table = left(x) @ right(x).t()
        F.cross_entropy(table, torch.arange(len(x))).backward()

    return step, rows()


def right_groups() -> Made:
    encode, score = nn.Linear(C, 4), nn.Linear(8, 1)

    def step(x: torch.Tensor, y: torch.Tensor) -> None:
        first = encode(x)
        pairs = torch.cat([first.repeat_interleave(3, 0), x.repeat_interleave(3, 0)[:, :4]], 1)
        score(pairs.tanh()).view(-1, 3).softmax(1).pow(2).sum(1).mean().backward()

    return step, rows()


def whitened() -> Made:
    score = nn.Linear(C, 1)

    def step(x: torch.Tensor, y: torch.Tensor) -> None:
        value = score(x).squeeze(1)
        gain = (y - y.float().mean()) / y.float().std()
        (value.sigmoid().log() * gain).mean().backward()

    return step, rows()


def set_function() -> Made:
    return reading(lambda x, mask: torch.where(mask[..., None], x, -9.0).amax(1))


# --- padding


def mean_of_all() -> Made:
    return reading(lambda x, mask: x.mean(1))


def norm_over_padding() -> Made:
    norm = nn.BatchNorm1d(C)

    def read(x: torch.Tensor, mask: torch.Tensor) -> Any:
        normed = norm(x.transpose(1, 2)).transpose(1, 2)
        return (normed * mask[..., None]).sum(1)

    return reading(read, norm)


def last_position() -> Made:
    gru = nn.GRU(C, C, batch_first=True)
    return reading(lambda x, mask: gru(x)[0][:, -1], gru)


def unmasked_attention() -> Made:
    attend = nn.MultiheadAttention(C, 1, batch_first=True)
    return reading(lambda x, mask: attend(x, x, x)[0][:, 0], attend)


def counted_in_loss() -> Made:
    model = Tagger(lambda x, mask: x)

    def step(ids: torch.Tensor, mask: torch.Tensor, y: torch.Tensor) -> None:
        scores = model(ids, mask).transpose(1, 2)
        (F.cross_entropy(scores, ids % 3, reduction="none") * mask).mean().backward()

    return step, tokens()


def packed() -> Made:
    gru = nn.GRU(C, C, batch_first=True)

    def read(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        lengths = mask.sum(1)
        out = gru(pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False))[0]
        out, _ = pad_packed_sequence(out, batch_first=True)
        return out[torch.arange(len(x)), lengths - 1]

    return reading(read, gru)


def masked_attention() -> Made:
    attend = nn.MultiheadAttention(C, 1, batch_first=True)
    return reading(lambda x, mask: attend(x, x, x, key_padding_mask=~mask)[0][:, 0], attend)


def ignored_in_loss() -> Made:
    model = Tagger(lambda x, mask: x)

    def step(ids: torch.Tensor, mask: torch.Tensor, y: torch.Tensor) -> None:
        target = torch.where(mask, ids % 3, -100)
        F.cross_entropy(model(ids, mask).transpose(1, 2), target).backward()

    return step, tokens()


# --- training


def softmax_of_one() -> Made:
    attend = nn.Linear(C, 1)
    return reading(lambda x, mask: (attend(x).softmax(-1) * x * mask[..., None]).sum(1), attend)


def softmax_of_flat() -> Made:
    attend = nn.Linear(C, 1)

    def read(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        weights = F.softmax(attend(x.flatten(0, 1)), dim=1).view(*x.shape[:2], 1)
        return (weights * x * mask[..., None]).sum(1)

    return reading(read, attend)


def in_plain_list() -> Made:
    class Cells(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.cells = [nn.Linear(C, C), nn.Linear(C, C)]
            self.head = nn.Linear(C, 3)

        def forward(self, x: torch.Tensor) -> Any:
            for each in self.cells:
                x = each(x).tanh()
            return self.head(x)

    return _optimized(Cells())


def in_plain_dict() -> Made:
    class Heads(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.trunk = nn.Linear(C, C)
            self.heads = {"class": nn.Linear(C, 3)}

        def forward(self, x: torch.Tensor) -> Any:
            return self.heads["class"](self.trunk(x))

    return _optimized(Heads())


def frozen_trunk() -> Made:
    trunk, head = nn.Linear(C, C), nn.Linear(C, 3)
    trunk.requires_grad_(False)
    return _optimized(nn.Sequential(trunk, head))


def head_only() -> Made:
    trunk, head = nn.Linear(C, C), nn.Linear(C, 3)
    return _optimized(nn.Sequential(trunk, head), head)


def gate_of_one() -> Made:
    gate = nn.Linear(C, 1)
    return reading(lambda x, mask: (gate(x).sigmoid() * x * mask[..., None]).sum(1), gate)


def listed_twice() -> Made:
    class Blocks(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.blocks = nn.ModuleList([nn.Linear(C, C)])
            self.order = list(self.blocks)
            self.head = nn.Linear(C, 3)

        def forward(self, x: torch.Tensor) -> Any:
            return self.head(self.order[0](x))

    return _optimized(Blocks())


def _optimized(model: nn.Module, learning: nn.Module | None = None) -> Made:
    optimizer = torch.optim.SGD((learning or model).parameters(), 0.1)

    def step(x: torch.Tensor, y: torch.Tensor) -> None:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()

    return step, rows()


BROKEN: dict[str, list[tuple[Callable[[], Made], str]]] = {
    "rows": [
        (centred, "value - value.mean()"),
        (batch_softmax, "x.softmax(0)"),
        (summed_penalty, "torch.sum(z.pow(2)) * x[:, 0]"),
        (crossed, "score(x) - y.float()"),
        (in_batch_negatives, "left(x) @ right(x).t()"),
    ],
    "order": [
        (crossed_groups, "torch.cat([first.repeat(3, 1), first.repeat_interleave(3, 0)], 1)"),
        (mixed_view, ""),
        (rows_as_time, ""),
        (by_position, "x + table"),
        (neighbours, "F.cross_entropy((z @ z.t()).fill_diagonal_(-9.0), other)"),
    ],
    "padding": [
        (mean_of_all, "x.mean(1)"),
        (norm_over_padding, "norm(x.transpose(1, 2))"),
        (last_position, "gru(x)[0][:, -1]"),
        (unmasked_attention, "attend(x, x, x)"),
        (counted_in_loss, ""),
    ],
    "training": [
        (softmax_of_one, "attend(x).softmax(-1)"),
        (softmax_of_flat, "F.softmax(attend(x.flatten(0, 1)), dim=1)"),
        (in_plain_list, ""),
        (in_plain_dict, ""),
    ],
}
HOLDS: dict[str, list[Callable[[], Made]]] = {
    "rows": [plain, with_batch_norm, with_dropout, noisy, masked_mean, masked_attention],
    "order": [in_batch_negatives, right_groups, whitened, set_function, with_batch_norm, packed],
    "padding": [masked_mean, packed, masked_attention, ignored_in_loss, set_function],
    "training": [frozen_trunk, head_only, gate_of_one, listed_twice, masked_attention],
}
