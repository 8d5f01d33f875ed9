"""The decoder reads each word one place late, and generates as it was taught."""

import pytest
import torch

from wellshaped.nn import shifted, task
from wellshaped.records.phrase import UserError

BOS, EOS, WORDS, D = 1, 2, 7, 4


def a_head(hidden_size=None):
    torch.manual_seed(0)
    return task("seq2seq", vocab_size=WORDS, bos=BOS, eos=EOS).head(D, hidden_size=hidden_size)


def test_the_shift_begins_at_the_first_real_position():
    targets = torch.tensor([[3, 4, 2, -100], [5, 2, -100, -100]])
    lengths = torch.tensor([3, 2])
    wanted = [[BOS, 3, 4, BOS], [BOS, 5, BOS, BOS]]
    assert shifted(targets, lengths, bos=BOS).tolist() == wanted
    left = torch.tensor([[-100, 3, 4, 2], [-100, -100, 5, 2]])
    wanted = [[BOS, BOS, 3, 4], [BOS, BOS, BOS, 5]]
    assert shifted(left, left >= 0, bos=BOS).tolist() == wanted
    assert shifted(targets[:0], lengths[:0], bos=BOS).shape == (0, 4)
    full = torch.tensor([[3, 4, 2]])
    assert shifted(full, torch.tensor([3]), bos=BOS).tolist() == [[BOS, 3, 4]]


def test_no_output_sees_its_own_word_or_a_later_one():
    head, memory = a_head(), torch.randn(1, 3, D)
    targets, lengths, source = torch.tensor([[3, 4, 5, 2]]), torch.tensor([4]), torch.tensor([3])
    before = head(memory, source, targets, lengths)
    for place in range(4):
        changed = targets.clone()
        changed[0, place] = 6
        after = head(memory, source, changed, lengths)
        assert torch.equal(before[:, : place + 1], after[:, : place + 1])
        if place < 3:
            assert not torch.equal(before[:, place + 1], after[:, place + 1])


def learned(pairs, steps=60):
    """A head that was taught to give these words for these memories."""
    head = a_head(hidden_size=16)
    memory, targets, lengths = pairs
    source = torch.full((len(memory),), memory.shape[1])
    optimizer = torch.optim.Adam(head.parameters(), lr=0.05)
    for _ in range(steps):
        optimizer.zero_grad()
        head.loss(head(memory, source, targets, lengths), targets, lengths).backward()
        optimizer.step()
    return head, source


def test_it_generates_what_it_was_taught_and_each_row_alone():
    memory = torch.eye(4).unsqueeze(1)[:3]
    targets = torch.tensor([[3, 4, 5, EOS], [6, EOS, 0, 0], [EOS, 0, 0, 0]])
    lengths = torch.tensor([4, 2, 1])
    head, source = learned((memory, targets, lengths))
    words, found = head.generate(memory, source, max_length=10)
    assert found.tolist() == [3, 1, 0]
    assert words.tolist() == [[3, 4, 5], [6, EOS, EOS], [EOS, EOS, EOS]]
    for row in range(3):
        alone, length = head.generate(memory[row : row + 1], source[row : row + 1], max_length=10)
        assert length.tolist() == [found[row]]
        assert alone[0].tolist() == words[row, : found[row]].tolist()
    cut, short = head.generate(memory, source, max_length=2)
    assert short.tolist() == [2, 1, 0]
    assert cut.tolist() == [[3, 4], [6, EOS], [EOS, EOS]]
    logits = head(memory, source, targets, lengths)
    metrics = head.task.metrics()
    metrics.update(logits, targets, lengths)
    assert metrics.compute() == {"token_accuracy": 1, "exact_match": 1}


def test_padding_of_the_source_changes_no_word():
    head, memory = a_head(), torch.randn(2, 3, D)
    padded = torch.cat([memory, torch.full((2, 2, D), float("nan"))], dim=1)
    source = torch.tensor([3, 3])
    words, lengths = head.generate(memory, source, max_length=5)
    again, found = head.generate(padded, source, max_length=5)
    assert torch.equal(words, again)
    assert torch.equal(lengths, found)
    assert head.generate(memory[:0], source[:0], max_length=5)[0].shape == (0, 0)


def test_a_target_of_nothing_is_refused():
    head, memory = a_head(), torch.randn(2, 3, D)
    targets = torch.zeros(2, 4, dtype=torch.long)
    with pytest.raises(UserError, match="WS923: row 1"):
        head(memory, torch.tensor([3, 3]), targets, torch.tensor([4, 0]))
