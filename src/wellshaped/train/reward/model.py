"""A reward model: a backbone of transformers, one state for each text, and one number for it.

Legend: N texts, T tokens (of the batch where packed, of the longest text where padded), L tokens
of a text, E width.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from wellshaped.nn.pooling import Pool
from wellshaped.records.phrase import UserError

from . import attention
from .activations import fuse_activations
from .forward_plan import PADDED, ForwardPlan
from .layout import Layout, lay_out

POOLINGS: Final = ("last", "mean", "attention")


class RewardModel(nn.Module):
    """One reward for each text, read at its last real token, or over all its real tokens.

    Texts are vectors of token ids, without padding, and come in groups: answers to one prompt.
    How they are laid out is the model's own business, and never changes their rewards.
    """

    def __init__(
        self, backbone: Any, *, pooling: str = "last", head: Tensor | None = None, fast: bool = True
    ) -> None:
        super().__init__()
        if pooling not in POOLINGS:
            known = ", ".join(POOLINGS)
            raise UserError("WS988", "setting_choice", name="pooling", known=known, got=pooling)
        self.backbone = backbone
        self.pooling = pooling
        self.config = backbone.config
        width = self.config.get_text_config().hidden_size
        self.head = nn.Linear(width, 1, bias=False)
        with torch.no_grad():
            if head is None:
                self.head.weight.normal_(std=(width + 1) ** -0.5)
            else:
                self.head.weight.copy_(head)
        self.pool = Pool(pooling, width)
        self.plan = PADDED
        self._fast, self._tested = fast, 0
        self._stock_attention = self.config._attn_implementation
        if fast:
            fuse_activations(backbone)

    @classmethod
    def from_pretrained(
        cls, path: str | Path, *, pooling: str | None = None, fast: bool = True, **options: Any
    ) -> RewardModel:
        """From a folder or name: with its head where it has one, else with a new one.

        `options` go to `from_pretrained` of transformers (`dtype`, `revision`, …).
        """
        from .storage import load

        return load(path, pooling=pooling, fast=fast, **options)

    def save_pretrained(self, folder: str | Path, *, tokenizer: Any = None) -> None:
        """Write it, for `AutoModelForSequenceClassification` where the pooling is `last`."""
        from .storage import save

        save(self, folder, tokenizer=tokenizer)

    @property
    def causal(self) -> bool:
        """Whether a token sees only those before it, so that texts may share a beginning."""
        settings = [m.is_causal for m in self.backbone.modules() if hasattr(m, "is_causal")]
        return bool(settings) and all(settings)

    @property
    def transformer(self) -> Any:
        """The backbone itself, below the wrapper of an adapter."""
        peft = hasattr(self.backbone, "get_base_model")
        return self.backbone.get_base_model() if peft else self.backbone

    def forward(self, groups: Sequence[Sequence[Tensor]]) -> Tensor:
        """The rewards of all texts in their order, (N,), float32."""
        lengths = [[len(text) for text in texts] for texts in groups]
        for group, each in enumerate(lengths):
            if not each or 0 in each:
                raise UserError("WS991", "text_without_tokens", group=group)
        self.settle(max(max(each) for each in lengths))
        # No view: FSDP of torch 2.13 hangs the backward pass on what is returned.
        return self.run(groups, self.plan).clone()

    def score(self, texts: Sequence[Tensor]) -> Tensor:
        """The rewards of texts that have nothing to do with one another, (N,)."""
        rewards_N: Tensor = self([[text] for text in texts])
        return rewards_N

    def score_padded(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """The rewards of a batch that is padded on any side, (N,)."""
        return self._reward(*self._padded(input_ids, attention_mask))

    def score_alone(self, text: Tensor) -> Tensor:
        """The reward of one text as the backbone reads it by itself, without mask or positions."""
        ids_1T = text.to(self.head.weight.device).unsqueeze(0)
        return self._reward(self.backbone(input_ids=ids_1T).last_hidden_state, ids_1T >= 0)  # (1,)

    def settle(self, longest: int) -> ForwardPlan:
        """Find the short cuts that are exact for texts of this length, where not done before."""
        if self._fast and longest > self._tested:
            from .self_test import settle

            self._tested = 1 << max(longest - 1, 31).bit_length()
            self.plan = settle(self, longest=self._tested)
        return self.plan

    def attend_by(self, name: str | None) -> None:
        """Have the backbone attend by this function of transformers; by its own for None."""
        name = name or self._stock_attention
        if name == self.config._attn_implementation:
            return
        attention.register()
        if not self.transformer._can_set_attn_implementation():
            raise NotImplementedError
        self.transformer.set_attn_implementation(name)

    def run(self, groups: Sequence[Sequence[Tensor]], plan: ForwardPlan) -> Tensor:
        """The rewards by these short cuts, whether they are exact or not."""
        if not plan.packed:
            texts = [text for texts in groups for text in texts]
            ids_NT = pad_sequence(texts, batch_first=True)
            lengths_N = torch.tensor([len(text) for text in texts])
            real_NT = torch.arange(ids_NT.size(1)).lt(lengths_N.unsqueeze(1))
            return self.score_padded(ids_NT, real_NT)
        return self._packed(groups, plan)

    def _packed(self, groups: Sequence[Sequence[Tensor]], plan: ForwardPlan) -> Tensor:
        ids_T, laid = lay_out(groups, share=plan.shared_prefix)
        layout = Layout(laid, self.causal, ends_only=plan.ends_only)
        states_1TE = self._states(
            input_ids=ids_T.unsqueeze(0),
            attention_mask=layout.as_mask(),
            position_ids=layout.positions.unsqueeze(0),
        )
        states_TE = states_1TE.squeeze(0)
        if self.pooling == "last":
            return self._head(states_TE.index_select(0, layout.ends.to(states_TE.device)))
        places_NL, real_NL = layout.places()
        return self._reward(states_TE[places_NL.to(states_TE.device)], real_NL)

    def _padded(self, ids_NT: Tensor, mask_NT: Tensor) -> tuple[Tensor, Tensor]:
        mask_NT = mask_NT.bool()
        positions_NT = (mask_NT.long().cumsum(1) - 1).clamp(min=0)
        states_NTE = self._states(
            input_ids=ids_NT, attention_mask=mask_NT.long(), position_ids=positions_NT
        )
        return states_NTE, mask_NT

    def _states(self, *, attention_mask: Tensor, **inputs: Tensor) -> Tensor:
        """The last hidden states, one for each token given."""
        device = self.head.weight.device
        given: dict[str, Any] = {name: tensor.to(device) for name, tensor in inputs.items()}
        known = inspect.signature(self.transformer.forward).parameters
        if "position_ids" in known:
            given["position_ids"] += self.first_position
        else:
            del given["position_ids"]
        if "use_cache" in known:
            given["use_cache"] = False
        # A layout stays where it is read.
        mask = attention_mask.to(device) if attention_mask.dim() == 2 else attention_mask
        states: Tensor = self.backbone(attention_mask=mask, **given).last_hidden_state
        return states

    @property
    def first_position(self) -> int:
        """0, but behind the row of the padding where positions have one (RoBERTa)."""
        for name, module in self.transformer.named_modules():
            if name.endswith("position_embeddings") and isinstance(module, nn.Embedding):
                return 0 if module.padding_idx is None else module.padding_idx + 1
        return 0

    def _reward(self, states_NTE: Tensor, real_NT: Tensor) -> Tensor:
        real_NT = real_NT.to(states_NTE.device)
        with torch.autocast(states_NTE.device.type, enabled=False):
            return self._head(self.pool(states_NTE.float(), real_NT))

    def _head(self, states_NE: Tensor) -> Tensor:
        """The rewards in float32, whatever the backbone computes in: in bfloat16 they would tie."""
        with torch.autocast(states_NE.device.type, enabled=False):
            return F.linear(states_NE.float(), self.head.weight.float()).squeeze(-1)  # (N,)
