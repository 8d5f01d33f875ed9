import torch
from torch.utils.data import DataLoader

from audio import ToneDataset
from fixed_codec import Codec
from config import CodecConfig
from losses import multi_scale_spectral_loss, waveform_loss


def main():
    cfg = CodecConfig()
    torch.manual_seed(cfg.seed)
    dataset = ToneDataset(cfg.n_clips, cfg.segment, cfg.sample_rate)
    loader = DataLoader(dataset, batch_size=cfg.batch_size)
    model = Codec(cfg.d_model, cfg.strides, cfg.codebook_size, cfg.codebook_dim)
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr, betas=(0.8, 0.99))

    for epoch in range(cfg.epochs):
        stats = {"wave": 0.0, "spec": 0.0, "commit": 0.0}
        for signal in loader:
            recons, commit = model(signal)
            wave = waveform_loss(recons, signal)
            spec = multi_scale_spectral_loss(recons, signal, cfg.fft_sizes)
            loss = cfg.lambda_wave * wave + cfg.lambda_spec * spec + cfg.lambda_commit * commit
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
            optimizer.step()
            for name, value in zip(stats, (wave, spec, commit)):
                stats[name] += value.item() / len(loader)
        print("epoch", epoch, " ".join("%s %.4f" % kv for kv in stats.items()))


if __name__ == "__main__":
    main()
