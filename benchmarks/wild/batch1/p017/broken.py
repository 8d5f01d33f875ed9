import torch
import torch.nn as nn

from config import HParams
from dataset import get_loaders
from sentiment_rnn import SentimentRNN


def train(net, loaders, hp):
    train_loader, valid_loader = loaders
    criterion = nn.BCELoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=hp.lr)
    net.train()
    for e in range(hp.epochs):
        # initialize hidden state
        h = net.init_hidden(hp.batch_size)
        losses = []
        for inputs, labels in train_loader:
            # new variables for the hidden state, otherwise
            # we'd backprop through the entire training history
            h = tuple(each.detach() for each in h)
            net.zero_grad()
            output, h = net(inputs, h)
            loss = criterion(output, labels.float())
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), hp.clip)
            optimizer.step()
            losses.append(loss.item())
        val_loss, val_acc = validate(net, valid_loader, criterion, hp)
        print("Epoch: {}/{}... Loss: {:.4f}... Val Loss: {:.4f} Val Acc: {:.4f}".format(
            e + 1, hp.epochs, sum(losses) / len(losses), val_loss, val_acc))


@torch.no_grad()
def validate(net, loader, criterion, hp):
    net.eval()
    val_losses, hits, total = [], 0, 0
    for inputs, labels in loader:
        output, _ = net(inputs, net.init_hidden(hp.batch_size))
        val_losses.append(criterion(output, labels.float()).item())
        hits += ((output > 0.5).long() == labels).sum().item()
        total += len(labels)
    net.train()
    return sum(val_losses) / len(val_losses), hits / total


def main():
    hp = HParams()
    torch.manual_seed(hp.seed)
    net = SentimentRNN(hp)
    train(net, get_loaders(hp), hp)


if __name__ == "__main__":
    main()
