import torch
import torch.nn as nn


class DecoderOnlyTransformer(nn.Module):
    def __init__(self, num_tokens, max_seq_len, attn_layers_dim, attn_layers_depth, attn_layers_heads):
        super().__init__()
        self.token_embeddings = nn.Embedding(num_tokens, attn_layers_dim)
        self.position_embeddings = nn.Embedding(max_seq_len, attn_layers_dim)
        self.blocks = nn.ModuleList(
            nn.TransformerEncoderLayer(attn_layers_dim, attn_layers_heads, 2 * attn_layers_dim,
                                       dropout=0.0, batch_first=True)
            for _ in range(attn_layers_depth))
        self.to_logits = nn.Linear(attn_layers_dim, num_tokens)

    def forward(self, x):
        t = x.size(1)
        mask = torch.triu(torch.ones(t, t, dtype=torch.bool), 1)
        x = self.token_embeddings(x) + self.position_embeddings(torch.arange(t))
        for block in self.blocks:
            x = block(x, src_mask=mask)
        return self.to_logits(x)
