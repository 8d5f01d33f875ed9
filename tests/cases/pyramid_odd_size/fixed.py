import torch
import torch.nn.functional as F

from fixed_fpn import FPN

torch.manual_seed(0)
net = FPN()
images = torch.rand(6, 3, 50, 50)
masks = torch.randint(0, 3, (6, 50, 50))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(3):
    for k in range(0, 6, 3):
        logits = net(images[k:k + 3])
        loss = F.cross_entropy(logits, masks[k:k + 3])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("step", step, "loss", round(loss.item(), 4))
