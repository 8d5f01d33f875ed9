import tempfile

import torch

from evaluation import recall_at
from model import VSE
from fixed_opts import parse_opts
from precomp import PrecompPairs, extract_features, get_loader


def main():
    opt = parse_opts()
    torch.manual_seed(opt.seed)
    with tempfile.TemporaryDirectory() as data_path:
        extract_features(data_path, "train", 48, opt.vocab_size)
        extract_features(data_path, "dev", 16, opt.vocab_size)
        train = get_loader(PrecompPairs(data_path, "train"), opt.batch_size, True)
        dev = get_loader(PrecompPairs(data_path, "dev"), opt.batch_size, False)
        model = VSE(opt)
        for epoch in range(opt.num_epochs):
            losses = [model.train_emb(*batch) for batch in train]
            print("epoch %d loss %.4f" % (epoch, sum(losses) / len(losses)))
        print("r@1 %.4f r@5 %.4f" % recall_at(model, dev, (1, 5)))


if __name__ == "__main__":
    main()
