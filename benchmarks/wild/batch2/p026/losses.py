import torch
import torch.nn.functional as F


def waveform_loss(recons, signal):
    return F.l1_loss(recons, signal)


def multi_scale_spectral_loss(recons, signal, fft_sizes):
    loss = 0.0
    for n in fft_sizes:
        window = torch.hann_window(n)
        a, b = (torch.stft(x.squeeze(1), n, n // 4, window=window, return_complex=True).abs() for x in (recons, signal))
        loss = loss + F.l1_loss(a, b)
    return loss
