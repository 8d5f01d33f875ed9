"""The usual tasks on files of text and numbers: classify, regress, multilabel, tag, seq2seq."""
