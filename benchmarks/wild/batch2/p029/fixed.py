import os
import tempfile

import torch

from data import WordRecognition
from recognition import crnn
from train import fit
from vocabs import VOCABS


def evaluate(model, dataset):
    model.eval()
    with torch.no_grad():
        images, targets = dataset.batch(range(len(dataset)))
        logits = model(images)
    return (logits.argmax(-1) == targets).float().mean().item()


def main():
    torch.manual_seed(0)
    train_set = WordRecognition(48, vocab="english", seed=1)
    val_set = WordRecognition(16, vocab="english", seed=2)

    with tempfile.TemporaryDirectory() as folder:
        checkpoint = os.path.join(folder, "crnn_english.pt")

        # train and export
        model = crnn(vocab=VOCABS["english"])
        fit(model, train_set, epochs=2, batch_size=16, lr=5e-3)
        torch.save(model.state_dict(), checkpoint)

        # load it again for inference
        reco_model = crnn(vocab=VOCABS["english"])
        reco_model.load_state_dict(torch.load(checkpoint, map_location="cpu"))
    print("char accuracy %.4f" % evaluate(reco_model, val_set))


if __name__ == "__main__":
    main()
