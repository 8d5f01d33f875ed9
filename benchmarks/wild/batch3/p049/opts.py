import argparse


def parse_opts():
    p = argparse.ArgumentParser()
    p.add_argument("--seed", default=0, type=int)
    p.add_argument("--margin", default=0.2, type=float)
    p.add_argument("--num_epochs", default=3, type=int)
    p.add_argument("--batch_size", default=12, type=int)
    p.add_argument("--word_dim", default=16, type=int)
    p.add_argument("--embed_size", default=32, type=int)
    p.add_argument("--vocab_size", default=40, type=int)
    p.add_argument("--learning_rate", default=0.005, type=float)
    p.add_argument("--img_dim", default=96, type=int, help="Dimensionality of the image embedding.")
    p.add_argument("--max_violation", action="store_true")
    return p.parse_args()
