import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from arguments import TCTrainArgs
from fixed_reader import CsvReviews, Vocabulary, read_csv
from classifier import TextClassifier


def evaluate(model, loader, criterion):
    model.eval()
    total, hits, n = 0.0, 0, 0
    with torch.no_grad():
        for tokens, labels in loader:
            logits = model(tokens)
            total += criterion(logits, labels).item() * len(labels)
            hits += (logits.argmax(1) == labels).sum().item()
            n += len(labels)
    return total / n, hits / n


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--train_csv", default="reviews.csv")
    parser.add_argument("--num_labels", type=int, default=3)
    opts = parser.parse_args()
    args = TCTrainArgs()
    torch.manual_seed(args.seed)

    rows = read_csv(opts.train_csv)
    vocab = Vocabulary(text for text, _ in rows)
    split = int(len(rows) * args.train_share)
    train_loader = DataLoader(CsvReviews(rows[:split], vocab, args.max_length), batch_size=args.batch_size)
    eval_loader = DataLoader(CsvReviews(rows[split:], vocab, args.max_length), batch_size=args.batch_size)

    model = TextClassifier(len(vocab), opts.num_labels, args)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.learning_rate)
    for epoch in range(args.num_train_epochs):
        model.train()
        for tokens, labels in train_loader:
            loss = criterion(model(tokens), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        loss, accuracy = evaluate(model, eval_loader, criterion)
        print("epoch %d eval loss %.4f accuracy %.4f" % (epoch, loss, accuracy))


if __name__ == "__main__":
    main()
