import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SentimentRNN(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim):
        super().__init__()
        self.hidden_dim = hidden_dim
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.fc = nn.Linear(hidden_dim, 1)

    def forward(self, x, hidden):
        lstm_out, hidden = self.lstm(self.embedding(x), hidden)
        return self.fc(lstm_out[:, -1]).squeeze(1), hidden

    def init_hidden(self, batch_size):
        weight = next(self.parameters())
        return (weight.new_zeros(1, batch_size, self.hidden_dim),
                weight.new_zeros(1, batch_size, self.hidden_dim))


torch.manual_seed(3)
tokens = torch.randint(0, 90, (65, 7))
positive = (tokens[:, 0] > 45).float()
batch_size = 20
train_loader = DataLoader(TensorDataset(tokens, positive), batch_size=batch_size)

net = SentimentRNN(90, 12, 32)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=0.005)

for e in range(2):
    h = net.init_hidden(batch_size)
    for inputs, labels in train_loader:
        h = tuple(each.detach() for each in h)
        net.zero_grad()
        output, h = net(inputs, h)
        loss = criterion(output, labels)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5)
        optimizer.step()
    print(f"Epoch: {e + 1} Loss: {loss.item():.4f}")
