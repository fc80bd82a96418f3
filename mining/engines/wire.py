"""Questions and counts as bytes, for other processes and for files: numbers, texts, lists and arrays.

Nothing that is read back can run. Whole numbers take as few bytes as they need, and get their own type back.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

_ALIGNED = 8  # arrays of words begin where a processor reads them in one go


def to_bytes(value: Any) -> bytes:
    """A value made of numbers, texts, None, lists, tuples, dicts and arrays.

    Parameters
    ----------
    value : object
        What is sent.

    Returns
    -------
    bytes

    Examples
    --------
    >>> from_bytes(to_bytes({(0, 1): [[1, 2], [3]], "n": None}))
    {(0, 1): [[1, 2], [3]], 'n': None}
    """
    arrays: list[np.ndarray] = []
    tree = _tree(value, arrays)
    narrow = [_narrow(array) for array in arrays]
    about = [[few.dtype.str, few.shape, own.dtype.str] for few, own in zip(narrow, arrays, strict=True)]
    header = json.dumps([tree, about], separators=(",", ":")).encode()
    parts = [len(header).to_bytes(_ALIGNED), _filled(header)]
    parts += [_filled(np.ascontiguousarray(array).tobytes()) for array in narrow]
    return b"".join(parts)


def from_bytes(written: bytes) -> Any:
    """The value that was written.

    Parameters
    ----------
    written : bytes
        What `to_bytes` made.

    Returns
    -------
    object

    Examples
    --------
    >>> from_bytes(to_bytes(np.array([1, 2]))).tolist()
    [1, 2]
    """
    end = _ALIGNED + int.from_bytes(written[:_ALIGNED])
    tree, about = json.loads(written[_ALIGNED:end])
    arrays, place = [], _up(end)
    for narrow, shape, own in about:
        count = int(np.prod(shape, dtype=np.int64))
        array = np.frombuffer(written, narrow, count, place).reshape(shape)
        arrays.append(array.astype(own, copy=False))
        place = _up(place + array.nbytes)
    return _value(tree, arrays)


def _tree(value: Any, arrays: list[np.ndarray]) -> Any:
    """What JSON can hold; arrays are put aside, and lists of lists of numbers, which are long, become two arrays."""
    if isinstance(value, np.ndarray):
        arrays.append(value)
        return {"array": len(arrays) - 1}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, tuple):
        return {"tuple": [_tree(each, arrays) for each in value]}
    if isinstance(value, dict):
        return {"dict": [[_tree(key, arrays), _tree(each, arrays)] for key, each in value.items()]}
    if isinstance(value, list):
        if value and all(type(row) is list and all(type(each) is int for each in row) for row in value):
            sizes = np.array([len(row) for row in value])
            flat = np.array([each for row in value for each in row], dtype=np.int64)
            return {"rows": [_tree(sizes, arrays), _tree(flat, arrays)]}
        return {"list": [_tree(each, arrays) for each in value]}
    return value


def _value(tree: Any, arrays: list[np.ndarray]) -> Any:
    if not isinstance(tree, dict):
        return tree
    ((kind, inside),) = tree.items()
    if kind == "array":
        return arrays[inside]
    if kind == "rows":
        sizes, flat = (_value(each, arrays) for each in inside)
        ends, numbers = np.cumsum(sizes).tolist(), flat.tolist()
        return [numbers[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)]
    if kind == "dict":
        return {_value(key, arrays): _value(each, arrays) for key, each in inside}
    values = [_value(each, arrays) for each in inside]
    return tuple(values) if kind == "tuple" else values


def _narrow(array: np.ndarray) -> np.ndarray:
    """Counts and places are no negative numbers, and mostly small ones."""
    if array.dtype.kind != "i" or not array.size or array.min() < 0:
        return array
    return array.astype(np.min_scalar_type(int(array.max())))


def _filled(content: bytes) -> bytes:
    return content + bytes(-len(content) % _ALIGNED)


def _up(place: int) -> int:
    return place + -place % _ALIGNED
