"""Whole reward runs: what is trained, what is kept, and what loads the result."""

import json

import pytest
import torch
from transformers import (
    AutoModel,
    AutoModelForSequenceClassification,
    AutoTokenizer,
    BloomConfig,
)

from tests.floats import DEEP, near
from tests.train.reward.runs import (
    evaluations,
    save_decoder,
    save_encoder,
    steps,
    train,
    write_rows,
)
from tests.train.tables import table
from tests.train.vocabularies import gpt2, tiny
from wellshaped.records.phrase import Phrase, UserError
from wellshaped.records.training.progress import Ended, Flaws
from wellshaped.records.training.shortened import Shortened
from wellshaped.train.data import reviews
from wellshaped.train.data.comparisons import Comparison, Comparisons
from wellshaped.train.data.preference_data import split
from wellshaped.train.models.tiny import tiny_config
from wellshaped.train.reward.scoring import Scorer

USUAL = {"rows": 500, "epochs": 2, "learning_rate": 4e-3, "evaluate_every": 15, "save_every": 10}
TEXTS = [row["prompt"] + row["chosen"] for row in reviews.preferences(5, seed=9)]


@pytest.fixture(scope="module")
def decoder(tmp_path_factory):
    return save_decoder(tmp_path_factory.mktemp("decoder"))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return save_encoder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture(scope="module")
def finished(decoder, tmp_path_factory):
    """One ordinary run: its result, what it told, and its folder."""
    out = tmp_path_factory.mktemp("run") / "out"
    torch.set_num_threads(1)
    return *train(decoder, out, **USUAL), out


def weights_of(trained):
    return {name: each.clone() for name, each in trained.model.state_dict().items()}


def test_it_learns_what_was_not_shown(finished):
    trained, told, _ = finished
    assert trained.ended.how == "finished"
    assert trained.ended.values["accuracy"] > 0.9
    assert trained.ended.values["length_bias"] < 0.1
    assert evaluations(told)[-1].values["loss"] < evaluations(told)[0].values["loss"]


def test_each_step_tells_loss_accuracy_speed_padding_and_the_time_left(finished):
    _, told, _ = finished
    names = {"loss", "accuracy", "margin", "learning_rate", "gradient_norm"}
    for each in steps(told):
        assert names | {"tokens_per_second", "padding"} <= each.values.keys()
        assert each.seconds_left is not None
    assert isinstance(told[-1], Ended)


def test_each_evaluation_tells_accuracy_margin_calibration_and_length(finished):
    _, told, out = finished
    wanted = {"loss", "accuracy", "margin", "calibration_error", "length_bias"}
    for each in evaluations(told):
        assert wanted | {"length_correlation", "reward_mean", "reward_std"} == each.values.keys()
    kept = table(out, "evaluation")
    assert [float(row["accuracy"]) for row in kept] == [
        pytest.approx(each.values["accuracy"]) for each in evaluations(told)
    ]
    assert len(table(out, "train")) == len(steps(told)) == 100


def test_the_last_checkpoints_and_the_best_are_kept(finished):
    trained, _, out = finished
    kept = sorted(int(each.name[5:]) for each in (out / "checkpoints").glob("step-*"))
    assert set(kept) == {90, 100, trained.ended.best_step}


def test_the_result_is_an_ordinary_sequence_classifier_and_scores_the_same(finished):
    trained, _, out = finished
    ours = Scorer(trained.model, trained.tokenizer).score(TEXTS)
    assert Scorer.load(out).score(TEXTS) == near(ours, within=DEEP)
    plain = AutoModelForSequenceClassification.from_pretrained(out)
    tokenizer = AutoTokenizer.from_pretrained(out)
    assert plain.config.num_labels == 1
    given = tokenizer([f"{text}<|end|>" for text in TEXTS], return_tensors="pt", padding=True)
    with torch.no_grad():
        logits_N1 = plain(**given).logits  # (5, 1)
    assert logits_N1.squeeze(1).tolist() == near(ours, within=DEEP)


def test_a_folder_with_a_run_is_not_begun_anew(finished, decoder):
    *_, out = finished
    with pytest.raises(UserError, match="WS986"):
        train(decoder, out, **USUAL)


def test_only_the_same_run_is_resumed(finished, decoder):
    *_, out = finished
    same = {**USUAL, "resume": True}
    trained, told = train(decoder, out, **same)
    assert not steps(told)
    assert trained.ended.how == "finished"
    with pytest.raises(UserError, match="WS985"):
        train(decoder, out, **same | {"seed": 5})
    with pytest.raises(UserError, match="WS985"):
        train(decoder, out, **same | {"rows": 499})


def test_a_seed_makes_the_same_weights(decoder, tmp_path):
    runs = [
        weights_of(train(decoder, tmp_path / f"{place}", rows=40, seed=seed)[0])
        for place, seed in enumerate((3, 3, 4))
    ]
    assert all(torch.equal(runs[0][name], runs[1][name]) for name in runs[0])
    assert not torch.equal(runs[0]["head.weight"], runs[2]["head.weight"])


def test_a_frozen_backbone_stays_as_it_was(decoder, tmp_path):
    before = weights_of(train(decoder, tmp_path / "a", rows=40, learning_rate=0.0)[0])
    after = weights_of(train(decoder, tmp_path / "b", rows=40, freeze=True)[0])
    changed = {name for name in after if not torch.equal(before[name], after[name])}
    assert changed == {"head.weight"}


def test_adapters_are_trained_and_merged_into_the_result(decoder, tmp_path):
    trained, _ = train(decoder, tmp_path / "a", rows=160, lora=4, learning_rate=1e-2)
    names = {name for name, each in trained.model.named_parameters() if each.requires_grad}
    assert "head.weight" in names
    assert all("lora_" in name for name in names - {"head.weight"})
    assert len(names) > 4
    ours = Scorer(trained.model, trained.tokenizer).score(TEXTS)
    assert Scorer.load(tmp_path / "a").score(TEXTS) == pytest.approx(ours, abs=1e-4)
    plain = AutoModelForSequenceClassification.from_pretrained(tmp_path / "a")
    assert not any("lora" in name for name in plain.state_dict())
    grown = [each for name, each in trained.model.named_parameters() if "lora_B" in name]
    assert all(each.abs().max() > 0 for each in grown)


def test_checkpointing_changes_nothing_but_memory(decoder, tmp_path):
    _, told = train(decoder, tmp_path / "a", rows=40)
    saving, again = train(decoder, tmp_path / "b", rows=40, checkpointing=True)
    assert saving.model.transformer.is_gradient_checkpointing
    for one, other in zip(steps(told), steps(again), strict=True):
        assert one.values["loss"] == near(other.values["loss"], within=DEEP)
        assert one.values["gradient_norm"] == pytest.approx(other.values["gradient_norm"], rel=1e-3)


def test_bfloat16_learns_and_rewards_are_float32(decoder, tmp_path):
    _, told = train(decoder, tmp_path / "a", rows=80)
    half, again = train(decoder, tmp_path / "b", rows=80, precision="bf16")
    first, other = steps(told)[0].values, steps(again)[0].values
    assert first["loss"] == pytest.approx(other["loss"], rel=0.05)
    assert first["loss"] != other["loss"]
    with torch.autocast("cpu", torch.bfloat16), torch.no_grad():
        rewards_N = half.model.score([torch.tensor([5, 6, 7])])
    assert rewards_N.dtype == torch.float32
    assert next(half.model.parameters()).dtype == torch.float32


def test_float16_needs_a_graphics_processor(decoder, tmp_path):
    with pytest.raises(UserError, match="WS988"):
        train(decoder, tmp_path / "a", rows=40, precision="fp16")


def test_patience_ends_a_run_that_no_longer_improves(decoder, tmp_path):
    trained, told = train(
        decoder, tmp_path / "a", rows=160, evaluate_every=2, patience=2, learning_rate=0.0
    )
    assert trained.ended.how == "stopped early"
    assert len(evaluations(told)) == 3


@pytest.mark.parametrize("pooling", ["mean", "attention"])
def test_other_poolings_are_saved_and_scored_too(decoder, tmp_path, pooling):
    trained, _ = train(decoder, tmp_path / "a", rows=80, pooling=pooling)
    ours = Scorer(trained.model, trained.tokenizer).score(TEXTS)
    assert Scorer.load(tmp_path / "a").score(TEXTS) == near(ours, within=DEEP)


def test_encoders_learn_too(encoder, tmp_path):
    trained, _ = train(encoder, tmp_path / "a", rows=300, epochs=2, learning_rate=4e-3)
    assert trained.ended.values["accuracy"] > 0.8
    ours = Scorer(trained.model, trained.tokenizer).score(TEXTS)
    assert Scorer.load(tmp_path / "a").score(TEXTS) == near(ours, within=DEEP)


def test_a_tokenizer_without_a_pad_learns_and_is_read_by_others_alike(tmp_path):
    # The real one of GPT-2: its end is all it has, and many take that for the pad.
    tokenizer = gpt2()
    assert tokenizer.pad_token_id is None
    config = tiny_config(tokenizer, width=16, positions=64)
    config.pad_token_id = config.eos_token_id
    AutoModel.from_config(config).save_pretrained(tmp_path / "model")
    tokenizer.save_pretrained(tmp_path / "model")
    trained, _ = train(tmp_path / "model", tmp_path / "a", rows=24)
    ours = Scorer(trained.model, tokenizer).score(TEXTS)
    plain = AutoModelForSequenceClassification.from_pretrained(tmp_path / "a")
    other = AutoTokenizer.from_pretrained(tmp_path / "a")
    ended = [f"{text}<|endoftext|>" for text in TEXTS]
    with torch.no_grad():
        logits_N1 = plain(**other(ended, return_tensors="pt", padding=True)).logits  # (5, 1)
    assert logits_N1.squeeze(1).tolist() == near(ours, within=DEEP)


def test_a_model_that_cannot_be_packed_is_padded_and_says_so(tmp_path):
    config = BloomConfig(vocab_size=len(tiny()), hidden_size=32, n_layer=2, n_head=2)
    AutoModel.from_config(config).save_pretrained(tmp_path / "model")
    tiny().save_pretrained(tmp_path / "model")
    trained, told = train(tmp_path / "model", tmp_path / "a", rows=24)
    refused = trained.model.plan.refused
    assert refused
    assert set(refused) <= {each for each in told if isinstance(each, Phrase)}
    _, again = train(tmp_path / "model", tmp_path / "b", rows=24, fast=False)
    for one, other in zip(steps(told), steps(again), strict=True):
        assert one.values["loss"] == pytest.approx(other.values["loss"], abs=1e-4)


def test_other_losses_are_chosen_by_name(decoder, tmp_path):
    _, told = train(decoder, tmp_path / "a", rows=40, loss="margin_ranking", margin=1.0)
    assert 0.3 < steps(told)[0].values["loss"] < 3
    _, smooth = train(decoder, tmp_path / "b", rows=40, smoothing=0.2, centring=0.1)
    assert steps(smooth)[0].values["loss"] != steps(told)[0].values["loss"]


def test_a_setting_that_does_not_exist_is_told(decoder, tmp_path):
    with pytest.raises(UserError, match="there is no setting `epoch`"):
        train(decoder, tmp_path / "a", epoch=2)
    with pytest.raises(UserError, match="choose one"):
        train(decoder, tmp_path / "a", lora=4, freeze=True)
    with pytest.raises(UserError, match="WS988"):
        train(decoder, tmp_path / "a", hold_out=1.0)
    with pytest.raises(UserError, match="WS988"):
        train(decoder, tmp_path / "a", length=1)


def test_trackers_get_what_the_tables_get(decoder, tmp_path):
    train(decoder, tmp_path / "a", rows=40, trackers=("tensorboard",))
    assert list((tmp_path / "a").rglob("events.out.tfevents.*"))
    with pytest.raises(UserError, match="WS988"):
        train(decoder, tmp_path / "b", rows=40, trackers=("paper",))


def test_a_model_that_is_not_there_is_told(tmp_path):
    with pytest.raises(UserError, match="WS993"):
        train(tmp_path / "nothing", tmp_path / "a", rows=20)


def test_a_model_without_a_head_is_not_scored_with(decoder):
    with pytest.raises(UserError, match="has no reward head"):
        Scorer.load(decoder)


def test_bad_rows_are_told_and_stop_the_run_unless_they_are_left_out(decoder, tmp_path):
    path = write_rows(tmp_path / "rows.jsonl", 40)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"prompt": "a", "chosen": "b", "rejected": "b"}) + "\n")
    with pytest.raises(UserError, match="WS984"):
        train(decoder, tmp_path / "a", data=[path])
    trained, told = train(decoder, tmp_path / "b", data=[path], skip_bad_rows=True)
    (flaws,) = [each for each in told if isinstance(each, Flaws)]
    assert [(row.line, row.reason.name) for row in flaws.first] == [(41, "row_equal_pair")]
    assert trained.ended.how == "finished"


def test_texts_are_cut_to_the_positions_of_the_model(decoder, tmp_path):
    rows = reviews.preferences(40, seed=1)
    rows[3]["prompt"] = "of the " * 200
    _, told = train(decoder, tmp_path / "a", data=rows, length=4000)
    (shortened,) = [each for each in told if isinstance(each, Shortened)]
    assert (shortened.length, shortened.prompts, shortened.full) == (128, 1, 1)
    assert shortened.first_full == (("rows", 4),)


def test_short_cuts_that_a_model_refuses_are_told(decoder, tmp_path, monkeypatch):
    from wellshaped.train.reward.forward_plan import ForwardPlan
    from wellshaped.train.reward.model import RewardModel

    refused = ForwardPlan(
        False, False, False, (Phrase("short_cut_no_block", {"short_cut": "packed"}),)
    )
    monkeypatch.setattr(RewardModel, "settle", lambda self, longest: refused)
    _, told = train(decoder, tmp_path / "a", rows=40)
    assert refused.refused[0] in told


def test_held_out_rows_are_not_trained_on():
    given = Comparisons(Comparison(((n,), (n, n)), (0.0,)) for n in range(1, 51))
    trained, held = split(given, share=0.1, seed=3)
    assert (len(trained), len(held)) == (45, 5)
    assert sorted(each.texts for each in [*trained, *held]) == [each.texts for each in given]
    assert [len(each) for each in split(given, share=0.0, seed=3)] == [50, 0]
    assert [len(each) for each in split(given[:2], share=0.01, seed=3)] == [1, 1]
    assert list(split(given, share=0.1, seed=4)[1]) != list(held)


def test_no_progress_bar_of_transformers_is_drawn(decoder, tmp_path, capfd):
    train(decoder, tmp_path, rows=16, steps=1)
    assert "shards" not in capfd.readouterr().err
