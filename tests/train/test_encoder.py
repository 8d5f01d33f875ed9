"""Preferences become the token ids a model should read: joined, ended once, cut to fit."""

from typing import NamedTuple

import pytest

from tests.train.vocabularies import adding, gpt2, tiny
from wellshaped.records.phrase import UserError
from wellshaped.train.data.encoder import Encoder
from wellshaped.train.data.preferences import RowFault, preference_of

USER = {"role": "user", "content": "hi"}


class Pair(NamedTuple):
    """The two texts of a comparison."""

    chosen: tuple[int, ...]
    rejected: tuple[int, ...]


def encoded(tokenizer, *, length=64, **fields):
    (found,) = Encoder(tokenizer, length=length).encode([preference_of(fields)])
    return found


def pair(tokenizer, *, length=64, **fields):
    found, _ = encoded(tokenizer, length=length, **fields)
    return Pair(*found.texts)


def cut(tokenizer, *, length, **fields):
    _, found = encoded(tokenizer, length=length, **fields)
    return found


def said(message):
    return {"role": "assistant", "content": message}


def test_prompt_and_answer_are_joined_and_ended():
    found = pair(tiny(), prompt="review of the old hotel :", chosen=" fine .", rejected=" ugly .")
    assert tiny().decode(found.chosen) == "review of the old hotel : fine .<|end|>"
    assert tiny().decode(found.rejected) == "review of the old hotel : ugly .<|end|>"


# Pitfall 6: the tokens of a prompt need not begin the tokens of prompt and answer.
@pytest.mark.parametrize(
    ("prompt", "answer"), [("The answer is ", "yes"), ("count: 1", "23"), ("walk", "ing home")]
)
def test_pitfall_6_joint_tokens_whatever_merges_at_the_border(prompt, answer):
    tokenizer = gpt2()
    apart = tokenizer(prompt)["input_ids"] + tokenizer(answer)["input_ids"]
    joint = tokenizer(prompt + answer)["input_ids"]
    assert apart != joint
    found = pair(tokenizer, prompt=prompt, chosen=answer, rejected="zzz")
    assert list(found.chosen) == [*joint, tokenizer.eos_token_id]


def test_whole_texts_share_their_longest_common_prefix_of_tokens():
    first, second = "a long story about " * 9 + "cats", "a long story about " * 9 + "dogs"
    tokenizer = gpt2()
    kept = len(tokenizer(first)["input_ids"])
    lost = cut(tokenizer, length=kept - 4, chosen=first, rejected=second)
    assert lost.prompt == 5  # with the end token
    assert lost.answers == 0


# Pitfall 7: the end is there once, also where the text has it, and also after a cut.
def test_pitfall_7_the_end_is_appended_once():
    end = tiny().eos_token_id
    for answer in (" fine .", " fine .<|end|>", " fine .<|end|>\n"):
        found = pair(tiny(), prompt="review", chosen=answer, rejected=" ugly .")
        assert found.chosen.count(end) == 1
        assert found.rejected[-1] == end


def test_pitfall_7_the_prompt_is_cut_from_the_left_and_answer_and_end_are_kept():
    fields = {"prompt": "of the " * 30, "chosen": "old hotel .", "rejected": "new hotel ."}
    whole = pair(tiny(), length=100, **fields)
    found = pair(tiny(), length=12, **fields)
    assert found.chosen == whole.chosen[-12:]
    assert found.rejected == whole.rejected[-12:]
    assert cut(tiny(), length=12, **fields).prompt == len(whole.chosen) - 12
    assert cut(tiny(), length=12, **fields).full
    assert not cut(tiny(), length=100, **fields).full


def test_both_sides_lose_the_same_beginning():
    found = pair(
        tiny(), length=16, prompt="of the " * 8, chosen="hotel .", rejected="hotel " + "was " * 8
    )
    assert len(found.rejected) == 16
    shared = len(found.chosen) - 3  # of it `hotel`, `.` and the end are the answer
    assert found.chosen[:shared] == found.rejected[:shared]


def test_an_answer_longer_than_everything_keeps_its_end():
    fields = {"prompt": "review", "chosen": " fine" * 50, "rejected": " ugly" * 3}
    found = pair(tiny(), length=10, **fields)
    assert len(found.chosen) == 10
    assert found.chosen[-1] == tiny().eos_token_id
    assert tiny().decode(found.rejected) == " ugly ugly ugly<|end|>"
    assert cut(tiny(), length=10, **fields).answers == 41


def test_pitfall_7_pairs_that_become_equal_by_the_cut_are_named():
    same = " fine" * 30
    found = encoded(tiny(), length=10, prompt="review", chosen=same, rejected=same + " .")
    assert isinstance(found, RowFault)
    assert (found.name, found.facts) == ("row_equal_cut", {"length": 10})


def test_pairs_that_are_equal_as_tokens_are_named():
    tokenizer = adding()
    tokenizer._tokenizer.normalizer = __import__("tokenizers").normalizers.Lowercase()
    found = encoded(tokenizer, chosen="Fine", rejected="fine")
    assert isinstance(found, RowFault)
    assert found.name == "row_equal_tokens"


def test_one_answer_may_begin_the_other_and_one_token_is_an_answer():
    found = pair(tiny(), prompt="review", chosen=" fine", rejected=" fine hotel")
    assert len(found.chosen) == 3
    assert found.chosen[:2] == found.rejected[:2]


def test_tokens_that_the_tokenizer_adds_are_there_once_and_never_cut():
    tokenizer = adding(before="<bos>")
    first = tokenizer.convert_tokens_to_ids("<bos>")
    for length in (64, 8):
        found = pair(tokenizer, length=length, prompt="of the " * 9, chosen="old", rejected="new")
        assert found.chosen[0] == found.rejected[0] == first
        assert found.chosen.count(first) == 1
        assert found.chosen[-1] == tokenizer.eos_token_id


def test_a_tokenizer_that_ends_texts_itself_gets_no_second_end():
    tokenizer = adding(before="<cls>", after="<sep>")
    found = pair(tokenizer, prompt="review", chosen=" fine", rejected=" ugly")
    assert tokenizer.decode(found.chosen) == "<cls>review fine<sep>"


def test_conversations_go_through_the_chat_template():
    found = pair(tiny(), prompt=[USER], chosen=[said("fine")], rejected=[said("ugly")])
    assert tiny().decode(found.chosen) == "user: hi\nassistant: fine\n<|end|>"
    whole = pair(tiny(), chosen=[USER, said("fine")], rejected=[USER, said("ugly")])
    assert whole == found


def test_a_template_that_writes_begin_and_end_itself_gets_no_second_ones():
    tokenizer = adding(before="<bos>")
    tokenizer.chat_template = (
        "<bos>{% for m in messages %}{{ m['role'] }}:{{ m['content'] }}<|end|>\n{% endfor %}"
    )
    found = pair(tokenizer, chosen=[USER, said("fine")], rejected=[USER, said("ugly")])
    assert tokenizer.decode(found.chosen) == "<bos>user:hi<|end|>\nassistant:fine<|end|>\n"
    short = pair(tokenizer, length=9, chosen=[USER, said("fine")], rejected=[USER, said("ugly")])
    assert short.chosen[0] == found.chosen[0]
    assert tokenizer.decode(short.chosen).endswith("fine<|end|>\n")


def test_templates_and_ids_without_a_begin_get_none():
    tokenizer = adding(before="<bos>")
    first = tokenizer.convert_tokens_to_ids("<bos>")
    chat = pair(tokenizer, chosen=[USER, said("fine")], rejected=[USER, said("ugly")])
    assert first not in chat.chosen
    assert pair(tokenizer, chosen=[5, 6], rejected=[5, 7]).chosen == (5, 6)
    kept = pair(tokenizer, length=3, chosen=[first, 5, 6, 7], rejected=[first, 5, 6, 8])
    assert kept.chosen == (first, 6, 7)


def test_a_conversation_needs_a_template_and_one_that_takes_it():
    with pytest.raises(UserError, match="WS992"):
        encoded(gpt2(), chosen=[USER, said("a")], rejected=[USER, said("b")])
    tokenizer = adding()
    tokenizer.chat_template = "{{ raise_exception('roles must alternate') }}"
    found = encoded(tokenizer, chosen=[USER, said("a")], rejected=[USER, said("b")])
    assert isinstance(found, RowFault)
    assert found.facts == {"error": "roles must alternate"}


def test_ids_are_taken_as_they_are():
    end = tiny().eos_token_id
    assert pair(tiny(), prompt=[5, 6], chosen=[7], rejected=[8]).chosen == (5, 6, 7)
    assert pair(tiny(), length=3, chosen=[5, 6, 7, end], rejected=[5, 6, 8, end]).chosen == (
        *(6, 7),
        end,
    )
    found = encoded(tiny(), chosen=[5, 999_999], rejected=[5])
    assert isinstance(found, RowFault)
    assert found.facts == {"token": 999_999, "size": len(tiny())}


def test_several_rejected_answers_are_one_comparison_and_lose_the_same_beginning():
    fields = {"prompt": "of the " * 9, "chosen": "old .", "rejected": ["new .", "hotel " * 5]}
    found, lost = encoded(tiny(), length=12, **fields, margin=[1, 2], weight=3)
    assert (found.margins, found.weight) == ((1.0, 2.0), 3.0)
    assert len(found.texts) == 3
    shared = len(found.texts[0]) - 3
    assert found.texts[0][:shared] == found.texts[1][:shared] == found.texts[2][:shared]
    assert lost.answers == 0


def alone(*texts, length=4, tokenizer=None):
    tokenizer = tokenizer or tiny()
    return [
        each if isinstance(each, RowFault) else tokenizer.decode(each)
        for each in Encoder(tokenizer, length=length).whole(texts)
    ]


def test_texts_alone_lose_their_beginning_and_answers_keep_it():
    whole = "review of the old hotel :"
    assert alone((None, whole)) == [" old hotel :<|end|>"]
    assert alone((whole, " fine .")) == [": fine .<|end|>".replace(":", " :")]
    assert alone((whole, " the soup was fine .")) == [" the soup was<|end|>"]


def test_texts_alone_may_be_conversations_and_ids():
    assert alone(([USER], [said("fine")]), length=64) == ["user: hi\nassistant: fine\n<|end|>"]
    assert alone((None, [5, 6, 7, 8, 9])) == [tiny().decode([6, 7, 8, 9])]


def test_a_text_without_tokens_is_a_fault():
    tokenizer = adding()
    tokenizer.eos_token = None
    (found,) = alone((None, ""), tokenizer=tokenizer)
    assert isinstance(found, RowFault)
    (found,) = alone((None, 7))
    assert isinstance(found, RowFault)


def test_a_length_without_room_is_refused():
    with pytest.raises(UserError, match="WS988"):
        Encoder(tiny(), length=1)
