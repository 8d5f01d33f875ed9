"""The peer that asks for annotations: jaxtyping with beartype on a loss function."""

import torch
import torch.nn.functional as F
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def annotated_mse(
    prediction: Float[torch.Tensor, "rows one"], target: Float[torch.Tensor, "rows one"]
) -> Float[torch.Tensor, ""]:
    """`mse_loss` with its shapes in the annotations."""
    return F.mse_loss(prediction, target)
