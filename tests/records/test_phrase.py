"""Errors that know their code, and find their sentence when somebody reads them."""

import pickle

from wellshaped.execute.program import NoProgram
from wellshaped.records.phrase import UserError


def test_an_error_reads_as_the_sentence_of_the_catalogue():
    error = UserError("WS930", "no_such_file", file="train.py")
    assert str(error) == "WS930: cannot open the program `train.py`: no such file"


def test_an_error_survives_the_way_home_from_a_worker():
    error = pickle.loads(pickle.dumps(NoProgram("WS930", "no_such_file", file="train.py")))
    assert type(error) is NoProgram
    assert (error.code, error.message.facts) == ("WS930", {"file": "train.py"})
