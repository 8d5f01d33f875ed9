import argparse

import torch

from exp_main import ExpMain


def get_args():
    parser = argparse.ArgumentParser(description="Transformer for time series forecasting")
    # forecasting task
    parser.add_argument("--seq_len", type=int, default=24, help="input sequence length")
    parser.add_argument("--label_len", type=int, default=12, help="start token length")
    parser.add_argument("--pred_len", type=int, default=8, help="prediction sequence length")
    # model
    parser.add_argument("--enc_in", type=int, default=3)
    parser.add_argument("--d_model", type=int, default=16)
    parser.add_argument("--n_heads", type=int, default=2)
    # optimization
    parser.add_argument("--train_epochs", type=int, default=2)
    parser.add_argument("--batch_size", type=int, default=16)
    parser.add_argument("--learning_rate", type=float, default=1e-3)
    parser.add_argument("--do_predict", type=int, default=1, help="predict unseen future data")
    return parser.parse_args()


def main():
    args = get_args()
    torch.manual_seed(2021)
    exp = ExpMain(args)
    print(">>>>>>> start training")
    exp.train()
    if args.do_predict:
        print(">>>>>>> predicting")
        future = exp.predict()
        print("prediction", tuple(future.shape), "mean %.4f" % future.mean().item())


if __name__ == "__main__":
    main()
