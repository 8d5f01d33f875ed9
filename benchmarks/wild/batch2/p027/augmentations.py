import random

import torch.nn.functional as F


class SSDAugmentation:
    """resize and mirror; boxes are in relative coordinates"""

    def __init__(self, size):
        self.size = size

    def __call__(self, image, boxes):
        image = F.interpolate(image[None], (self.size, self.size), mode="bilinear", align_corners=False)[0]
        if random.random() < 0.5:
            image = image.flip(-1)
            boxes = boxes.clone()
            boxes[:, [0, 2]] = 1 - boxes[:, [2, 0]]
        return image, boxes
