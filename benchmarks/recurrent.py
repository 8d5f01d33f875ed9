"""`MaskedLSTM` beside `nn.LSTM` on padded input: the same states, and the time of both.

usage: python -m benchmarks.recurrent [--rounds 15]

B rows, T positions, D features, H hidden features. Lengths are log-normal; both are timed forward
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

from wellshaped.nn import MaskedLSTM, pool_last

Run = Callable[[], Tensor]


@dataclass(frozen=True)
class Measured:
    """One setting: real positions among all, how far results lie apart, and milliseconds."""

    spread: float
    real: float
    apart: float
    masked: float
    padded: float

    @property
    def ratio(self) -> float:
        """The time of `MaskedLSTM` for one of `nn.LSTM`."""
        return self.masked / self.padded


def lengths_of(rows: int, spread: float, *, longest: int = 256) -> Tensor:
    """Log-normal lengths around 32; a spread of 0 makes them all alike."""
    random = torch.Generator().manual_seed(0)
    drawn_B = 32 * torch.exp(spread * torch.randn(rows, generator=random))
    return drawn_B.round().long().clamp(1, longest)


def measured(spread: float, *, rows: int = 32, size: int = 64, rounds: int = 15) -> Measured:
    """Both layers with the same weights on the same batch."""
    torch.manual_seed(0)
    lengths_B = lengths_of(rows, spread)
    inputs_BTD = torch.randn(rows, int(lengths_B.max()), size)
    masked, padded = MaskedLSTM(size, size), nn.LSTM(size, size, batch_first=True)
    padded.load_state_dict(masked.layers.state_dict())
    runs: tuple[Run, Run] = (
        lambda: pool_last(masked(inputs_BTD, lengths_B)[0], lengths_B),  # (B, H)
        lambda: pool_last(padded(inputs_BTD)[0], lengths_B),  # (B, H)
    )
    apart = float((runs[0]() - runs[1]()).detach().abs().max())
    times = [[milliseconds(run) for run in runs] for _ in range(rounds)]
    ours, theirs = (median(column) for column in zip(*times, strict=True))
    real = float(lengths_B.sum()) / inputs_BTD[..., 0].numel()
    return Measured(spread, real, apart, ours, theirs)


def milliseconds(run: Run) -> float:
    """The time of a forward and a backward pass."""
    start = time.perf_counter()
    run().square().sum().backward()
    return (time.perf_counter() - start) * 1e3


def main() -> None:
    """Print a line for each spread of lengths."""
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--rounds", type=int, default=15)
    rounds = flags.parse_args().rounds
    torch.set_num_threads(1)
    print(f"torch {torch.__version__}, one thread, 32 rows, 64 features, forward and backward")
    print("spread    real   farthest apart   MaskedLSTM   nn.LSTM, padded   ratio")
    for spread in (0.0, 0.3, 0.6, 1.0):
        row = measured(spread, rounds=rounds)
        times = f"{row.masked:8.1f} ms {row.padded:14.1f} ms {row.ratio:9.2f}"
        print(f"{row.spread:6.1f} {row.real:7.0%} {row.apart:16.1e} {times}")


if __name__ == "__main__":
    main()
