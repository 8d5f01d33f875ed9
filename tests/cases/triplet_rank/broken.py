import torch
from torch import nn

torch.manual_seed(0)
N_PEOPLE = 12
gallery = torch.randn(N_PEOPLE, 5, 40)  # person, photo, pixels


class FaceEmbedder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(40, 32), nn.ReLU(), nn.Linear(32, 16))

    def forward(self, photo):
        return nn.functional.normalize(self.net(photo), dim=-1)


def triplets_for(person, n=10):
    """n triplets that share the person's first photo as the positive."""
    own = torch.randint(1, 5, (n,))
    others = (person + torch.randint(1, N_PEOPLE, (n,))) % N_PEOPLE
    anchor = gallery[person, own]
    positive = gallery[person, 0]
    negative = gallery[others, torch.randint(0, 5, (n,))]
    return anchor, positive, negative


embed = FaceEmbedder()
triplet = nn.TripletMarginLoss(margin=0.4)
opt = torch.optim.Adam(embed.parameters(), lr=1e-3)

for epoch in range(3):
    total = 0.0
    for person in range(N_PEOPLE):
        anchor, positive, negative = triplets_for(person)
        loss = triplet(embed(anchor), embed(positive), embed(negative))
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    print("epoch", epoch, f"triplet {total / N_PEOPLE:.4f}")
