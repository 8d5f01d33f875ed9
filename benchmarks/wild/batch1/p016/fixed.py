import tempfile
import warnings

from transformers import BertForSequenceClassification, PrinterCallback, Trainer, TrainingArguments, set_seed
from transformers.utils import logging

from fixed_data import VerseDataset, data_collator
from settings import LABELS, build_config

warnings.filterwarnings("ignore")
logging.set_verbosity_error()


def compute_metrics(eval_pred):
    preds = eval_pred.predictions.argmax(-1)
    return {"accuracy": float((preds == eval_pred.label_ids).mean())}


def main():
    set_seed(0)
    config = build_config()
    model = BertForSequenceClassification(config)
    train_set = VerseDataset(48, config.vocab_size, len(LABELS), seed=1)
    eval_set = VerseDataset(16, config.vocab_size, len(LABELS), seed=2)

    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out,
            per_device_train_batch_size=8,
            per_device_eval_batch_size=8,
            num_train_epochs=1,
            learning_rate=1e-3,
            logging_strategy="no",
            save_strategy="no",
            report_to=[],
            disable_tqdm=True,
            use_cpu=True,
            seed=0,
        )
        trainer = Trainer(model=model, args=args, train_dataset=train_set, eval_dataset=eval_set,
                          data_collator=data_collator, compute_metrics=compute_metrics)
        trainer.remove_callback(PrinterCallback)
        result = trainer.train()
        print("train loss %.4f" % result.training_loss)
        metrics = trainer.evaluate()
    print("eval loss %.4f accuracy %.4f" % (metrics["eval_loss"], metrics["eval_accuracy"]))


if __name__ == "__main__":
    main()
