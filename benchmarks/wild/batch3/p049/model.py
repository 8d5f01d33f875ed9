import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class EncoderImagePrecomp(nn.Module):
    def __init__(self, img_dim, embed_size):
        super().__init__()
        self.fc = nn.Linear(img_dim, embed_size)

    def forward(self, images):
        return F.normalize(self.fc(images).mean(1), dim=-1)


class EncoderText(nn.Module):
    def __init__(self, vocab_size, word_dim, embed_size):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, word_dim)
        self.rnn = nn.GRU(word_dim, embed_size, batch_first=True)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.embed(x), lengths, batch_first=True, enforce_sorted=False)
        return F.normalize(self.rnn(packed)[1][0], dim=-1)


class VSE:
    def __init__(self, opt):
        self.img_enc = EncoderImagePrecomp(opt.img_dim, opt.embed_size)
        self.txt_enc = EncoderText(opt.vocab_size, opt.word_dim, opt.embed_size)
        params = list(self.img_enc.parameters()) + list(self.txt_enc.parameters())
        self.optimizer = torch.optim.Adam(params, lr=opt.learning_rate)
        self.margin, self.max_violation = opt.margin, opt.max_violation

    def scores(self, images, captions, lengths):
        return self.img_enc(images) @ self.txt_enc(captions, lengths).t()

    def train_emb(self, images, captions, lengths):
        s = self.scores(images, captions, lengths)
        diag = s.diag()
        eye = torch.eye(len(s), dtype=torch.bool)
        cost_s = (self.margin + s - diag.view(-1, 1)).clamp(min=0).masked_fill(eye, 0)
        cost_im = (self.margin + s - diag.view(1, -1)).clamp(min=0).masked_fill(eye, 0)
        if self.max_violation:
            cost_s, cost_im = cost_s.max(1)[0], cost_im.max(0)[0]
        loss = (cost_s.sum() + cost_im.sum()) / len(s)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()
