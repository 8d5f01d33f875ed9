"""One thread: models this small only wait for the second."""

import pytest
import torch

from tests.train.serve.servers import policy_folder, reward_folder


@pytest.fixture(autouse=True, scope="package")
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="package")
def policy(tmp_path_factory):
    return policy_folder(tmp_path_factory.mktemp("policy"))


@pytest.fixture(scope="package")
def reward(tmp_path_factory):
    return reward_folder(tmp_path_factory.mktemp("reward"))
