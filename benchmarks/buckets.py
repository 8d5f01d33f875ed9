"""Times an epoch over texts of log-normal length: padded as they come, bucketed, and packed.

usage: python -m benchmarks.buckets [--rounds 5] [--texts 512]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.data import DataLoader

from wellshaped.batch import Batch, BucketSampler, Padded, Padding, collate_for
from wellshaped.nn import MaskedLSTM, pool_last
from wellshaped.nn.spans import spans_of

# B rows, T steps, D features, H hidden features.
VOCABULARY, WIDTH, ROWS = 1000, 64, 16
# Its median is 33 steps, and one text in a hundred has more than 210.
LOCATION, SPREAD = 3.5, 0.8
Texts = list[tuple[Tensor, int]]


def texts_of(count: int, seed: int = 0) -> Texts:
    """Random tokens whose lengths are log-normal, each with a class, 0 or 1."""
    random = torch.Generator().manual_seed(seed)
    lengths = torch.empty(count).log_normal_(LOCATION, SPREAD, generator=random).ceil().int()
    return [
        (torch.randint(VOCABULARY, (length,), generator=random), length % 2)
        for length in lengths.tolist()
    ]


class Reader(nn.Module):
    """A recurrent classifier that reads every step it is given, or few but the real ones."""

    def __init__(self, *, packed: bool) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.packed = packed
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.masked = MaskedLSTM(WIDTH, WIDTH)
        self.score = nn.Linear(WIDTH, 1)

    def forward(self, texts: Padded) -> Tensor:
        """A score for each row, (B,), from its last real step."""
        inputs_BTD = self.words(texts.values)
        if self.packed:
            states_BTH, _ = self.masked(inputs_BTD, texts.lengths)
        else:
            states_BTH, _ = self.masked.layers(inputs_BTD)
        return self.score(pool_last(states_BTH, texts.lengths)).squeeze(-1)  # type: ignore[no-any-return]

    def steps(self, texts: Padded) -> int:
        """How many steps the recurrent layer computes."""
        if not self.packed:
            return texts.values.numel()
        spans = spans_of(sorted(texts.lengths.tolist(), reverse=True))
        return sum(span.rows * (span.stop - span.start) for span in spans)


class Encoder(nn.Module):
    """A transformer block; packed, all but its attention is computed at real steps alone."""

    def __init__(self, *, packed: bool) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.packed = packed
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(2))
        self.asked, self.given = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.inner = nn.Sequential(
            nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH)
        )
        self.score = nn.Linear(WIDTH, 1)

    def forward(self, texts: Padded) -> Tensor:
        """A score for each row, (B,), from its last real step."""
        # The steps that are computed, N of them: the real ones, or all.
        taken_BT = texts.mask if self.packed else torch.ones_like(texts.mask)
        states_ND = self.words(texts.values[taken_BT])
        asked_BTD = self._in_rows(self.asked(self.norms[0](states_ND)), taken_BT)
        seen_BTD = self._attention(asked_BTD, texts.mask)
        states_ND = states_ND + self.given(seen_BTD[taken_BT])
        states_ND = states_ND + self.inner(self.norms[1](states_ND))
        last_BD = pool_last(self._in_rows(states_ND, taken_BT), texts.lengths)
        return self.score(last_BD).squeeze(-1)  # type: ignore[no-any-return]

    def _in_rows(self, states_ND: Tensor, taken_BT: Tensor) -> Tensor:
        rows = states_ND.new_zeros(*taken_BT.shape, states_ND.shape[-1])
        return rows.masked_scatter(taken_BT.unsqueeze(-1), states_ND)  # (B, T, D)

    def _attention(self, asked_BTD: Tensor, mask_BT: Tensor) -> Tensor:
        parts = asked_BTD.chunk(3, dim=-1)
        q, k, v = (part.unflatten(-1, (4, -1)).transpose(1, 2) for part in parts)  # (B, 4, T, D/4)
        seen = F.scaled_dot_product_attention(q, k, v, attn_mask=mask_BT[:, None, None])
        return seen.transpose(1, 2).flatten(2)  # (B, T, D)

    def steps(self, texts: Padded) -> int:
        """How many steps go through the layers."""
        return int(texts.lengths.sum()) if self.packed else texts.values.numel()


@dataclass(frozen=True)
class Way:
    """A model and the batches it is trained on."""

    model: Reader | Encoder
    batches: Iterable[Batch]

    def seconds(self) -> float:
        """The time of one epoch of training."""
        optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)
        start = time.perf_counter()
        for batch in self.batches:
            optimizer.zero_grad()
            F.binary_cross_entropy_with_logits(self.model(batch.inputs), batch.targets).backward()
            optimizer.step()
        return time.perf_counter() - start

    def steps(self) -> int:
        """The steps that one epoch computes."""
        return sum(self.model.steps(batch.inputs) for batch in self.batches)


def ways(texts: Texts) -> dict[str, dict[str, Way]]:
    """The ways by model; the first of each is what the others are compared with."""
    lengths = [len(tokens) for tokens, _ in texts]
    longest = Padding(dtype=torch.int64, max_length=max(lengths), width="max_length")

    def loaded(how: Padding | None = None, **options: object) -> Iterable[Batch]:
        collate = collate_for("binary", **({"inputs": how} if how else {}))
        return DataLoader(texts, collate_fn=collate, **options)  # type: ignore[arg-type]

    def naive() -> Iterable[Batch]:
        return loaded(batch_size=ROWS, shuffle=True, generator=torch.Generator().manual_seed(0))

    def to_longest() -> Iterable[Batch]:
        return loaded(longest, batch_size=ROWS)

    def bucketed() -> Iterable[Batch]:
        return loaded(batch_sampler=BucketSampler(lengths, batch_size=ROWS))

    return {
        "recurrent": {
            "padded to the batch's longest": Way(Reader(packed=False), naive()),
            "padded to the longest of all": Way(Reader(packed=False), to_longest()),
            "bucketed": Way(Reader(packed=False), bucketed()),
            "bucketed + MaskedLSTM": Way(Reader(packed=True), bucketed()),
        },
        "transformer": {
            "padded to the batch's longest": Way(Encoder(packed=False), naive()),
            "padded to the longest of all": Way(Encoder(packed=False), to_longest()),
            "bucketed": Way(Encoder(packed=False), bucketed()),
            "bucketed + packed": Way(Encoder(packed=True), bucketed()),
        },
    }


def epochs(rounds: int, *, count: int = 512, say: Callable[[str], None] = print) -> None:
    """One epoch each way, in turn; the ratios are those of one round."""
    texts = texts_of(count)
    real = sum(len(tokens) for tokens, _ in texts)
    say(f"\nan epoch over {count} texts, {real} tokens, lengths log-normal, {ROWS} rows a batch")
    say(f"  {'':44}computed/real     seconds    faster")
    for model, by_name in ways(texts).items():
        times: dict[str, list[float]] = {name: [] for name in by_name}
        for way in by_name.values():
            way.seconds()
        for _ in range(rounds):
            for name, way in by_name.items():
                times[name].append(way.seconds())
        base = next(iter(times.values()))
        for name, way in by_name.items():
            ratio = median(a / b for a, b in zip(base, times[name], strict=True))
            per_real = way.steps() / real
            label = f"{model}, {name}"
            say(f"  {label:44}{per_real:13.2f}{median(times[name]):12.2f}{ratio:9.1f}x")


def main() -> None:
    """Measure on one thread."""
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--rounds", type=int, default=5)
    flags.add_argument("--texts", type=int, default=512)
    arguments = flags.parse_args()
    torch.set_num_threads(1)
    epochs(arguments.rounds, count=arguments.texts)


if __name__ == "__main__":
    main()
