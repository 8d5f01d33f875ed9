"""Rows of every form become prompts and answers, parted at the right token."""

import json

import pytest

from wellshaped.train.data.bad_rows import BadRows
from wellshaped.train.models.tiny import tiny_tokenizer
from wellshaped.train.rl.prompts import Coder, read_demonstrations, read_prompts

ASKED = "say something :"
SAID = " hello there"


@pytest.fixture(scope="module")
def tokenizer():
    return tiny_tokenizer([ASKED + SAID] * 5, size=400)


@pytest.fixture(scope="module")
def coder(tokenizer):
    return Coder(tokenizer, length=64)


def words(tokenizer, tokens):
    return tokenizer.decode(list(tokens))


@pytest.mark.parametrize("name", ["response", "completion", "answer", "chosen"])
def test_an_answer_under_any_name_is_learned_and_ended_once(tokenizer, coder, name):
    made = coder.demonstration({"prompt": ASKED, name: SAID})
    assert words(tokenizer, made.prompt) == ASKED
    assert words(tokenizer, made.tokens[:-1]) == SAID
    assert made.tokens[-1] == tokenizer.eos_token_id
    ended = coder.demonstration({"prompt": ASKED, name: SAID + tokenizer.eos_token})
    assert ended == made


def test_a_prompt_in_rollouts_is_the_prompt_that_was_learned_with(coder):
    learned = coder.demonstration({"prompt": ASKED, "response": SAID})
    assert coder.prompt({"prompt": ASKED}).tokens == learned.prompt


def test_what_a_tokenizer_merges_across_the_border_belongs_to_the_answer(tokenizer, coder):
    made = coder.demonstration({"prompt": "say some", "response": "thing :"})
    assert words(tokenizer, made.prompt + made.tokens[:-1]) == "say something :"
    alone = coder.prompt({"prompt": "say some"}).tokens
    assert len(made.prompt) < len(alone)


def test_conversations_go_through_the_template(tokenizer, coder):
    asked = [{"role": "user", "content": "hi"}]
    said = [{"role": "assistant", "content": "hello"}]
    prompt = coder.prompt({"prompt": asked})
    assert prompt.text == "user: hi\nassistant:"
    assert words(tokenizer, prompt.tokens) == prompt.text
    for row in ({"prompt": asked, "response": said}, {"messages": asked + said}):
        made = coder.demonstration(row)
        assert words(tokenizer, made.prompt) == "user: hi\nassistant:"
        assert words(tokenizer, made.tokens[:-1]) == " hello\n"


def test_ids_are_taken_as_they_are(tokenizer, coder):
    made = coder.demonstration({"prompt": [5, 6], "response": [7, 8]})
    assert (made.prompt, made.tokens[:-1]) == ((5, 6), (7, 8))
    assert coder.prompt({"prompt": [5, 6]}).text == tokenizer.decode([5, 6])


def test_a_text_without_a_prompt_is_learned_whole(tokenizer, coder):
    made = coder.demonstration({"text": SAID})
    assert made.prompt == (tokenizer.eos_token_id,)
    assert words(tokenizer, made.tokens[:-1]) == SAID


def test_prompts_lose_their_beginning_and_answers_keep_their_end(tokenizer):
    short = Coder(tokenizer, length=6)
    whole = tokenizer(ASKED, add_special_tokens=False)["input_ids"]
    made = short.demonstration({"prompt": "oh " * 20 + ASKED, "response": SAID})
    assert len(made.prompt + made.tokens) == 6
    assert made.tokens[-1] == tokenizer.eos_token_id
    assert words(tokenizer, made.tokens[:-1]) == SAID
    assert list(short.prompt({"prompt": "oh " * 20 + ASKED}).tokens[-len(whole) :]) == whole[-6:]


def test_bad_rows_are_told_by_line(coder, tmp_path):
    file = tmp_path / "rows.jsonl"
    rows = [
        {"prompt": ASKED, "response": SAID},
        {"response": SAID},
        {"prompt": ASKED},
        {"prompt": ASKED, "response": ""},
        {"prompt": 3, "response": SAID},
        {"prompt": [99999], "response": [1]},
    ]
    file.write_text("\n".join(map(json.dumps, rows)) + "\n{broken\n")
    bad = BadRows()
    assert len(read_prompts(file, coder, bad=bad)) == 3
    assert [(row.line, row.reason.name) for row in bad.flaws.first] == [
        (2, "row_lacks"),
        (5, "row_wrong_type"),
        (6, "row_unknown_token"),
        (7, "row_broken_json"),
    ]
    bad = BadRows()
    assert len(read_demonstrations(rows, coder, bad=bad)) == 2
    assert [(row.line, row.reason.name) for row in bad.flaws.first] == [
        (3, "row_lacks"),
        (4, "row_empty_answer"),
        (5, "row_wrong_type"),
        (6, "row_unknown_token"),
    ]
