"""Pooling, recurrent layers, heads, losses and metrics that know which positions are real."""

from wellshaped.nn.decoder import Seq2SeqHead as Seq2SeqHead
from wellshaped.nn.decoder import shifted as shifted
from wellshaped.nn.heads import Head as Head
from wellshaped.nn.heads import RowHead as RowHead
from wellshaped.nn.heads import TokenHead as TokenHead
from wellshaped.nn.metrics import Metrics as Metrics
from wellshaped.nn.pooling import AttentionPool as AttentionPool
from wellshaped.nn.pooling import Pool as Pool
from wellshaped.nn.pooling import pool_first as pool_first
from wellshaped.nn.pooling import pool_last as pool_last
from wellshaped.nn.pooling import pool_max as pool_max
from wellshaped.nn.pooling import pool_mean as pool_mean
from wellshaped.nn.recurrent import MaskedGRU as MaskedGRU
from wellshaped.nn.recurrent import MaskedLSTM as MaskedLSTM
from wellshaped.nn.softmax import masked_log_softmax as masked_log_softmax
from wellshaped.nn.softmax import masked_softmax as masked_softmax
from wellshaped.nn.tasks import Task as Task
from wellshaped.nn.tasks import task as task
