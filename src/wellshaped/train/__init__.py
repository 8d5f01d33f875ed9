"""Training that is well shaped: data, reward models and policies, on `transformers` models."""
