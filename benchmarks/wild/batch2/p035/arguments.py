from dataclasses import dataclass


@dataclass
class TCTrainArgs:
    learning_rate: float = 5e-3
    num_train_epochs: int = 3
    batch_size: int = 6
    max_length: int = 10
    embedding_dim: int = 16
    hidden_dim: int = 24
    dropout: float = 0.0
    train_share: float = 0.75
    seed: int = 0
