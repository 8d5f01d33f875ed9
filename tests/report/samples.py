"""The three renderings of the style guide, as documents written by hand."""

from wellshaped.report.document import (
    Document,
    Excerpt,
    Mark,
    Paragraph,
    SourceLine,
    SuggestedEdit,
    TableRow,
)


def marks_of(text: str, *parts: tuple[str, str, bool]) -> tuple[Mark, ...]:
    """Marks on the first occurrence of each (source, label, primary)."""
    return tuple(
        Mark(text.index(source), text.index(source) + len(source), label, primary)
        for source, label, primary in parts
    )


_RANKING = "    loss = ranking(chosen, rejected, label)"
_CROSS_ENTROPY = "    loss = F.cross_entropy(logits, labels)"
_MSE = "    loss = criterion(pred, target)"

RANK = Document(
    severity="error",
    code="WS101",
    headline="`MarginRankingLoss` got a target with fewer axes than its inputs",
    excerpts=(
        Excerpt(
            file="reward.py",
            line=41,
            inside="in training_step",
            lines=(
                SourceLine(
                    41,
                    _RANKING,
                    marks_of(
                        _RANKING,
                        ("chosen", "(1, 1)", False),
                        ("rejected", "(1, 1)", False),
                        ("label", "(1,)", True),
                    ),
                ),
            ),
        ),
    ),
    groups=(
        (
            TableRow("needs", ("input1 (*S)", "input2 (*S)", "target (*S)", "one shape for all")),
            TableRow("got", ("(1, 1)", "(1, 1)", "(1,)")),
        ),
        (
            Paragraph(
                "why",
                "`chosen` and `rejected` are columns, one score per row: (B, 1). `label` is a "
                "vector: (B,). The loss pairs them element by element and does not guess which "
                "axis is missing.",
            ),
        ),
        (
            SuggestedEdit(
                "give `label` the missing axis",
                "safe",
                (
                    ("-", "loss = ranking(chosen, rejected, label)"),
                    ("+", "loss = ranking(chosen, rejected, label.unsqueeze(1))"),
                ),
            ),
        ),
        (
            Paragraph("verified", "B = 1, 2, 3, 8: runs, and equals the row-by-row loss"),
            Paragraph(
                "not this", "`.squeeze()` on the scores fails at B = 1: the batch axis goes too"
            ),
            Paragraph("not this", "`label.expand_as(chosen)` works at B = 1 only"),
        ),
        (
            Paragraph("more", "wellshaped explain WS101"),
            Paragraph(
                "torch",
                "margin_ranking_loss : All input tensors should have same dimension but got "
                "sizes: input1: torch.Size([1, 1]), input2: ...",
            ),
        ),
    ),
)

COLUMN = Document(
    severity="error",
    code="WS102",
    headline="`cross_entropy` got class numbers as a column, not as a vector",
    excerpts=(
        Excerpt(
            file="train.py",
            line=58,
            inside="in train_epoch",
            lines=(
                SourceLine(
                    58,
                    _CROSS_ENTROPY,
                    marks_of(
                        _CROSS_ENTROPY,
                        ("logits", "(32, 10)", False),
                        ("labels", "(32, 1) int64", True),
                    ),
                ),
            ),
        ),
    ),
    groups=(
        (
            TableRow("needs", ("input (B, C)", "target (B,)")),
            TableRow("got", ("(32, 10)", "(32, 1)")),
        ),
        (
            Paragraph(
                "why",
                "Each row has one class number, but the numbers are stored as a 32 x 1 table. A "
                "second axis on the target would mean one label per position, and these inputs "
                "have no positions.",
            ),
        ),
        (
            SuggestedEdit(
                "drop the last axis of `labels`",
                "safe",
                (
                    ("-", "loss = F.cross_entropy(logits, labels)"),
                    ("+", "loss = F.cross_entropy(logits, labels.squeeze(1))"),
                ),
            ),
        ),
        (
            Paragraph("verified", "B = 1, 2, 3, 32: runs, and equals the row-by-row loss"),
            Paragraph("not this", "`labels.squeeze()` fails at B = 1: the batch axis goes too"),
        ),
        (
            Paragraph("more", "wellshaped explain WS102"),
            Paragraph("torch", "0D or 1D target tensor expected, multi-target not supported"),
        ),
    ),
)

SILENT = Document(
    severity="error",
    code="WS301",
    headline="`MSELoss` compared every prediction with every target",
    excerpts=(
        Excerpt(
            file="fit.py",
            line=23,
            inside="in fit",
            note="(no exception was raised)",
            lines=(
                SourceLine(
                    23,
                    _MSE,
                    marks_of(_MSE, ("pred", "(64, 1)", True), ("target", "(64,)", False)),
                ),
            ),
        ),
    ),
    groups=(
        (
            TableRow("needs", ("input (*S)", "target (*S)", "one shape for both")),
            TableRow("got", ("(64, 1)", "(64,)", "broadcast to (64, 64)")),
        ),
        (
            Paragraph(
                "why",
                "The mean runs over 64 x 64 = 4096 pairs instead of 64 rows. It is smallest when "
                "every prediction is the mean of the targets, so training proceeds and ignores "
                "the inputs.",
            ),
        ),
        (Paragraph("value", "2.3317 as written, 2.7301 row by row, on this batch"),),
        (
            SuggestedEdit(
                "drop the last axis of `pred`",
                "changes results",
                (
                    ("-", "loss = criterion(pred, target)"),
                    ("+", "loss = criterion(pred.squeeze(1), target)"),
                ),
            ),
        ),
        (
            Paragraph("verified", "B = 1, 2, 3, 64: equals the row-by-row loss"),
            Paragraph("caution", "at B = 1 the faulty call gives the same value: test with B > 1"),
        ),
        (Paragraph("more", "wellshaped explain WS301"),),
    ),
)
