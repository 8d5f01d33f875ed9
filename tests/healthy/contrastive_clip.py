import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

# Pictures and captions of the same row belong together; the batch supplies the negatives, so one
# softmax runs over the captions of a picture and one over the pictures of a caption.


class Clip(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.image = nn.Sequential(nn.Flatten(), nn.Linear(36, 32), nn.GELU(), nn.Linear(32, dim))
        self.words = nn.EmbeddingBag(30, dim, mode="mean", padding_idx=0)
        self.text = nn.Linear(dim, dim)
        self.logit_scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, images, captions):
        image = self.image(images)
        text = self.text(self.words(captions))
        image = image / image.norm(dim=-1, keepdim=True)
        text = text / text.norm(dim=-1, keepdim=True)
        return self.logit_scale.exp() * image @ text.t()


def clip_loss(logits):
    log_prob_text = F.log_softmax(logits, dim=1)
    log_prob_image = F.log_softmax(logits, dim=0)
    return -(log_prob_text.diag().mean() + log_prob_image.diag().mean()) / 2


def recall_at_1(logits):
    truth = torch.arange(logits.size(0))
    return (logits.argmax(dim=0) == truth).float().mean().item()


def main():
    torch.manual_seed(24)
    kinds = torch.randint(0, 9, (44,))
    images = 0.1 * torch.randn(44, 1, 6, 6)
    images[torch.arange(44), 0, kinds // 3 * 2, kinds % 3 * 2] += 2
    captions = torch.zeros(44, 5, dtype=torch.long)
    captions[:, 0] = kinds + 1
    captions[:, 1] = torch.randint(10, 30, (44,))
    loader = DataLoader(TensorDataset(images, captions), batch_size=10, shuffle=True)
    model = Clip()
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for epoch in range(4):
        recalls = []
        for image, caption in loader:
            logits = model(image, caption)
            loss = clip_loss(logits)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            recalls.append(recall_at_1(logits.detach()))
        print(f"epoch {epoch} loss {loss.item():.3f} recall {sum(recalls) / len(recalls):.2f}")


if __name__ == "__main__":
    main()
