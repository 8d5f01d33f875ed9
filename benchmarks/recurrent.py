"""`MaskedLSTM` beside `nn.LSTM` on padded and on packed input: the same states, and their times.

usage: python -m benchmarks.recurrent [--rounds 15]

B rows, T positions, D features, H hidden features. Lengths are log-normal; all are timed forward
and backward, in turns. Where rows end, `nn.LSTM` goes on over the padding, so its last states are
not those of the rows: what is compared is its output at each row's last real position.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from wellshaped.nn import MaskedLSTM, pool_last

Run = Callable[[], Tensor]


@dataclass(frozen=True)
class Measured:
    """One setting: real positions among all, how far results lie apart, and milliseconds."""

    size: int
    spread: float
    real: float
    apart: float
    masked: float
    padded: float
    packed: float


def lengths_of(rows: int, spread: float, *, longest: int = 256) -> Tensor:
    """Log-normal lengths around 32; a spread of 0 makes them all alike."""
    random = torch.Generator().manual_seed(0)
    drawn_B = 32 * torch.exp(spread * torch.randn(rows, generator=random))
    return drawn_B.round().long().clamp(1, longest)


def measured(spread: float, *, rows: int = 32, size: int = 64, rounds: int = 15) -> Measured:
    """The same weights on the same batch, in three ways."""
    torch.manual_seed(0)
    lengths_B = lengths_of(rows, spread)
    inputs_BTD = torch.randn(rows, int(lengths_B.max()), size)
    masked, padded = MaskedLSTM(size, size), nn.LSTM(size, size, batch_first=True)
    padded.load_state_dict(masked.layers.state_dict())

    def packed() -> Tensor:
        rows = pack_padded_sequence(inputs_BTD, lengths_B, batch_first=True, enforce_sorted=False)
        return pad_packed_sequence(padded(rows)[0], batch_first=True)[0]  # (B, T, H)

    runs: tuple[Run, ...] = (
        lambda: pool_last(masked(inputs_BTD, lengths_B)[0], lengths_B),  # (B, H)
        lambda: pool_last(padded(inputs_BTD)[0], lengths_B),  # (B, H)
        lambda: pool_last(packed(), lengths_B),  # (B, H)
    )
    ours = runs[0]().detach()
    apart = max(float((run().detach() - ours).abs().max()) for run in runs)
    times = [[milliseconds(run) for run in runs] for _ in range(rounds)]
    real = float(lengths_B.sum()) / inputs_BTD[..., 0].numel()
    return Measured(size, spread, real, apart, *map(median, zip(*times, strict=True)))


def milliseconds(run: Run) -> float:
    """The time of a forward and a backward pass."""
    start = time.perf_counter()
    run().square().sum().backward()
    return (time.perf_counter() - start) * 1e3


def main() -> None:
    """Measure on one thread."""
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--rounds", type=int, default=15)
    torch.set_num_threads(1)
    table(flags.parse_args().rounds)


def table(rounds: int) -> None:
    """Print a line for each spread of lengths."""
    print("\nrecurrent layers, 32 rows, milliseconds forward and backward")
    print("features  spread   real    apart   MaskedLSTM   nn.LSTM padded        packed")
    for size in (64, 256):
        for spread in (0.0, 0.3, 0.6, 1.0):
            row = measured(spread, size=size, rounds=rounds)
            peers = (f"{time:7.1f} ({time / row.masked:4.2f})" for time in (row.padded, row.packed))
            about = f"{row.size:8} {row.spread:7.1f} {row.real:6.0%} {row.apart:8.0e}"
            print(f"{about} {row.masked:12.1f}  {'  '.join(peers)}")
    print("In brackets: times as long as MaskedLSTM.")


if __name__ == "__main__":
    main()
