"""A cache with room holds what the stock one holds, whoever leaves and however prompts are read."""

import pytest
import torch
from transformers import DynamicCache, MistralConfig, MistralForCausalLM

from tests.floats import DEEP, near
from tests.train.rl.models import END, policy, prompts
from wellshaped.train.rl.generation.cache import cache_for, is_roomy, leaving
from wellshaped.train.rl.generation.policy_generator import GenerationRequest, PolicyGenerator
from wellshaped.train.rl.policy import Actor
from wellshaped.train.rollout_algorithm import Sampling

pytestmark = pytest.mark.slow


def test_rows_that_stay_keep_their_places():
    going = [True, False, True, False, True, True]
    assert leaving(torch.tensor(going)).tolist() == [0, 4, 2, 5]
    assert leaving(torch.tensor([True, True])).tolist() == [0, 1]
    assert leaving(torch.tensor([False, False])).tolist() == []


def test_a_cache_with_room_is_the_stock_one():
    model = policy("llama")
    stock, roomy = DynamicCache(config=model.config), cache_for(model, room=9)
    generator = torch.Generator().manual_seed(0)
    rows = 6
    for columns, going in ((4, [1, 0, 1, 0, 1, 1]), (1, [1, 1, 1, 1]), (1, [0, 0, 1, 1]), (1, [1])):
        for layer in range(2):
            states = [torch.randn(rows, 2, columns, 8, generator=generator) for _ in range(2)]
            kept = stock.update(*states, layer), roomy.update(*states, layer)
            for one, other in zip(*kept, strict=True):
                assert one.equal(other)
        rows = sum(going)
        if rows < len(going):
            for cache in (stock, roomy):
                cache.batch_select_indices(leaving(torch.tensor(going).bool()))
        assert stock.get_seq_length() == roomy.get_seq_length()


def written(model, packs, *, samples=3):
    rows = [(prompt, group) for group, prompt in enumerate(prompts()) for _ in range(samples)]
    asked = [GenerationRequest(prompt, group, row) for row, (prompt, group) in enumerate(rows)]
    return PolicyGenerator(model, END, Sampling(response_length=12), 3, packs=packs)(
        asked, update=0
    )


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_prompts_that_are_read_packed_are_answered_alike(kind):
    model = policy(kind)
    actor = Actor(model)
    padded = written(model, None)
    read = []
    hook = model.register_forward_pre_hook(
        lambda _, __, given: read.append(given["input_ids"].numel()), with_kwargs=True
    )
    packed = written(model, lambda longest: actor.packs(longest) and not read.clear())
    hook.remove()
    assert read[0] == sum(len(prompt) for prompt in prompts())
    for one, other in zip(padded, packed, strict=True):
        assert one.tokens == other.tokens
        assert one.logprobs == near(other.logprobs, within=DEEP)


def test_a_sliding_window_keeps_its_own_layers():
    torch.manual_seed(0)
    config = MistralConfig(
        vocab_size=23, num_hidden_layers=2, hidden_size=32, intermediate_size=48,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=64,
        sliding_window=5, bos_token_id=END, eos_token_id=END, pad_token_id=END,
    )  # fmt: skip
    model = MistralForCausalLM(config).eval()
    assert not is_roomy(cache_for(model, room=4))
    plain, packs = written(model, None), written(model, Actor(model).packs)
    assert [one.tokens for one in plain] == [one.tokens for one in packs]
