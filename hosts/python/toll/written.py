"""What recorders write: profiles in files that appear whole or not at all, and reports."""

from __future__ import annotations

import gzip
import json
import os
import secrets
import threading
import warnings
from typing import Any, Callable

from . import embedder
from .library import Library, TollError


class Written:
    """What recorders write. `_library` names formats; `_write(sink, name, *args)` has an export of toll.wasm write."""

    _library: Library
    _lock: threading.Lock

    def _write(self, sink: Callable[[bytes], Any], name: str, *args: int | str) -> None:
        raise NotImplementedError

    def profile(self, path: str | os.PathLike[str] | None = None, *, format: str = "", value: str = "",
                in_order: bool = False) -> bytes:
        """Write the profile so far to a file, in the format of its name (.pb.gz, .folded, .speedscope.json, ...) or in
        `format`. Without a path, return its bytes, by default in pprof's format, not compressed.

        value     the column, for formats that keep only one: "ticks", "time", "calls", ...
        in_order  write the order of calls, in formats that have one; needs timeline=True
        """
        if path is None:
            pieces: list[bytes] = []
            self._write(pieces.append, "profile", format or "pprof", value, int(in_order))
            return b"".join(pieces)
        if not format:
            with self._lock:
                self._library.do("format_of", os.fspath(path))
                format = self._library.result().decode()
        with WholeFile(os.fspath(path)) as file:
            self._write(file.write, "profile", format, value, int(in_order))
        return b""

    def top(self, *, value: str = "", rows: int = 0) -> str:
        """The functions with the highest cost, as text."""
        return self._report(value, rows, embedder.REPORT_TOP)

    def tree(self, *, value: str = "", rows: int = 0) -> str:
        """The tree of calls, as text."""
        return self._report(value, rows, embedder.REPORT_TREE)

    def summary(self, *, value: str = "", rows: int = 0) -> dict[str, Any]:
        """Columns, functions, threads and notes, as `toll report --json` has them."""
        summary: dict[str, Any] = json.loads(self._report(value, rows, embedder.REPORT_JSON))
        return summary

    def _report(self, value: str, rows: int, form: int) -> str:
        pieces: list[bytes] = []
        self._write(pieces.append, "report", value, rows, form)
        return b"".join(pieces).decode()

    def _checked(self, labels: str, library: Library) -> list[str]:
        """Lists of labels: that of the environment, if it is valid, and then `labels`. Each list replaces labels of earlier ones
        that have the same keys. What `library` writes gets them, too."""
        checked = []
        if own := os.environ.get("TOLL_LABELS"):
            try:
                library.do("labels", own)
                checked.append(own)
            except TollError as error:  # the profile is worth more
                warnings.warn(f"TOLL_LABELS is left out: {error}", stacklevel=3)
        if labels:
            library.do("labels", labels)
            checked.append(labels)
        return checked


class WholeFile:
    """A file that appears when all of it is written, with the mode of the one that it replaces; gzip, if its name ends in
    .gz. What is no regular file (a device, a pipe) is written directly."""

    def __init__(self, path: str):
        self.path = os.path.realpath(path)
        self.is_special = os.path.exists(self.path) and not os.path.isfile(self.path)
        self.is_compressed = path.endswith(".gz")

    def _beside(self) -> Any:
        folder, name = os.path.split(self.path)
        mode = os.stat(self.path).st_mode & 0o777 if os.path.exists(self.path) else 0o666
        for _ in range(100):
            try:
                return open(os.path.join(folder, f"{name[:100]}.{secrets.token_hex(8)}.tmp"), "xb",
                            opener=lambda path, flags: os.open(path, flags, mode))
            except FileExistsError as error:
                failure = error
        raise failure

    def _sync_folder(self) -> None:
        try:
            folder = os.open(os.path.dirname(self.path), os.O_RDONLY)
        except OSError:  # where folders cannot be opened, as on Windows
            return
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def __enter__(self) -> Any:
        self.file: Any = open(self.path, "wb") if self.is_special else self._beside()
        self.to: Any = gzip.GzipFile("", "wb", 6, self.file, mtime=0) if self.is_compressed else self.file
        return self.to

    def __exit__(self, failed: Any, *_: Any) -> None:
        try:
            try:
                if self.to is not self.file:
                    self.to.close()
                self.file.flush()
                if not failed and not self.is_special:
                    os.fsync(self.file.fileno())  # if the machine stops now, the old file is there
            finally:
                self.file.close()
            if not failed and not self.is_special:
                os.replace(self.file.name, self.path)
                self._sync_folder()
        finally:
            if not self.is_special and os.path.exists(self.file.name):
                os.unlink(self.file.name)
