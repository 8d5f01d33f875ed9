"""A group of one process needs no port and no file, and more than one are denied theirs."""

import pytest

from tests.execute.sandbox.boxed import sandboxed, user_folder

PROGRAM = """
import os, torch, torch.distributed as dist
os.environ.update(MASTER_ADDR="localhost", MASTER_PORT="29519")
for where in ("env://", "tcp://127.0.0.1:29519", "file://" + os.path.abspath("store")):
    dist.init_process_group("gloo", init_method=where, rank=0, world_size=1)
    both = torch.ones(2)
    dist.all_reduce(both)
    dist.barrier()
    print(both.tolist(), dist.get_world_size())
    dist.destroy_process_group()
store = dist.TCPStore("localhost", 29519, 1, True)
store.set("key", "value")
print(store.get("key"), isinstance(store, dist.Store))
"""


@pytest.fixture
def user(tmp_path):
    return user_folder(tmp_path)


@pytest.mark.slow
def test_one_process_alone_is_a_group_without_a_port(user):
    lines = sandboxed(user, PROGRAM, how="torch").out.splitlines()
    assert lines == ["[1.0, 1.0] 1"] * 3 + ["b'value' True"]


@pytest.mark.slow
def test_a_port_for_several_processes_is_denied(user):
    if not sandboxed(user, "").by_kernel:
        pytest.skip("this Linux has no Landlock")
    program = """
import torch.distributed as dist
try: dist.TCPStore("localhost", 29519, 2, True, wait_for_workers=False)
except dist.DistNetworkError as error: print("denied")
"""
    assert sandboxed(user, program, how="torch").out == "denied\n"
