import torch
import torch.nn as nn
import torch.nn.functional as F

n_hidden, emb_dim, n_class = 12, 10, 2

sentences = ["i love you", "he loves me", "she likes baseball", "i hate you", "sorry for that", "this is awful",
             "we love it", "they hate us", "she likes me", "that is awful", "he likes us", "sorry for it"]
labels = [1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0]
vocab = {w: i for i, w in enumerate(sorted({w for s in sentences for w in s.split()}))}


class BiLSTMAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(len(vocab), emb_dim)
        self.lstm = nn.LSTM(emb_dim, n_hidden, bidirectional=True)
        self.out = nn.Linear(n_hidden * 2, n_class)

    def attend(self, output, final_state):
        query = final_state.reshape(-1, n_hidden * 2, 1)
        scores = torch.bmm(output, query).squeeze(2)
        weights = F.softmax(scores, 1)
        context = torch.bmm(output.transpose(1, 2), weights.unsqueeze(2)).squeeze(2)
        return context, weights

    def forward(self, x):
        inp = self.embedding(x).permute(1, 0, 2)
        output, (h_n, _) = self.lstm(inp)
        context, weights = self.attend(output.permute(1, 0, 2), h_n)
        return self.out(context), weights


torch.manual_seed(0)
inputs = torch.tensor([[vocab[w] for w in s.split()] for s in sentences])
targets = torch.tensor(labels)
model = BiLSTMAttention()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
for epoch in range(60):
    optimizer.zero_grad()
    logits, _ = model(inputs)
    loss = criterion(logits, targets)
    if (epoch + 1) % 20 == 0:
        print("Epoch:", epoch + 1, "cost =", round(loss.item(), 4))
    loss.backward()
    optimizer.step()

model.eval()
with torch.no_grad():
    straight, _ = model(inputs)
    flipped, _ = model(inputs.flip(0))
print("change when the batch is reversed", round((straight - flipped.flip(0)).abs().max().item(), 4))
