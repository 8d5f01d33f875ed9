import torch
import torch.nn as nn


class TextClassifier(nn.Module):
    def __init__(self, vocab_size, num_labels, args):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, args.embedding_dim, padding_idx=0)
        self.conv = nn.Conv1d(args.embedding_dim, args.hidden_dim, 3, padding=1)
        self.drop = nn.Dropout(args.dropout)
        self.out = nn.Linear(args.hidden_dim, num_labels)

    def forward(self, tokens):
        x = self.embed(tokens).transpose(1, 2)
        x = torch.relu(self.conv(x)).amax(-1)
        return self.out(self.drop(x))
