"""The symptoms a clinical note can mention."""
import torch

SYMPTOMS = ["fever", "cough", "rash", "nausea", "fatigue", "headache", "chills"]


def encode(found):
    vector = torch.zeros(len(SYMPTOMS))
    for name in found:
        vector[SYMPTOMS.index(name)] = 1.0
    return vector
