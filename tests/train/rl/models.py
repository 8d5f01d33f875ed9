"""Small policies of several architectures, with weights that make their choices uneven."""

import torch
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

END, WORDS = 1, 23


def policy(kind="gpt2", *, seed=0, dropout=0.0):
    torch.manual_seed(seed)
    if kind == "gpt2":
        config = GPT2Config(
            vocab_size=WORDS, n_layer=2, n_embd=32, n_head=2, n_positions=64,
            resid_pdrop=dropout, embd_pdrop=dropout, attn_pdrop=dropout,
            bos_token_id=END, eos_token_id=END, pad_token_id=END,
        )  # fmt: skip
        model = GPT2LMHeadModel(config)
    else:
        config = LlamaConfig(
            vocab_size=WORDS, num_hidden_layers=2, hidden_size=32, intermediate_size=48,
            num_attention_heads=4, num_key_value_heads=2, attention_dropout=dropout,
            max_position_embeddings=64, bos_token_id=END, eos_token_id=END, pad_token_id=END,
        )  # fmt: skip
        model = LlamaForCausalLM(config)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim > 1:
                parameter.mul_(8.0)
    return model


def prompts(count=6, *, seed=0):
    generator = torch.Generator().manual_seed(seed)
    lengths = [1 + (3 * number) % 8 for number in range(count)]
    return [
        tuple(torch.randint(2, WORDS, (length,), generator=generator).tolist())
        for length in lengths
    ]
