"""Ragged samples as padded tensors with lengths and masks, and the batches they come in."""

from wellshaped.batch.buckets import BucketSampler as BucketSampler
from wellshaped.batch.buckets import Waste as Waste
from wellshaped.batch.ragged import Padded as Padded
from wellshaped.batch.ragged import Padding as Padding
from wellshaped.batch.ragged import mask_of as mask_of
from wellshaped.batch.ragged import pad as pad
from wellshaped.batch.ragged import pad_fields as pad_fields
from wellshaped.batch.ragged import unpad_fields as unpad_fields
