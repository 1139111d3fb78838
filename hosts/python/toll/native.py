"""libtoll by ctypes: where it is found, and what the package uses of its headers (toll/profile.h, format.h, stream.h)."""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from ctypes import POINTER, byref, c_char, c_char_p, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any

from .error import TollError

VERSION = (0, 1)  # of the interface: structs and functions are those of libtoll.so.0.1
NAME = {"darwin": "libtoll.0.1.dylib", "win32": "libtoll.dll"}.get(sys.platform, "libtoll.so.0.1")
UNSUITABLE = (2, 3, 30, 31, 40, 41)  # statuses of a file that is of no format, torn or damaged: reading it again gives the same


class Error(ctypes.Structure):
    _fields_ = [("status", c_int), ("text", c_char * 512)]


class ValueType(ctypes.Structure):
    _fields_ = [("type", c_char_p), ("unit", c_char_p)]


class ThreadLabel(ctypes.Structure):
    _fields_ = [("key", c_char_p), ("value", c_char_p)]


class Frame(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("file", c_char_p), ("line", c_uint32), ("kind", c_int), ("system_name", c_char_p),
                ("module", c_char_p), ("build_id", c_char_p), ("address", c_uint64), ("at_line", c_uint32),
                ("at_address", c_uint64), ("at_file", c_char_p)]


Warn = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)
SIZE_MAX = c_size_t(-1).value


class FormatOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("warn", Warn), ("warn_user", c_void_p), ("value", c_char_p), ("flamechart", c_int),
                ("progress", c_void_p), ("progress_user", c_void_p), ("strict", c_int), ("title", c_char_p),
                ("most_stacks", c_size_t), ("labels", c_char_p), ("stack_bytes", c_size_t), ("no_sync", c_int),
                ("readers", c_void_p), ("reader_count", c_size_t)]


_OUT = POINTER(c_void_p)
_FAILS: dict[str, list[Any]] = {  # functions that return a status; the last argument, a toll_error, is left out
    "toll_profile_load": [c_void_p, c_char_p, c_char_p, POINTER(FormatOptions), c_void_p, _OUT],
    "toll_input_from_memory": [c_void_p, c_char_p, c_size_t, c_char_p, _OUT],
    "toll_profile_read": [c_void_p, c_char_p, POINTER(FormatOptions), c_void_p, _OUT],
    "toll_profile_merge": [c_void_p, c_void_p],
    "toll_profile_with_labels": [c_void_p, c_char_p, _OUT],
    "toll_profile_add_note": [c_void_p, c_char_p, c_uint64],
    "toll_profile_fold_places": [c_void_p, _OUT],
    "toll_profile_nodes": [c_void_p, c_uint32, c_void_p, c_void_p, c_void_p],
    "toll_profile_frames": [c_void_p, c_uint32, POINTER(Frame)],
    "toll_profile_save_as": [c_void_p, c_void_p, c_char_p, c_char_p, POINTER(FormatOptions)],
    "toll_profile_write": [c_void_p, c_void_p, c_char_p, POINTER(FormatOptions), c_void_p],
    "toll_output_to_memory": [c_void_p, c_int, _OUT],
    "toll_output_commit": [c_void_p],
}
_OTHERS: dict[str, tuple[Any, list[Any]]] = {
    "toll_version": (c_char_p, []),
    "toll_version_number": (c_uint32, []),
    "toll_profile_free": (None, [c_void_p]),
    "toll_profile_column_count": (c_uint32, [c_void_p]),
    "toll_profile_column": (ValueType, [c_void_p, c_uint32]),
    "toll_profile_thread_count": (c_uint32, [c_void_p]),
    "toll_profile_thread_name": (c_char_p, [c_void_p, c_uint32]),
    "toll_profile_thread_label_count": (c_uint32, [c_void_p, c_uint32]),
    "toll_profile_thread_label": (ThreadLabel, [c_void_p, c_uint32, c_uint32]),
    "toll_profile_root": (c_uint32, [c_void_p, c_uint32]),
    "toll_profile_node_count": (c_uint32, [c_void_p]),
    "toll_profile_frame_count": (c_uint32, [c_void_p]),
    "toll_profile_has_places": (c_int, [c_void_p]),
    "toll_profile_note_count": (c_uint32, [c_void_p]),
    "toll_profile_note": (c_char_p, [c_void_p, c_uint32, POINTER(c_uint64)]),
    "toll_profile_start_ns": (c_int64, [c_void_p]),
    "toll_profile_duration_ns": (c_int64, [c_void_p]),
    "toll_input_free": (None, [c_void_p]),
    "toll_output_free": (None, [c_void_p]),
    "toll_output_data": (c_void_p, [c_void_p, POINTER(c_size_t)]),
}


def _path() -> str:
    """The library in the package, if it was built into it; else what TOLL_LIBRARY names; else what the loader finds."""
    own = Path(__file__).with_name(NAME)
    return str(own) if own.exists() else os.environ.get("TOLL_LIBRARY") or NAME


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """libtoll. The functions of a thread that are in it do not keep other threads from running."""
    path = _path()
    how = f"set TOLL_LIBRARY to the path of {NAME}, which the build puts into its folder lib, or install it where the loader looks"
    try:
        loaded = ctypes.CDLL(path)
    except OSError as error:
        raise TollError(f"libtoll cannot be loaded: {error}; {how}") from None
    try:
        for name, (result, arguments) in _OTHERS.items():
            function = getattr(loaded, name)
            function.restype, function.argtypes = result, arguments
        for name, arguments in _FAILS.items():
            function = getattr(loaded, name)
            function.restype, function.argtypes = c_int, [*arguments, POINTER(Error)]
    except AttributeError as error:
        raise TollError(f"{path} is no libtoll {VERSION[0]}.{VERSION[1]}: {error}; {how}") from None
    number = loaded.toll_version_number()
    if (number // 10000, number // 100 % 100) != VERSION:
        raise TollError(f"{path} is libtoll {loaded.toll_version().decode()}, not {VERSION[0]}.{VERSION[1]}; {how}")
    return loaded


def do(name: str, *args: Any) -> None:
    """Call a function that returns a status. TollError.status is what it returned."""
    error = Error()
    status = getattr(library(), name)(*args, byref(error))
    if status:
        failure = TollError(error.text.decode(errors="replace"))
        failure.status = status
        raise failure


def made(name: str, *args: Any) -> int:
    """Call a function whose last argument is where a new object goes."""
    out = c_void_p()
    do(name, *args, byref(out))
    assert out.value
    return out.value


def text(value: str | os.PathLike[str]) -> bytes:
    """A text, or path, as the library takes it."""
    data = os.fsencode(value)
    if b"\0" in data:
        raise ValueError(f"{value!r}: has a NUL in it")
    return data
