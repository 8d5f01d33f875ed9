"""A reward may be any function of texts; what it does wrong is told with the text."""

import pytest
import torch

from wellshaped.records.phrase import UserError
from wellshaped.train.rl.scoring import named_reward, scores_of


def test_lists_vectors_and_columns_are_scores():
    for found in ([1, 2.5], (1, 2.5), torch.tensor([1, 2.5]), torch.tensor([[1], [2.5]])):
        assert scores_of(lambda texts, found=found: found, ["a", "b"]).tolist() == [1, 2.5]
    assert scores_of(None, []).shape == (0,)


def test_an_exception_comes_with_the_text_it_was_raised_for():
    def reward(texts):
        return [1 / len(text) for text in texts]

    with pytest.raises(UserError, match=r"WS995.*ZeroDivisionError.*on the text ''") as caught:
        scores_of(reward, ["good", "", "fine"])
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_an_exception_of_many_texts_is_told_as_one():
    def reward(texts):
        if len(texts) > 1:
            raise MemoryError("too many")
        return [0.0]

    with pytest.raises(UserError, match=r"WS995.*MemoryError: too many on 2 texts"):
        scores_of(reward, ["a", "b"])


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_a_score_that_is_no_number_comes_with_its_text(value):
    with pytest.raises(UserError, match=r"WS996.*(nan|inf) for the text 'strange'"):
        scores_of(lambda texts: [1.0, value], ["fine", "strange"])


def test_one_score_for_each_text():
    with pytest.raises(UserError, match=r"WS996.*1 scores for 2 texts"):
        scores_of(lambda texts: [1.0], ["a", "b"])


def test_long_texts_are_cut_in_messages():
    with pytest.raises(UserError) as caught:
        scores_of(lambda texts: [float("nan")], ["x" * 1000])
    assert len(str(caught.value)) < 400


def test_a_reward_by_name(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("SCALE = 2\ndef length(texts):\n    return [SCALE * len(t) for t in texts]\n")
    assert named_reward(f"{file}:length")(["abc"]) == [6]
    assert named_reward("builtins:len")(["abc"]) == 1
    with pytest.raises(UserError, match=r"WS995.*cannot be loaded"):
        named_reward(f"{file}:width")
    with pytest.raises(UserError, match=r"WS995.*cannot be loaded"):
        named_reward("no_such_module:width")
    with pytest.raises(UserError, match=r"WS995.*not a function"):
        named_reward(f"{file}:SCALE")
