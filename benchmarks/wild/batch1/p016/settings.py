from transformers import BertConfig

LABELS = ["law", "prophets", "wisdom", "gospel", "epistle"]
MAX_LENGTH = 20


def build_config():
    return BertConfig(
        vocab_size=120,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=48,
        max_position_embeddings=MAX_LENGTH,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        num_labels=len(LABELS),
        problem_type="single_label_classification",
        pad_token_id=0,
    )
