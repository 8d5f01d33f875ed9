import argparse

import torch

from data import ReverseTask
from seq2seq import DecoderRNN, EncoderRNN, Seq2seq
from trainer import SupervisedTrainer

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--hidden_size", type=int, default=24)
parser.add_argument("--max_len", type=int, default=10)
parser.add_argument("--bidirectional", action="store_true")
parser.add_argument("--batch_size", type=int, default=16)
opt = parser.parse_args()

torch.manual_seed(0)
train = ReverseTask(size=64, max_len=opt.max_len, seed=1)
dev = ReverseTask(size=16, max_len=opt.max_len, seed=2)

# Initialize model
hidden_size = opt.hidden_size
bidirectional = opt.bidirectional
encoder = EncoderRNN(train.vocab_size, hidden_size, bidirectional=bidirectional)
decoder = DecoderRNN(train.vocab_size, opt.max_len + 1, hidden_size * (2 if bidirectional else 1),
                     sos_id=train.sos, bidirectional=bidirectional)
model = Seq2seq(encoder, decoder)
for param in model.parameters():
    param.data.uniform_(-0.08, 0.08)

trainer = SupervisedTrainer(batch_size=opt.batch_size, pad=train.pad, lr=0.01)
model = trainer.train(model, train, num_epochs=opt.epochs)
loss, acc = trainer.evaluate(model, dev)
print("dev loss %.4f accuracy %.4f" % (loss, acc))
