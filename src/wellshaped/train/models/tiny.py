"""A small GPT-2 and a byte-level tokenizer, made here: nothing is read from outside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

END, PAD = "<|end|>", "<|pad|>"
# One line for each message: `user: hello`, and the name of who is to answer.
CHAT_TEMPLATE = (
    "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant:{% endif %}"
)


def tiny_tokenizer(texts: Iterable[str] = (), *, size: int = 512) -> Any:
    """A fast tokenizer of `transformers`: all bytes, an end, a pad, and what the texts repeat.

    Any text is encoded without loss. With texts, pieces of words that come up often are one
    token, until there are `size` of them; the same texts make the same tokenizer.
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=[END, PAD],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    made.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        eos_token=END,
        pad_token=PAD,
        chat_template=CHAT_TEMPLATE,
        clean_up_tokenization_spaces=False,
    )


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a value of JSON, for the words in it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts_in(each)


def tiny_config(
    tokenizer: Any, *, layers: int = 2, width: int = 64, heads: int = 2, positions: int = 256
) -> Any:
    """The configuration of a GPT-2 that fits the tokenizer, without dropout."""
    from transformers import GPT2Config

    return GPT2Config(
        vocab_size=len(tokenizer),
        n_layer=layers,
        n_embd=width,
        n_head=heads,
        n_positions=positions,
        eos_token_id=tokenizer.eos_token_id,
        bos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        resid_pdrop=0.0,
        embd_pdrop=0.0,
        attn_pdrop=0.0,
    )
