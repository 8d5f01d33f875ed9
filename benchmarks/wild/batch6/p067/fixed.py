import argparse

import torch

from fixed_captioner import polish
from masked_lm import MaskedLM, fit
from matcher import ToyMatcher
from vocab import LENGTH, MASK, VOCAB, sentences


def parse():
    p = argparse.ArgumentParser(description="zero-shot captions by polishing")
    p.add_argument("--batch_size", type=int, default=2)
    p.add_argument("--candidate_k", type=int, default=10)
    p.add_argument("--iterations", type=int, default=2)
    p.add_argument("--alpha", type=float, default=0.3)
    p.add_argument("--images", type=int, default=4)
    p.add_argument("--lm_steps", type=int, default=40)
    return p.parse_args()


def main():
    args = parse()
    torch.manual_seed(0)
    text = sentences(64)
    lm = MaskedLM(VOCAB, 24)
    print(f"lm loss {fit(lm, text, args.lm_steps, MASK):.4f}")
    matcher = ToyMatcher(VOCAB, 16)
    images = matcher.encode_text(text[:args.images])
    for i in range(0, args.images, args.batch_size):
        feats = images[i:i + args.batch_size]
        start = torch.full((len(feats), LENGTH), MASK)
        captions, score = polish(lm, matcher, feats, start, args.candidate_k, args.alpha, args.iterations)
        print(f"images {i}.. score {score:.4f} first {captions[0].tolist()}")


if __name__ == "__main__":
    main()
