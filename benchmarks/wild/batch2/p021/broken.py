import argparse

import torch
import yaml
from torch.utils.data import DataLoader

from dataset import FacesDataset
from experiment import VAEXperiment
from models import VanillaVAE

parser = argparse.ArgumentParser(description="Generic runner for VAE models")
parser.add_argument("--config", "-c", dest="filename", default="vae.yaml")
args = parser.parse_args()

with open(args.filename) as file:
    config = yaml.safe_load(file)

torch.manual_seed(config["exp_params"]["manual_seed"])
data = FacesDataset(config["data_params"]["n_images"], config["data_params"]["patch_size"])
loader = DataLoader(data, batch_size=config["data_params"]["train_batch_size"])

model = VanillaVAE(**config["model_params"])
experiment = VAEXperiment(model, config["exp_params"])
for epoch in range(config["trainer_params"]["max_epochs"]):
    log = experiment.training_epoch(loader)
    print("epoch %d " % epoch + " ".join("%s %.4f" % item for item in log.items()))
samples = experiment.sample(4)
print("samples", tuple(samples.shape))
