"""What holds a callable is found, whether it was searched for before the fork or not."""

import os
from types import SimpleNamespace

import pytest

from wellshaped.execute import allow_search_ahead
from wellshaped.execute.forked.child import begin, end
from wellshaped.execute.forked.source_override import other_source
from wellshaped.execute.sandbox import holders
from wellshaped.execute.sandbox.enter import originals, prepare_sandbox, sandboxed


def holding():
    """What holds `os.unlink` in each of the ways that are known."""

    class Held:
        unlink = os.unlink
        static = staticmethod(os.unlink)

    def default(unlink=os.unlink):
        return unlink

    return SimpleNamespace(unlink=os.unlink), {"unlink": os.unlink}, Held, default


EARLY = holding()


def held(where):
    instance, table, kind, default = where
    return [instance.unlink, table["unlink"], kind.unlink, kind.static, default()]


@pytest.fixture
def anew():
    """Nothing was searched before; nor after, as by then other things are frozen."""
    holders._searched = None
    allow_search_ahead()
    yield
    holders._searched = None


@pytest.mark.usefixtures("anew")
@pytest.mark.parametrize("ahead", [True, False])
def test_old_and_new_holders_get_what_stands_in(ahead):
    if ahead:
        prepare_sandbox()
    late = holding()

    def work(scratch):
        plain = os.unlink
        with other_source({}), sandboxed(scratch / "overlay"):
            latest = holding()
            found = [*held(EARLY), *held(late), *held(latest)]
            return os.unlink is plain, [each is os.unlink for each in found]

    assert end(begin(work, seconds=60)) == (False, [True] * 15)


@pytest.mark.usefixtures("anew")
def test_all_that_is_replaced_was_searched_for():
    prepare_sandbox()

    def work(scratch):
        asked = []
        search = holders._search
        holders._search = lambda *given: asked.append(len(given)) or search(*given)
        with other_source({}), sandboxed(scratch / "overlay"):
            return asked

    # Three arguments: what is known is given, and only the rest searched.
    assert end(begin(work, seconds=60)) == [3]


@pytest.mark.usefixtures("anew")
def test_what_was_not_searched_for_is_looked_for_everywhere():
    prepare_sandbox()
    table = {"later": len}
    found, _ = holders.holders_of([len], set())
    assert any(each is table for each in found)


@pytest.mark.usefixtures("anew")
def test_the_heap_of_another_process_is_left_alone(monkeypatch):
    monkeypatch.setattr(holders, "_is_ours", False)
    prepare_sandbox()
    assert holders._searched is None
    assert os.unlink in originals()
