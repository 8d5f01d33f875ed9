from dataclasses import dataclass, field
import string


@dataclass
class CaptchaConfig:
    width: int = 128
    height: int = 32
    channels: int = 3
    n_len: int = 4
    alphabet: str = string.digits + string.ascii_uppercase
    # width of the feature map = image width / down
    down: int = 8
    widths: list = field(default_factory=lambda: [16, 24, 32, 48])
    hidden: int = 32
    batch_size: int = 8

    @property
    def blank(self):
        return 0

    @property
    def n_classes(self):
        return len(self.alphabet) + 1

    @property
    def input_length(self):
        return self.width // self.down


def get_config(**kwargs):
    return CaptchaConfig(**kwargs)
