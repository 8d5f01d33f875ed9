"""Rows come out with their rewards, in order, whatever their kind and their neighbours."""

import io
import json

import pytest
import torch
from transformers import AutoModel

from tests.floats import DEEP, near
from tests.train.vocabularies import tiny
from wellshaped.records.phrase import UserError
from wellshaped.train.data.bad_rows import BadRows
from wellshaped.train.data.rows import Row
from wellshaped.train.models.tiny import tiny_config
from wellshaped.train.reward.model import RewardModel
from wellshaped.train.reward.scoring import Scorer, typed_rows

PROMPT = "review of the old hotel :"


@pytest.fixture(scope="module")
def scorer():
    torch.manual_seed(3)
    config = tiny_config(tiny(), width=32, positions=128)
    return Scorer(RewardModel(AutoModel.from_config(config)), tiny(), batch=4)


def scored(scorer, *fields, window=8):
    rows = [Row("rows", line, each) for line, each in enumerate(fields, 1)]
    return list(scorer.score_rows(rows, window=window))


def test_texts_prompts_conversations_and_ids(scorer):
    chat = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "fine"}]
    ids = [5, 6, 7]
    wanted = scorer.score([f"{PROMPT} fine .", chat, ids])
    rows = ({"prompt": PROMPT, "response": " fine ."}, {"messages": chat}, {"text": ids})
    found = [each.rewards["reward"] for each in scored(scorer, *rows)]
    assert found == near(wanted, within=DEEP)


def test_pairs_have_two_rewards_and_several_rejected_answers_a_list(scorer):
    good, bad, worse = scorer.score(
        [f"{PROMPT}{text}" for text in (" fine .", " poor .", " ugly .")]
    )
    pair = {"prompt": PROMPT, "chosen": " fine .", "rejected": " poor ."}
    several = pair | {"rejected": [" poor .", " ugly ."]}
    one, two = (each.rewards for each in scored(scorer, pair, several))
    assert one == near({"chosen_reward": good, "rejected_reward": bad}, within=DEEP)
    assert two["chosen_reward"] == near(good, within=DEEP)
    assert two["rejected_reward"] == near([bad, worse], within=DEEP)


def test_a_reward_does_not_depend_on_the_window_or_the_batch(scorer):
    texts = [{"text": "the soup was fine " * n} for n in (3, 1, 9, 2, 5, 1, 7)]
    alone = [scorer.score([row["text"]])[0] for row in texts]
    for window in (1, 3, 100):
        found = [each.rewards["reward"] for each in scored(scorer, *texts, window=window)]
        assert found == near(alone, within=DEEP)


def test_a_row_without_a_reward_keeps_its_place(scorer):
    rows = ({"text": "fine"}, {"other": 1}, {"text": 3}, {"prompt": "a", "text": [1]})
    found = scored(scorer, *rows)
    assert [each.row.line for each in found] == [1, 2, 3, 4]
    assert [each.rewards["reward"] is None for each in found] == [False, True, True, True]
    names = [each.fault.name for each in found[1:] if each.fault]
    assert names == ["row_no_text", "row_wrong_type", "row_other_type"]


def test_rows_are_taken_a_window_at_a_time(scorer):
    taken = []

    def rows():
        for line in range(1, 10):
            taken.append(line)
            yield Row("rows", line, {"text": "fine"})

    first = next(scorer.score_rows(rows(), window=2))
    assert first.row.line == 1
    assert taken == [1, 2]


def test_an_empty_text_is_read_as_its_end(scorer):
    assert scorer.score([""]) == near(scorer.score([[tiny().eos_token_id]]))
    for unreadable in ([], 7, [999_999], [1, "a"]):
        with pytest.raises(UserError, match="WS994: text 1, of type"):
            scorer.score(["fine", unreadable])


def test_typed_lines_are_objects_or_texts():
    bad = BadRows()
    stream = io.StringIO('plain text\n\n{"text": "a"}\n{broken\n"quoted"\n')
    rows = list(typed_rows(stream, bad=bad))
    assert [(row.line, row.fields["text"]) for row in rows] == [
        (1, "plain text"),
        (3, "a"),
        (5, '"quoted"'),
    ]
    assert [(each.line, each.reason.name) for each in bad.flaws.first] == [(4, "row_broken_json")]
    assert bad.rows == 4
    assert json.dumps(rows[0].fields)
