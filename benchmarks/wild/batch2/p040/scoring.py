import numpy as np


def equal_error_rate(scores, labels):
    scores, labels = np.array(scores), np.array(labels)
    best = (1.0, 0.5)
    for threshold in np.unique(scores):
        far = (scores[labels == 0] >= threshold).mean()
        frr = (scores[labels == 1] < threshold).mean()
        best = min(best, (abs(far - frr), (far + frr) / 2))
    return float(best[1])
