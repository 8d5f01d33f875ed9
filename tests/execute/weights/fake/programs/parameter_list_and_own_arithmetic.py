class Mix(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.ParameterList([nn.Parameter(torch.randn(4, 4) / 2) for _ in range(3)])
        self.d = nn.ParameterDict({"scale": nn.Parameter(torch.ones(4)), "t": nn.Parameter(torch.tensor(0.5))})
        self.u = nn.Parameter(torch.empty(4, 2))
        self.low = torch.nn.Parameter(torch.zeros(2), requires_grad=False)
        self.reset_parameters()
    def reset_parameters(self):
        nn.init.xavier_uniform_(self.u)
        nn.init.orthogonal_(self.w[0])
        nn.init.trunc_normal_(self.w[1], std=0.02)
        with torch.no_grad():
            self.w[2].copy_(torch.eye(4))
            self.w[2][0, 0] = 3.0
            self.low.fill_(1)
    def forward(self, x):
        for w in self.w:
            x = torch.tanh(x @ w.t()) * self.d["scale"]
        return x @ self.u / self.d["t"].clamp(min=0.1) + self.low
m = Mix()
lr = 0.1
for _ in range(3):
    out = m(torch.randn(6, 4))
    loss = F.multi_margin_loss(out, torch.randint(0, 2, (6,)))
    m.zero_grad(); loss.backward()
    with torch.no_grad():
        for p in m.parameters():
            if p.grad is not None:
                p -= lr * p.grad
                p.data.add_(p.grad, alpha=-lr)
                p.grad.zero_()
    seen(out, loss)
flat = nn.utils.parameters_to_vector(m.parameters())
nn.utils.vector_to_parameters(flat * 0.5, m.parameters())
m.u.data = torch.randn(4, 2)
m.half().float()
seen(flat, m(torch.randn(2, 4)))
w = torch.randn(4, requires_grad=True)
(w * m.u[:, 0]).sum().backward()
seen(w.grad)
