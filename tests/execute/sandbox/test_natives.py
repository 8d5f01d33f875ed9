"""Libraries that write by name in C or Rust write to the overlay, and read from it."""

import pytest

from tests.execute.sandbox.boxed import sandboxed, user_folder


@pytest.fixture
def user(tmp_path):
    return user_folder(tmp_path)


TOKENIZERS = """
import os, tokenizers
from tokenizers import models, pre_tokenizers, trainers
with open("corpus.txt", "w") as made: made.write("a b c a b\\n")
made = tokenizers.Tokenizer(models.WordLevel(unk_token="?"))
made.pre_tokenizer = pre_tokenizers.Whitespace()
made.train(["corpus.txt"], trainers.WordLevelTrainer(special_tokens=["?"]))
print(made.get_vocab_size())
made.model.save("data"); print(sorted(os.listdir("data")))
made.save("whole.json"); print(tokenizers.Tokenizer.from_file("whole.json").get_vocab_size())
"""


def test_tokenizers_train_on_and_save_to_the_overlay(user):
    pytest.importorskip("tokenizers")
    lines = sandboxed(user, TOKENIZERS).out.splitlines()
    assert lines == ["4", "['a.txt', 'b', 'vocab.json']", "4"]


def test_the_history_of_readline_goes_to_the_overlay(user):
    pytest.importorskip("readline")
    program = """
import readline
readline.add_history("line"); readline.write_history_file("log.txt")
readline.clear_history(); readline.read_history_file("log.txt")
print(readline.get_history_item(1))
"""
    assert sandboxed(user, program).out == "line\n"


FAKE = """
def write_png(input, filename, compression_level=6):
    import ctypes
    libc = ctypes.CDLL(None); libc.fopen.restype = ctypes.c_void_p
    made = libc.fopen(filename.encode(), b"w"); print(made is not None)
    libc.fclose(ctypes.c_void_p(made))
"""


def test_a_library_that_is_imported_by_the_program_is_rerouted_as_it_arrives(user):
    (user / "torchvision" / "io").mkdir(parents=True)
    (user / "torchvision" / "__init__.py").touch()
    (user / "torchvision" / "io" / "__init__.py").touch()
    (user / "torchvision" / "io" / "image.py").write_text(FAKE)
    program = """
import os
from torchvision.io.image import write_png
write_png(None, "data/a.png"); print(sorted(os.listdir("data")))
"""
    assert sandboxed(user, program).out.splitlines() == ["True", "['a.png', 'a.txt', 'b']"]
