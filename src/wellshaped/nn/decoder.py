"""A decoder for sequences: each word from the words before it and a look at the source.

B rows, T positions of the target, S of the source, D features, H hidden features, V words.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from wellshaped.batch.ragged import Padded
from wellshaped.nn.heads import Head, check_features
from wellshaped.nn.pooling import pool_mean
from wellshaped.nn.real import Real, as_mask, values_and_real, without_padding
from wellshaped.nn.recurrent import MaskedGRU
from wellshaped.nn.softmax import masked_softmax

if TYPE_CHECKING:
    from wellshaped.nn.tasks import Task


def shifted(targets_BT: Tensor, real: Real, *, bos: int) -> Tensor:
    """What a decoder reads to give the targets: `bos`, then each word but the last.

    `bos` stands at the first real position, wherever the padding is; padding holds it too. The
    real positions of a row stand side by side.
    """
    mask_BT = as_mask(real, targets_BT)
    before_BT = targets_BT.roll(1, dims=1)
    follows_BT = mask_BT.roll(1, dims=1) & mask_BT
    follows_BT = follows_BT & (torch.arange(targets_BT.shape[1], device=mask_BT.device) > 0)
    return before_BT.masked_fill(~follows_BT, bos)  # (B, T)


class Seq2SeqHead(Head):
    """Logits for each word of the target, given the ones before it (teacher forcing)."""

    def __init__(self, task: Task, in_features: int, *, hidden_size: int | None = None) -> None:
        super().__init__(task)
        self.bos, self.eos = task.options["bos"], task.options["eos"]
        words, hidden = task.options["vocab_size"], hidden_size or in_features
        self.words = nn.Embedding(words, hidden)
        self.start = nn.Linear(in_features, hidden)
        self.keys = nn.Linear(in_features, hidden, bias=False)
        self.steps = MaskedGRU(hidden, hidden)
        self.joined = nn.Linear(hidden + in_features, hidden)
        self.outputs = nn.Linear(hidden, words)

    def forward(
        self,
        memory: Tensor,
        source_real: Real,
        targets: Tensor | Padded,
        real: Real | None = None,
    ) -> Tensor:
        """The logits (B, T, V) at each real position of the targets; 0 at padding.

        At position t stands what is expected there, `targets[:, t]`; it was not read. The targets
        end with `eos`, if the end is to be learned, and do not begin with `bos`. `real` says which
        positions of the targets are; of a `Padded` it is known.
        """
        targets_BT, told = values_and_real(targets, real)
        check_features(self.task, memory, self.start.in_features, ranks=(3,))
        source_BS, mask_BT = as_mask(source_real, memory), as_mask(told, targets_BT)
        clean_BSD = without_padding(memory, source_BS)
        words_BT = shifted(targets_BT, mask_BT, bos=self.bos)
        start_1BH = self._start(clean_BSD, source_BS)
        logits_BTV, _ = self._read(words_BT, told, clean_BSD, source_BS, start_1BH)
        return without_padding(logits_BTV, mask_BT)

    @torch.no_grad()
    def generate(
        self, memory: Tensor, source_real: Real, *, max_length: int
    ) -> tuple[Tensor, Tensor]:
        """The likeliest next word, again and again: words (B, T) and their lengths (B,).

        A row ends before its `eos`, or after `max_length` words; `eos` fills what is left.
        """
        source_BS = as_mask(source_real, memory)
        clean_BSD = without_padding(memory, source_BS)
        state_1BH = self._start(clean_BSD, source_BS)
        rows = memory.shape[0]
        word_B1 = memory.new_full((rows, 1), self.bos, dtype=torch.long)
        one_B = torch.ones_like(word_B1[:, 0])
        lengths_B, alive_B, words = one_B * 0, one_B > 0, []
        for _ in range(max_length):
            logits_B1V, state_1BH = self._read(word_B1, one_B, clean_BSD, source_BS, state_1BH)
            word_B1 = logits_B1V.argmax(-1).masked_fill(~alive_B.unsqueeze(1), self.eos)
            alive_B = alive_B & (word_B1[:, 0] != self.eos)
            if not alive_B.any():
                break
            lengths_B = lengths_B + alive_B
            words.append(word_B1)
        empty_B0 = word_B1[:, :0]
        return torch.cat([empty_B0, *words], dim=1), lengths_B  # (B, T), (B,)

    def _start(self, memory_BSD: Tensor, source_BS: Tensor) -> Tensor:
        return torch.tanh(self.start(pool_mean(memory_BSD, source_BS))).unsqueeze(0)  # (1, B, H)

    def _read(
        self, words_BT: Tensor, real: Real, memory_BSD: Tensor, source_BS: Tensor, state: Tensor
    ) -> tuple[Tensor, Tensor]:
        states_BTH, final_1BH = self.steps(self.words(words_BT), real, state)
        keys_BHS = self.keys(memory_BSD).transpose(1, 2)
        scores_BTS = states_BTH @ keys_BHS / sqrt(states_BTH.shape[-1])
        shares_BTS = masked_softmax(scores_BTS, source_BS.unsqueeze(1))
        seen_BTD = shares_BTS @ memory_BSD
        joined_BTH = torch.tanh(self.joined(torch.cat([states_BTH, seen_BTD], dim=-1)))
        return self.outputs(joined_BTH), final_1BH  # (B, T, V), (1, B, H)
