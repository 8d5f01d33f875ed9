"""Losses that pair predictions and targets element by element."""

from wellshaped.contracts.contract import Contract

_PAIR = ("input (*S)  target (*S)",)

TABLE = (
    Contract(
        name="l1_loss",
        module="L1Loss",
        tensors=("input", "target", "weight"),
        predicts=("input",),
        target="numbers",
        pairs="elements",
        takes="numbers",
        zero_when_equal=True,
        unequal="warned",
        needs=("input (*S)  target (*S)  weight? (*S)",),
        steps="""
            wide, aim = expanded(input, target, 0), expanded(input, target, 1)
            weighted(magnitude(wide - aim), weight, input, reduction) if weight else \
reduced(magnitude(wide - aim), reduction)
        """,
    ),
    Contract(
        name="mse_loss",
        module="MSELoss",
        tensors=("input", "target", "weight"),
        predicts=("input",),
        target="numbers",
        pairs="elements",
        takes="numbers",
        zero_when_equal=True,
        unequal="warned",
        needs=("input (*S)  target (*S)  weight? (*S)",),
        steps="""
            wide, aim = expanded(input, target, 0), expanded(input, target, 1)
            weighted(squared(wide - aim), weight, input, reduction) if weight else \
pointwise(input, target, reduction)
        """,
    ),
    Contract(
        name="smooth_l1_loss",
        module="SmoothL1Loss",
        tensors=("input", "target"),
        predicts=("input",),
        target="numbers",
        pairs="elements",
        takes="numbers",
        zero_when_equal=True,
        unequal="warned",
        needs=_PAIR,
        steps="""
            refuse_unless(beta >= 0, "must not be negative", "beta")
            wide, aim = expanded(input, target, 0), expanded(input, target, 1)
            pointwise(input, target, reduction) if beta else \
reduced(magnitude(wide - aim), reduction)
        """,
    ),
    Contract(
        name="huber_loss",
        module="HuberLoss",
        tensors=("input", "target", "weight"),
        predicts=("input",),
        target="numbers",
        pairs="elements",
        takes="numbers",
        zero_when_equal=True,
        unequal="warned",
        needs=("input (*S)  target (*S)  weight? (*S)",),
        steps="""
            weighted_mean(huber(input, target, delta), weight, input, reduction) if weight else \
reduced(huber(input, target, delta), reduction)
        """,
    ),
    Contract(
        name="binary_cross_entropy",
        module="BCELoss",
        tensors=("input", "target", "weight"),
        predicts=("input",),
        target="probabilities",
        pairs="elements",
        takes="probabilities",
        needs=("input (*S)  target (*S)  weight? <(*S)",),
        dtypes="one floating point dtype for all",
        steps="""
            binary_cross_entropy(input, target, weight, reduction)
        """,
    ),
    Contract(
        name="binary_cross_entropy_with_logits",
        module="BCEWithLogitsLoss",
        tensors=("input", "target", "weight", "pos_weight"),
        predicts=("input",),
        target="probabilities",
        pairs="elements",
        takes="scores",
        applies="sigmoid",
        needs=("input (*S)  target (*S)  weight? <(*S)  pos_weight? <(*S)",),
        steps="""
            same_shape(input, target)
            scores = log_sigmoid(input)
            scores = combine_into(scores, combine_into((pos_weight - 1) * target, 1)) \
if pos_weight else scores
            loss = combine_into(combine_into(1 - target, input), scores)
            loss = combine_into(loss, weight) if weight else loss
            real_gradient(loss)
            reduced(loss, reduction)
        """,
    ),
    Contract(
        name="poisson_nll_loss",
        module="PoissonNLLLoss",
        tensors=("input", "target"),
        predicts=("input",),
        target="numbers",
        pairs="elements",
        takes="numbers",
        unequal="silent",
        needs=_PAIR,
        steps="""
            loss = exp(input) - target * input if log_input else input - target * log(input + eps)
            stirling = target * log(target) - target + 0.5 * log(6.28 * target) if full else loss
            loss = combine_into(loss, stirling_term(stirling, target)) if full else loss
            reduced(loss, reduction)
        """,
    ),
    Contract(
        name="gaussian_nll_loss",
        module="GaussianNLLLoss",
        tensors=("input", "target", "var"),
        predicts=("input", "var"),
        target="numbers",
        pairs="elements",
        takes="numbers",
        unequal="silent",
        needs=(
            "input (*S)  target (*S)/1  var? (*S)/1",
            "input (*R, D)  target (*R, D)/1  var? (*R)",
        ),
        steps="""
            spread = variance(var, input, eps)
            loss = 0.5 * (log(spread) + squared(input - target) / spread)
            loss = combine_into(loss, 0.9) if full else loss
            reduced(loss, reduction)
        """,
    ),
    Contract(
        name="kl_div",
        module="KLDivLoss",
        tensors=("input", "target"),
        predicts=("input",),
        target="probabilities",
        pairs="elements",
        takes="log probabilities",
        unequal="silent",
        needs=_PAIR,
        steps="""
            ordered(input, target)
            not_integral(input, target)
            loss = exp(target) * (target - input) if log_target else \
xlogy(target, target) - target * input
            batch_mean(loss, input) if reduction == "batchmean" else reduced(loss, reduction)
        """,
    ),
    Contract(
        name="soft_margin_loss",
        module="SoftMarginLoss",
        tensors=("input", "target"),
        predicts=("input",),
        target="signs",
        pairs="elements",
        takes="scores",
        needs=_PAIR,
        steps="""
            loss = log1p_(exp_(combine_into(-input, target)))
            real_gradient(loss)
            reduced(no_way_back(loss, target.dtype == "bool"), reduction)
        """,
    ),
    Contract(
        name="hinge_embedding_loss",
        module="HingeEmbeddingLoss",
        tensors=("input", "target"),
        predicts=("input",),
        target="signs",
        pairs="elements",
        takes="numbers",
        unequal="silent",
        needs=_PAIR,
        steps="""
            hinge = clamp_min(minus_from(margin, input))
            apart = where(compared(target, 1), hinge, zeros_like(input))
            close = where(compared(target, -1), input, zeros_like(input))
            reduced(apart + close, reduction)
        """,
    ),
    Contract(
        name="multilabel_soft_margin_loss",
        module="MultiLabelSoftMarginLoss",
        tensors=("input", "target", "weight"),
        predicts=("input",),
        target="probabilities",
        pairs="elements",
        takes="scores",
        applies="sigmoid",
        unequal="silent",
        needs=("input (*S, C)  target (*S, C)  weight? <(*S, C)",),
        steps="""
            loss = -(target * log_sigmoid(input) + (1 - target) * log_sigmoid(-input))
            loss = loss * weight if weight else loss
            classes = input.size(input.rank - 1)
            reduced(divided(summed(loss, input.rank - 1), classes), reduction)
        """,
    ),
)
