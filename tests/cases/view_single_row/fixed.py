import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

CONTEXT_SIZE = 2
EMBEDDING_DIM = 10
text = """we are about to study the idea of a computational process computational processes are abstract
beings that inhabit computers as they evolve processes manipulate other abstract things called data""".split()
vocab = sorted(set(text))
word_to_ix = {word: i for i, word in enumerate(vocab)}


class NGramLanguageModeler(nn.Module):
    def __init__(self, vocab_size, embedding_dim, context_size):
        super(NGramLanguageModeler, self).__init__()
        self.embeddings = nn.Embedding(vocab_size, embedding_dim)
        self.linear1 = nn.Linear(context_size * embedding_dim, 32)
        self.linear2 = nn.Linear(32, vocab_size)

    def forward(self, inputs):
        embeds = self.embeddings(inputs).view((inputs.size(0), -1))
        out = F.relu(self.linear1(embeds))
        out = self.linear2(out)
        return F.log_softmax(out, dim=1)


ngrams = [([word_to_ix[text[i - 2]], word_to_ix[text[i - 1]]], word_to_ix[text[i]]) for i in range(2, len(text))]
contexts = torch.tensor([c for c, _ in ngrams])
targets = torch.tensor([t for _, t in ngrams])
torch.manual_seed(1)
loader = DataLoader(TensorDataset(contexts, targets), batch_size=8)
model = NGramLanguageModeler(len(vocab), EMBEDDING_DIM, CONTEXT_SIZE)
loss_function = nn.NLLLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    total_loss = 0
    for context, target in loader:
        model.zero_grad()
        log_probs = model(context)
        loss = loss_function(log_probs, target)
        loss.backward()
        optimizer.step()
        total_loss += loss.item()
    print(f"{total_loss:.4f}")
