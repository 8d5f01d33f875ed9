import torch
from torch import nn
from torch.utils.data import DataLoader

from corpus import MAX_TOKENS, SupportTickets


class UrgencyModel(nn.Module):
    def __init__(self, buckets, dim=12):
        super().__init__()
        self.emb = nn.Embedding(buckets, dim, padding_idx=0)
        self.conv = nn.Conv1d(dim, dim, 3, padding=1)
        self.out = nn.Linear(dim, 1)

    def forward(self, ids):
        h = self.emb(ids).transpose(1, 2)
        return self.out(torch.relu(self.conv(h)).amax(dim=2)).squeeze(1)


def main():
    torch.manual_seed(0)
    print("up to", MAX_TOKENS, "tokens per ticket")
    loader = DataLoader(SupportTickets(), batch_size=4, num_workers=1)
    model = UrgencyModel(buckets=64)
    bce = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(2):
        for ids, urgent in loader:
            loss = bce(model(ids), urgent)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
