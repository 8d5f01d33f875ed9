"""Models of transformers as training needs them: loaded, made small, adapted, without dropout."""
