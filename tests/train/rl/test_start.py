"""A reward model reads what a policy said as it learned to read."""

from copy import deepcopy

import pytest
import torch
from accelerate import Accelerator
from transformers import AutoModel

from tests.floats import DEEP, near
from tests.train.rl.models import policy
from tests.train.vocabularies import tiny
from wellshaped.train.algorithms.ppo import Ppo
from wellshaped.train.models.tiny import tiny_config
from wellshaped.train.reward.model import RewardModel
from wellshaped.train.reward.scoring import Scorer
from wellshaped.train.rl.learner import Learner
from wellshaped.train.rl.prompts import Coder
from wellshaped.train.rl.responses import Response
from wellshaped.train.rl.start import model_reward
from wellshaped.train.rl.text_decoder import TextDecoder
from wellshaped.train.rollout_algorithm import Sampling

pytestmark = pytest.mark.slow

ASKED = [{"role": "user", "content": "hi"}]
SAID = [{"role": "assistant", "content": "fine"}]
CHATML = (
    "{% for message in messages %}<|pad|>{{ message['role'] }}\n{{ message['content'] }}<|end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|pad|>assistant\n{% endif %}"
)


def scorer(tokenizer):
    torch.manual_seed(3)
    config = tiny_config(tokenizer, width=32, positions=128)
    model = RewardModel(AutoModel.from_config(config))
    return Scorer(model, tokenizer, batch=4)


def judged(tokenizer, reward, prompt, said, *, ended=True):
    """The score of a response that is given."""
    settings = Ppo(prompts=1, minibatch=1, sampling=Sampling(response_length=24))
    asked = Coder(tokenizer, length=64).prompt({"prompt": prompt})
    learner = Learner(
        policy(), [asked], reward, TextDecoder.of(tokenizer), settings=settings,
        accelerator=Accelerator(cpu=True),
    )  # fmt: skip
    learner._reference_and_values = lambda responses: ([()], [()])
    ids = tokenizer(said, add_special_tokens=False)["input_ids"]
    ids += [tokenizer.eos_token_id] * ended
    (found,) = learner.score([Response(asked.tokens, tuple(ids), (), ended, 0)])
    return found


@pytest.mark.parametrize(("template", "said"), [(None, " fine\n"), (CHATML, "fine")])
@pytest.mark.parametrize("ended", [True, False])
def test_a_conversation_is_scored_as_its_template_closes_it(template, said, ended):
    tokenizer = deepcopy(tiny())
    tokenizer.chat_template = template or tokenizer.chat_template
    model = scorer(tokenizer)
    found = judged(tokenizer, model_reward(model), ASKED, said, ended=ended)
    assert found.score == near(model.score([ASKED + SAID])[0], within=DEEP)
    assert type(found.text) is str
    assert found.text.endswith(said)


def test_other_rewards_and_prompts_are_texts():
    tokenizer = tiny()
    model = scorer(tokenizer)
    found = judged(tokenizer, lambda texts: [len(text) for text in texts], ASKED, " fine")
    assert found.score == len("user: hi\nassistant: fine")
    plain = judged(tokenizer, model_reward(model), "user: hi", " fine")
    assert plain.score == near(model.score(["user: hi fine"])[0], within=DEEP)


def test_a_reward_model_without_a_template_reads_the_text():
    tokenizer, bare = tiny(), deepcopy(tiny())
    bare.chat_template = None
    model = scorer(bare)
    found = judged(tokenizer, model_reward(model), ASKED, " fine")
    wanted = model.score(["user: hi\nassistant: fine"])[0]
    assert found.score == near(wanted, within=DEEP)
