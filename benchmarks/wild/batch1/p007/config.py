import argparse


def get_config():
    parser = argparse.ArgumentParser()

    # Network
    net = parser.add_argument_group("Network")
    net.add_argument("--input_scale_size", type=int, default=64,
                     help="input image will be resized with the given value as width and height")
    net.add_argument("--hidden_dims", type=int, nargs="+", default=[8, 16, 32])

    # Training
    train = parser.add_argument_group("Training")
    train.add_argument("--batch_size", type=int, default=4)
    train.add_argument("--epochs", type=int, default=2)
    train.add_argument("--lr", type=float, default=0.0002)
    train.add_argument("--random_seed", type=int, default=123)
    return parser.parse_args()
