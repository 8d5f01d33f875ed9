# Character-level language guesser: which of four languages is a word from?
import torch
import torch.nn as nn
import torch.nn.functional as F

LANGS = ["nl", "fi", "it", "cy"]
ALPHABET = "abcdefghijklmnopqrstuvwxyz"
WORDS = {
    "nl": ["huis", "fiets", "groot", "water", "brood", "kaas"],
    "fi": ["talo", "kissa", "vesi", "maito", "puu", "yksi"],
    "it": ["casa", "gatto", "acqua", "pane", "latte", "sole"],
    "cy": ["cath", "bara", "llaeth", "haul", "coeden", "tref"],
}


def bag_of_letters(word):
    v = torch.zeros(len(ALPHABET))
    for ch in word:
        v[ALPHABET.index(ch)] += 1
    return v


def label_vector(lang):
    v = torch.zeros(len(LANGS))
    v[LANGS.index(lang)] = 1.0
    return v


pairs = [(w, lang) for lang in LANGS for w in WORDS[lang]]
inputs = torch.stack([bag_of_letters(w) for w, _ in pairs])
labels = torch.stack([label_vector(lang) for _, lang in pairs])

torch.manual_seed(5)
hidden = nn.Linear(len(ALPHABET), 20)
output = nn.Linear(20, len(LANGS))
params = [*hidden.parameters(), *output.parameters()]
opt = torch.optim.Adam(params, lr=0.05)

for i in range(6):
    log_probs = F.log_softmax(output(torch.tanh(hidden(inputs))), dim=-1)
    loss = F.nll_loss(log_probs, labels.argmax(dim=1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print("iteration", i, "loss", round(loss.item(), 4))
