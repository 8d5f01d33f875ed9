import torch.nn.functional as F


class VQVAETransformerInferer:
    """raster scan of the latent indices, shifted by the begin-of-sentence token"""

    def __init__(self, bos_token):
        self.bos_token = bos_token

    def __call__(self, images, vqvae, transformer):
        target = vqvae.encode(images).flatten(1)
        latent = F.pad(target, (1, 0), value=self.bos_token)[:, :-1]
        return transformer(latent), target
