import torch
from torch import nn


class QuestionGenerator(nn.Module):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder, self.decoder = encoder, decoder

    def forward(self, ctx, focus, question):
        memory = self.encoder(ctx, focus)
        state = self.decoder.init_state(memory)
        steps = []
        for t in range(question.shape[1] - 1):
            logp, state = self.decoder(question[:, t], state, memory)
            steps.append(logp)
        return torch.stack(steps, 1)
