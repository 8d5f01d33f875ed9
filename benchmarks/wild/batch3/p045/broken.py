import json
import os
import tempfile

import torch
from transformers import BertForSequenceClassification, PrinterCallback, Trainer, TrainingArguments

from relations import RelationDataset, collate, write_examples
from tokenization import WordTokenizer
from model_config import make_config

MARKERS = ["[E1]", "[/E1]", "[E2]", "[/E2]"]
LABELS = ["cause", "part-of", "made-of"]


def main():
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "train.jsonl")
        write_examples(path, 48, LABELS)
        with open(path) as f:
            rows = [json.loads(line) for line in f]
        tokenizer = WordTokenizer.train(row["text"] for row in rows)
        config = make_config(len(tokenizer), len(LABELS))
        tokenizer.add_tokens(MARKERS)
        model = BertForSequenceClassification(config)
        data = RelationDataset(rows, tokenizer, LABELS)
        args = TrainingArguments(
            output_dir=work, per_device_train_batch_size=8, num_train_epochs=1, learning_rate=1e-3,
            report_to=[], save_strategy="no", logging_strategy="no", disable_tqdm=True, use_cpu=True, seed=0)
        trainer = Trainer(model=model, args=args, train_dataset=data, data_collator=collate)
        trainer.remove_callback(PrinterCallback)
        out = trainer.train()
        print("steps", out.global_step, "loss", round(out.training_loss, 4))
        model.eval()
        with torch.no_grad():
            logits = model(**collate([data[i] for i in range(8)])).logits
        print("first logits", [round(v, 4) for v in logits[0].tolist()])


if __name__ == "__main__":
    main()
