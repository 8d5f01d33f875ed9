from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class DynamicEncoder(nn.Module):
    def __init__(self, vocab, embed, hidden, layers):
        super().__init__()
        self.hidden = hidden
        self.embedding = nn.Embedding(vocab, embed, padding_idx=0)
        self.gru = nn.GRU(embed, hidden, layers, bidirectional=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths)
        outputs, hidden = self.gru(packed)
        outputs, _ = pad_packed_sequence(outputs)
        outputs = outputs[:, :, :self.hidden] + outputs[:, :, self.hidden:]
        return outputs, hidden
