import torch
import torch.nn.functional as F

from models import Xvector


class SpeakerBrain:
    def __init__(self, hparams):
        self.embedding = Xvector(hparams["n_mels"], hparams["channels"], hparams["emb_dim"])
        self.scale = torch.nn.Parameter(torch.tensor([5.0, 0.0]))
        params = [*self.embedding.parameters(), self.scale]
        self.optimizer = torch.optim.Adam(params, lr=hparams["lr"])

    def compute_forward(self, batch):
        enrol = self.embedding(batch["enrol"], batch["enrol_lens"])
        test = self.embedding(batch["test"], batch["test_lens"])
        return self.scale[0] * F.cosine_similarity(enrol, test, dim=2) + self.scale[1]

    def fit_epoch(self, loader):
        total = 0.0
        for batch in loader:
            logits = self.compute_forward(batch)
            loss = F.binary_cross_entropy_with_logits(logits, batch["label"].unsqueeze(1).float())
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(loader)

    @torch.no_grad()
    def predict(self, batch):
        return torch.sigmoid(self.compute_forward(batch)).squeeze().tolist()
