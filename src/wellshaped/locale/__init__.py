"""The sentences, in the reader's language."""
