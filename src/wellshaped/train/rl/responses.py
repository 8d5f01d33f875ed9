"""What a policy wrote, and the padded batch that is learned from.

B responses, T tokens of prompt and response, R tokens of the longest response.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from wellshaped.train.rl.token_rewards import value_mask
from wellshaped.train.rollout_algorithm import Slot


@dataclass(frozen=True)
class Response:
    """Tokens drawn for a prompt, each with its log-probability when it was drawn."""

    prompt: tuple[int, ...]
    tokens: tuple[int, ...]
    logprobs: tuple[float, ...]
    ended: bool  # by its end token, which is the last of `tokens`
    group: int  # the number of its prompt: responses to one prompt have the same


@dataclass(frozen=True)
class ResponseBatch:
    """Prompts and responses in one tensor, padded on the right, with places from the lengths."""

    tokens_BT: Tensor
    first_B: Tensor  # the column in which each response begins
    responses_BR: Tensor
    mask_BR: Tensor
    value_mask_BR: Tensor

    def to(self, device: torch.device) -> ResponseBatch:
        """The same batch elsewhere."""
        return ResponseBatch(**{name: tensor.to(device) for name, tensor in vars(self).items()})


def response_batch(
    responses: Sequence[Response], *, width: int | None = None, slot: Slot = "last"
) -> ResponseBatch:
    """Pad to the longest row; `width` is the number of columns of the responses, if fixed.

    The padding is token 0: no real token sees it, and no loss reads it.
    """
    rows = [torch.tensor(one.prompt + one.tokens) for one in responses]
    lengths_B = torch.tensor([len(one.tokens) for one in responses])  # (B,)
    columns = width or int(lengths_B.max())
    mask_BR = torch.arange(columns) < lengths_B.unsqueeze(1)  # (B, R)
    answers_BR = torch.zeros(len(rows), columns, dtype=torch.long)  # (B, R)
    answers_BR[mask_BR] = torch.tensor([token for one in responses for token in one.tokens])
    return ResponseBatch(
        tokens_BT=pad_sequence(rows, batch_first=True),
        first_B=torch.tensor([len(one.prompt) for one in responses]),
        responses_BR=answers_BR,
        mask_BR=mask_BR,
        value_mask_BR=value_mask(mask_BR, slot),
    )


def drawn_logprobs(responses: Sequence[Response], mask_BR: Tensor) -> Tensor:
    """The log-probabilities taken when the tokens were drawn, 0 behind the ends."""
    logprobs_BR = torch.zeros(mask_BR.shape)  # (B, R)
    logprobs_BR[mask_BR] = torch.tensor([value for one in responses for value in one.logprobs])
    return logprobs_BR
