"""Finds libtoll, and calls its functions with ctypes. headers.py has their parameters."""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from ctypes import byref, c_size_t, c_void_p
from pathlib import Path
from typing import Any

from . import headers
from .error import TollError

VERSION = (0, 1)  # of the interface: structs and functions are those of libtoll.so.0.1
NAME = {"darwin": "libtoll.0.1.dylib", "win32": "libtoll.dll"}.get(sys.platform, "libtoll.so.0.1")
SIZE_MAX = c_size_t(-1).value
# Statuses of a file that has no known format, is torn or damaged: reading it again fails in the
# same way.
UNSUITABLE = (headers.E_LIMIT, headers.E_OVERFLOW, headers.E_UNKNOWN_FORMAT, headers.E_UNSUPPORTED, headers.E_SYNTAX,
              headers.E_TRUNCATED)


def _path() -> str:
    """The library in the package, if it was built with it; otherwise the one that TOLL_LIBRARY names, or the loader finds."""
    own = Path(__file__).with_name(NAME)
    return str(own) if own.exists() else os.environ.get("TOLL_LIBRARY") or NAME


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """libtoll. Other threads run while a thread is in one of its functions."""
    path = _path()
    how = f"set TOLL_LIBRARY to the path of {NAME}, which the build puts into its folder lib, or install it where the loader looks"
    try:
        loaded = ctypes.CDLL(path)
    except OSError as error:
        raise TollError(f"libtoll cannot be loaded: {error}; {how}") from None
    try:
        for name, (result, arguments) in headers.FUNCTIONS.items():
            function = getattr(loaded, name)
            function.restype, function.argtypes = result, arguments
    except AttributeError as error:
        raise TollError(f"{path} is no libtoll {VERSION[0]}.{VERSION[1]}: {error}; {how}") from None
    number = loaded.toll_version_number()
    if (number // 10000, number // 100 % 100) != VERSION:
        raise TollError(f"{path} is libtoll {loaded.toll_version().decode()}, not {VERSION[0]}.{VERSION[1]}; {how}")
    return loaded


def do(name: str, *args: Any) -> None:
    """Call a function that returns a status. On failure TollError.status has it."""
    error = headers.Error()
    status = getattr(library(), name)(*args, byref(error))
    if status:
        failure = TollError(error.text.decode(errors="replace"))
        failure.status = status
        raise failure


def made(name: str, *args: Any) -> int:
    """Call a function that makes an object, and stores its address where the last argument points."""
    out = c_void_p()
    do(name, *args, byref(out))
    assert out.value
    return out.value


def written(name: str, *args: Any, gzip: bool = False) -> bytes:
    """Call a function whose last argument is an output, and return what it writes there."""
    output = made("toll_output_to_memory", None, int(gzip))
    try:
        do(name, *args, output)
        do("toll_output_commit", output)
        size = c_size_t()
        data = library().toll_output_data(output, byref(size))
        return ctypes.string_at(data, size.value) if size.value else b""
    finally:
        library().toll_output_free(output)


def text(value: str | os.PathLike[str]) -> bytes:
    """A text or path as bytes for the library."""
    data = os.fsencode(value)
    if b"\0" in data:
        raise ValueError(f"{value!r}: has a NUL in it")
    return data
