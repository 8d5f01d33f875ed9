"""Ragged samples as padded tensors with lengths and masks, and the batches they come in."""

from wellshaped.batch.buckets import BucketSampler as BucketSampler
from wellshaped.batch.buckets import Waste as Waste
from wellshaped.batch.collate import BinaryCollate as BinaryCollate
from wellshaped.batch.collate import MulticlassCollate as MulticlassCollate
from wellshaped.batch.collate import MultilabelCollate as MultilabelCollate
from wellshaped.batch.collate import RegressionCollate as RegressionCollate
from wellshaped.batch.collate import RewardCollate as RewardCollate
from wellshaped.batch.collate import Seq2SeqCollate as Seq2SeqCollate
from wellshaped.batch.collate import Stacking as Stacking
from wellshaped.batch.collate import TaggingCollate as TaggingCollate
from wellshaped.batch.collate import collate_for as collate_for
from wellshaped.batch.ragged import Padded as Padded
from wellshaped.batch.ragged import Padding as Padding
from wellshaped.batch.ragged import mask_of as mask_of
from wellshaped.batch.ragged import pad as pad
from wellshaped.batch.ragged import pad_fields as pad_fields
from wellshaped.batch.ragged import unpad_fields as unpad_fields
from wellshaped.batch.record import Batch as Batch
from wellshaped.batch.record import Pairs as Pairs
