import json

import torch
from torch.utils.data import DataLoader

from fixed_brain import SpeakerBrain
from dataio import TrialDataset, pad_batch
from scoring import equal_error_rate


def main():
    with open("hparams.json") as f:
        hparams = json.load(f)
    torch.manual_seed(hparams["seed"])
    train_set = TrialDataset(hparams["n_train"], hparams, seed=1)
    test_set = TrialDataset(hparams["n_test"], hparams, seed=2)
    brain = SpeakerBrain(hparams)

    train_loader = DataLoader(train_set, batch_size=hparams["batch_size"], collate_fn=pad_batch)
    for epoch in range(1, hparams["number_of_epochs"] + 1):
        print("epoch %d train loss %.4f" % (epoch, brain.fit_epoch(train_loader)))

    scores, labels = [], []
    for batch in DataLoader(test_set, batch_size=hparams["batch_size"], collate_fn=pad_batch):
        scores.extend(brain.predict(batch))
        labels.extend(batch["label"].tolist())
    print("trials %d EER %.4f" % (len(scores), equal_error_rate(scores, labels)))


if __name__ == "__main__":
    main()
