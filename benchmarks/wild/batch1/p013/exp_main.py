import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from data_loader import DatasetPred, DatasetTrain
from model import Informer


class ExpMain:
    def __init__(self, args):
        self.args = args
        self.model = Informer(args)

    def train(self):
        loader = DataLoader(DatasetTrain(self.args), batch_size=self.args.batch_size, shuffle=True)
        optimizer = torch.optim.Adam(self.model.parameters(), lr=self.args.learning_rate)
        criterion = nn.MSELoss()
        for epoch in range(self.args.train_epochs):
            losses = []
            for batch_x, batch_y, batch_x_mark, batch_y_mark in loader:
                # decoder input
                dec_inp = torch.zeros_like(batch_y[:, -self.args.pred_len:, :])
                dec_inp = torch.cat([batch_y[:, :self.args.label_len, :], dec_inp], dim=1)
                outputs = self.model(batch_x, batch_x_mark, dec_inp, batch_y_mark)
                loss = criterion(outputs, batch_y[:, -self.args.pred_len:, :])
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
            print("Epoch: %d | Train Loss: %.4f" % (epoch + 1, sum(losses) / len(losses)))

    @torch.no_grad()
    def predict(self):
        loader = DataLoader(DatasetPred(self.args), batch_size=1)
        self.model.eval()
        preds = []
        for batch_x, batch_y, batch_x_mark, batch_y_mark in loader:
            # decoder input
            dec_inp = torch.zeros_like(batch_y[:, -self.args.pred_len:, :])
            dec_inp = torch.cat([batch_y, dec_inp], dim=1)[:, :self.args.label_len, :]
            preds.append(self.model(batch_x, batch_x_mark, dec_inp, batch_y_mark))
        return torch.cat(preds)
