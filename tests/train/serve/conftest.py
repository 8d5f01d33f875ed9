"""One thread: models this small only wait for the second."""

import pytest

from tests.train.serve.servers import policy_folder, reward_folder


@pytest.fixture(autouse=True, scope="module")
def _one_thread(one_thread):
    """Small models only wait for a second thread."""


@pytest.fixture(scope="package")
def policy(tmp_path_factory):
    return policy_folder(tmp_path_factory.mktemp("policy"))


@pytest.fixture(scope="package")
def reward(tmp_path_factory):
    return reward_folder(tmp_path_factory.mktemp("reward"))
