"""Losses that compare predictions with each other: ranking, cosine, triplets."""

from wellshaped.contracts.contract import Contract

TABLE = (
    Contract(
        name="margin_ranking_loss",
        module="MarginRankingLoss",
        tensors=("input1", "input2", "target"),
        predicts=("input1", "input2"),
        target="signs",
        pairs="elements",
        takes="scores",
        needs=("input1 (*S)  input2 (*S)  target (*S)",),
        dtypes="inputs floating point; target 1 or -1",
        steps="""
            same_rank(input1, input2, target)
            reduced(clamp_min_(-target * (input1 - input2) + 1.0 * margin), reduction)
        """,
    ),
    Contract(
        name="cosine_embedding_loss",
        module="CosineEmbeddingLoss",
        tensors=("input1", "input2", "target"),
        predicts=("input1", "input2"),
        target="signs",
        pairs="rows",
        takes="embeddings",
        needs=("input1 (B, D)  input2 (B, D)  target (B)", "input1 (D)  input2 (D)  target ()"),
        dtypes="inputs floating point; target 1 or -1",
        steps="""
            refuse_unless(target.rank <= 1, "must be a vector, one number a pair", "target")
            one_more_axis(input1, target)
            one_more_axis(input2, target)
            across = summed(input1 * input2, target.rank)
            length1 = summed(input1 * input1, target.rank) + 1e-12
            length2 = summed(input2 * input2, target.rank) + 1e-12
            cosine = across / sqrt(length1 * length2)
            near = where(compared(target, 1), 1 - cosine, zeros_like(cosine))
            far = where(compared(target, -1), clamp_min_(cosine - margin), zeros_like(cosine))
            reduced(near + far, reduction)
        """,
    ),
    Contract(
        name="triplet_margin_loss",
        module="TripletMarginLoss",
        tensors=("anchor", "positive", "negative"),
        predicts=("anchor", "positive", "negative"),
        target="none",
        pairs="positions",
        takes="embeddings",
        needs=("anchor (*S, D)  positive (*S, D)  negative (*S, D)",),
        steps="""
            refuse_unless(margin > 0, "must be positive", "margin")
            same_rank(anchor, positive, negative)
            near, far = distance(anchor, positive, p, eps), distance(anchor, negative, p, eps)
            far = smaller(far, distance(positive, negative, p, eps)) if swap else far
            reduced(clamp_min(margin + near - far), reduction)
        """,
    ),
    Contract(
        name="triplet_margin_with_distance_loss",
        module="TripletMarginWithDistanceLoss",
        tensors=("anchor", "positive", "negative"),
        predicts=("anchor", "positive", "negative"),
        target="none",
        pairs="positions",
        takes="embeddings",
        needs=("anchor (*S)  positive (*S)  negative (*S)",),
        steps="""
            plain_reduction(reduction)
            refuse_unless(margin > 0, "must be positive", "margin")
            same_rank(anchor, positive, negative)
            near = measured(distance_function, anchor, positive)
            far = measured(distance_function, anchor, negative)
            far = smaller(far, measured(distance_function, positive, negative)) if swap else far
            reduced(clamp_min(margin + near - far), reduction)
        """,
    ),
)
