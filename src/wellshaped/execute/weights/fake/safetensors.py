"""Files of safetensors without weights: of their full size, and holes where values would be."""

from __future__ import annotations

import importlib
import importlib.util
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from wellshaped.execute.patches import Patch
from wellshaped.execute.weights.fake.run import Run

_NAMES = {
    torch.float64: "F64", torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16",
    torch.int64: "I64", torch.int32: "I32", torch.int16: "I16", torch.int8: "I8",
    torch.uint8: "U8", torch.bool: "BOOL", torch.complex64: "C64",
}  # fmt: skip


def file_patches(run: Run) -> Iterator[Patch]:
    """What to replace while the run lasts."""
    if importlib.util.find_spec("safetensors") is not None:
        module = importlib.import_module("safetensors.torch")  # it reads memory by address
        yield module, "save_file", _save_file(run, module.save_file)
    yield torch.UntypedStorage, "data_ptr", _address(torch.UntypedStorage.data_ptr)


def _address(plain: Any) -> Callable[[Any], int]:
    """Programs compare addresses to find weights that are shared; a fake has none of its own."""

    def data_ptr(self: Any) -> int:
        return int(self._cdata if self.device.type == "meta" else plain(self))

    return data_ptr


def _save_file(run: Run, plain: Any) -> Callable[..., None]:
    def save_file(tensors: Mapping[str, torch.Tensor], filename: Any, metadata: Any = None) -> None:
        if not any(map(run.unknown, tensors.values())):
            plain(tensors, filename, metadata)
            return
        header: dict[str, Any] = {"__metadata__": metadata} if metadata else {}
        end = 0
        for name, tensor in tensors.items():
            start, end = end, end + tensor.numel() * tensor.itemsize
            kind, shape = _NAMES[tensor.dtype], list(tensor.shape)
            header[name] = {"dtype": kind, "shape": shape, "data_offsets": [start, end]}
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        with open(filename, "wb") as file:
            file.write(len(text).to_bytes(8, "little") + text)
            for name, tensor in tensors.items():
                if not run.unknown(tensor) and tensor.numel():
                    file.seek(8 + len(text) + header[name]["data_offsets"][0])
                    file.write(tensor.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
            file.truncate(8 + len(text) + end)

    return save_file
