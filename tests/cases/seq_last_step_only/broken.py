import torch
import torch.nn.functional as F
from torch import nn


class POSTagger(nn.Module):
    def __init__(self, n_words, n_tags, size=20):
        super().__init__()
        self.word_embeddings = nn.Embedding(n_words, size)
        self.lstm = nn.LSTM(size, size, batch_first=True, bidirectional=True)
        self.hidden2tag = nn.Linear(2 * size, n_tags)

    def forward(self, sentence):
        embeds = self.word_embeddings(sentence)
        lstm_out, _ = self.lstm(embeds)
        tag_space = self.hidden2tag(lstm_out[:, -1])
        return tag_space


def make_corpus(n_sentences, words=9):
    torch.manual_seed(21)
    sentences = torch.randint(0, 50, (n_sentences, words))
    tags = sentences % 5
    return sentences, tags


def train(epochs=3, batch_size=6):
    sentences, tags = make_corpus(30)
    tagger = POSTagger(50, 5)
    opt = torch.optim.Adam(tagger.parameters(), lr=0.02)
    for epoch in range(epochs):
        for i in range(0, len(sentences), batch_size):
            gold = tags[i:i + batch_size]
            scores = tagger(sentences[i:i + batch_size])
            loss = F.cross_entropy(scores.view(-1, 5), gold.view(-1))
            tagger.zero_grad()
            loss.backward()
            opt.step()
        print("epoch %d: loss=%.4f" % (epoch, loss.item()))


train()
