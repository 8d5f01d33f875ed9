net = nn.Linear(4, 6)
opt = torch.optim.Adagrad(net.parameters())
x = torch.randn(5, 4)
a, b = net(x).chunk(2, dim=1)
losses = [
    F.huber_loss(a, torch.randn(5, 3)),
    F.kl_div(a.log_softmax(1), b.softmax(1), reduction="batchmean"),
    F.binary_cross_entropy_with_logits(a, torch.rand(5, 3), pos_weight=torch.ones(3)),
    nn.TripletMarginLoss()(a, b, a.roll(1, 0)),
    nn.CosineEmbeddingLoss(margin=0.1)(a, b, torch.tensor([1, -1, 1, 1, -1])),
    nn.MarginRankingLoss()(a[:, 0], b[:, 0], torch.ones(5)),
    nn.PoissonNLLLoss()(a, torch.rand(5, 3)), nn.L1Loss(reduction="none")(a, b).mean(),
    nn.GaussianNLLLoss()(a, torch.randn(5, 3), F.softplus(b)),
    F.hinge_embedding_loss(a, torch.ones(5, 3)), F.soft_margin_loss(a, torch.ones(5, 3)),
    F.multilabel_soft_margin_loss(a, torch.rand(5, 3)), nn.BCELoss()(a.sigmoid(), torch.rand(5, 3)),
    nn.CTCLoss()(net(torch.randn(9, 5, 4)).log_softmax(2), torch.randint(1, 6, (5, 4)), torch.full((5,), 9), torch.full((5,), 4)),
    F.triplet_margin_with_distance_loss(a, b, a.flip(0), distance_function=lambda p, q: 1 - F.cosine_similarity(p, q)),
]
adaptive = nn.AdaptiveLogSoftmaxWithLoss(4, 20, [5, 10])
out = adaptive(net.weight[:5], torch.randint(0, 20, (5,)))
loss = sum(losses) + out.loss
opt.zero_grad(); loss.backward(); opt.step()
seen(*losses, out.output, out.loss, loss, net.weight.grad, adaptive.head.weight.grad)
