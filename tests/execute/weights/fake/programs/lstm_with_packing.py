from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 8, padding_idx=0)
        self.lstm = nn.LSTM(8, 12, num_layers=2, bidirectional=True, batch_first=True, dropout=0.1)
        self.out = nn.Linear(24, 4)
        self.cls = nn.Linear(24, 2)
    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.embed(x), lengths, batch_first=True, enforce_sorted=False)
        packed, (h, c) = self.lstm(packed)
        padded, _ = pad_packed_sequence(packed, batch_first=True, total_length=x.size(1))
        return self.out(padded), self.cls(torch.cat([h[-2], h[-1]], dim=1))
seqs = [torch.randint(1, 30, (n,)) for n in (5, 9, 2)]
lengths = torch.tensor([len(s) for s in seqs])
x = pad_sequence(seqs, batch_first=True)
tags = torch.where(x > 0, x % 4, -100)
model = Tagger()
opt = torch.optim.Adam(model.parameters())
for _ in range(2):
    scores, cls = model(x, lengths)
    loss = F.cross_entropy(scores.reshape(-1, 4), tags.reshape(-1), ignore_index=-100)
    loss = loss + F.cross_entropy(cls, torch.tensor([0, 1, 1]))
    opt.zero_grad(); loss.backward(); opt.step()
    seen(scores, cls, loss)
gru = nn.GRU(8, 6)
out, h = gru(torch.randn(7, 3, 8))
rnn = nn.RNN(8, 6, nonlinearity="relu")
out2, h2 = rnn(pack_padded_sequence(torch.randn(7, 3, 8), [7, 4, 4]))
cell = nn.LSTMCell(8, 5)
hx, cx = cell(torch.randn(3, 8))
seen(out, h, out2.data, out2.batch_sizes, h2, hx, cx)
(out.sum() + out2.data.sum() + hx.sum()).backward()
seen(gru.weight_ih_l0.grad)
