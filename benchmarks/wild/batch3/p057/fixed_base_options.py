import argparse


class TrainOptions:
    def __init__(self):
        self.parser = argparse.ArgumentParser()
        add = self.parser.add_argument
        add("--seed", type=int, default=3)
        add("--size", type=int, default=16)
        add("--batch_size", type=int, default=4)
        add("--niter", type=int, default=2)
        add("--label_nc", type=int, default=3, help="number of label classes")
        add("--output_nc", type=int, default=1, help="planes of the picture")
        add("--edges", action=argparse.BooleanOptionalAction, default=True, help="add the outline of the labels")
        add("--ngf", type=int, default=12)
        add("--lambda_l1", type=float, default=10.0)

    def parse(self):
        opt = self.parser.parse_args()
        opt.input_nc = opt.label_nc + int(opt.edges)
        return opt
