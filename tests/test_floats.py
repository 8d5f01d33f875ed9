"""Comparisons of floats let another CPU through, and no other result."""

import pytest
import torch

from tests.floats import CLOSE, near, rounded_like

SHOWN = "value 2.3317 as written, -2.7301 row by row: (64, 1) 0.25"


@pytest.mark.parametrize(
    "text", ["value 2.3318 as written, -2.7299 row by row: (64, 1) 0.25", SHOWN]
)
def test_another_last_digit_is_the_same_text(text):
    assert rounded_like(text, SHOWN) == SHOWN


@pytest.mark.parametrize(
    "text",
    [
        SHOWN.replace("2.3317", "2.3327"),
        SHOWN.replace("2.3317", "2.332"),
        SHOWN.replace("-2.7301", "2.7301"),
        SHOWN.replace("0.25", "0.26"),
        SHOWN.replace("64", "63"),
        SHOWN.replace("row by", "by"),
        f"{SHOWN} 0.1234",
    ],
)
def test_any_other_text_is_another(text):
    assert rounded_like(text, SHOWN) != SHOWN


def test_rounding_is_near_and_a_wrong_term_is_not():
    values = torch.linspace(0.1, 3, 50)
    step = 1 + 8 * torch.finfo(torch.float32).eps
    assert (values * step).tolist() == near(values.tolist())
    torch.testing.assert_close(values * step, values, **CLOSE)
    assert (values * 1.0001).tolist() != near(values.tolist())
