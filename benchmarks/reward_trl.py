"""TRL's `RewardTrainer` as the benchmarks ask for it: rows of token ids, in their order, once.

No more is asked of it than is done here: float32, no checkpointing of activations, no logging.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from typing import Any


def train_by(
    trainer: type,
    model: Any,
    rows: Sequence[dict[str, Any]],
    *,
    ids: tuple[int, int],
    callbacks: Sequence[Any] = (),
    **options: Any,
) -> None:
    """Train a model on all rows by a class of trainer; `ids` are those of the end and of padding.

    `options` are those of `RewardConfig` in which the benchmarks differ.
    """
    from datasets import Dataset
    from transformers import PrinterCallback
    from trl import RewardConfig

    with tempfile.TemporaryDirectory() as output:
        made = trainer(
            model,
            RewardConfig(
                output_dir=output,
                num_train_epochs=1,
                lr_scheduler_type="constant",
                gradient_checkpointing=False,
                bf16=False,
                max_length=None,
                train_sampling_strategy="sequential",
                save_strategy="no",
                logging_strategy="no",
                report_to="none",
                use_cpu=True,
                disable_tqdm=True,
                dataloader_pin_memory=False,
                **options,
            ),
            train_dataset=Dataset.from_list(list(rows)),
            processing_class=_tokenizer(*ids),
            callbacks=list(callbacks),
        )
        made.remove_callback(PrinterCallback)
        made.train()


def _tokenizer(end: int, pad: int) -> Any:
    """TRL asks for one; the data is tokens already."""
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    words = {"<|end|>": end, "<|pad|>": pad, "?": 0}
    return PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(models.WordLevel(words, unk_token="?")),
        eos_token="<|end|>",
        pad_token="<|pad|>",
    )
