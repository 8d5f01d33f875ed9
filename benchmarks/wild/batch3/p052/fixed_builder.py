from fixed_layers import AttentionDecoder, FocusEncoder
from seq2seq import QuestionGenerator


def build_model(cfg, n_words):
    encoder = FocusEncoder(n_words, cfg["embed_size"], cfg["enc_hidden_size"])
    decoder = AttentionDecoder(
        n_words=n_words,
        embed_size=cfg["embed_size"],
        memory_size=2 * cfg["enc_hidden_size"],
        hidden_size=cfg["dec_hidden_size"],
    )
    return QuestionGenerator(encoder, decoder)
