"""Profiles: read, added up, written, and looked into, by libtoll. Needs nothing but Python.

    p = toll.profile.merge(glob.glob("profiles/*.pb.gz"))
    for thread, frames, values in p.stacks():
        print(";".join(f.name for f in frames), values)
    p.write("all.pb.gz")
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import warnings
import weakref
from array import array
from ctypes import c_int64, c_uint32
from typing import Any, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence, Union

from . import headers, native
from .error import TollError

__all__ = ["Column", "Frame", "Nodes", "Profile", "TollError", "from_bytes", "merge", "read"]

NONE = 2**32 - 1  # no parent, no frame
KINDS = ("function", "native", "section", "phase", "inlined", "program")
LEFT_OUT = "files left out of a merge: torn, or no profiles"  # a note, the command's own

Path = Union[str, "os.PathLike[str]"]


class Column(NamedTuple):
    type: str
    unit: str


class Frame(NamedTuple):
    """A function, and perhaps a place in it: at_line, at_address; at_file if the line is in another file. Texts that are not known are "", numbers 0."""
    name: str
    file: str
    line: int
    kind: str
    system_name: str
    module: str
    build_id: str
    address: int
    at_line: int
    at_address: int
    at_file: str = ""


class Nodes(NamedTuple):
    """All call stacks: node i is that of its parent, and one frame more. A parent comes before its children. A root has no
    parent and no frame (NONE); it holds what was spent outside of any frame."""
    parents: array[int]
    frames: array[int]  # into Profile.frames
    threads: array[int]  # into Profile.threads
    values: list[memoryview]  # of each column: what node i cost, without its callees


class Profile:
    """What every call stack cost. One thread at a time uses it."""

    def __init__(self, handle: int):
        self._handle = handle
        self._end = weakref.finalize(self, native.library().toll_profile_free, handle)

    def close(self) -> None:
        """Free its memory now, instead of when Python finds that nobody uses it."""
        self._end()

    def __enter__(self) -> Profile:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _get(self, name: str, *args: Any) -> Any:
        return getattr(native.library(), f"toll_profile_{name}")(self._open, *args)

    @property
    def _open(self) -> int:
        if not self._end.alive:
            raise TollError("the profile is closed")
        return self._handle

    # --- looking into it

    @property
    def columns(self) -> list[Column]:
        """What is measured, and in which unit."""
        types = [self._get("column", i) for i in range(self._get("column_count"))]
        return [Column(t.type.decode(), t.unit.decode()) for t in types]

    @property
    def threads(self) -> list[str]:
        return [self._get("thread_name", i).decode() for i in range(self._get("thread_count"))]

    @property
    def labels(self) -> list[dict[str, str]]:
        """The labels of each thread, in the order of threads; several values of a key with commas between them."""
        found: list[dict[str, str]] = []
        for thread in range(self._get("thread_count")):
            labels: dict[str, str] = {}
            for i in range(self._get("thread_label_count", thread)):
                label = self._get("thread_label", thread, i)
                key, value = label.key.decode(), label.value.decode()
                labels[key] = f"{labels[key]},{value}" if key in labels else value
            found.append(labels)
        return found

    @property
    def frames(self) -> list[Frame]:
        return [Frame(f.name.decode(), f.file.decode(), f.line, KINDS[f.kind], f.system_name.decode(), f.module.decode(),
                      f.build_id.decode(), f.address, f.at_line, f.at_address, f.at_file.decode()) for f in self._raw_frames()]

    @property
    def notes(self) -> dict[str, int]:
        """What was dropped, clamped or guessed, and how often."""
        count = ctypes.c_uint64()
        return {self._get("note", i, ctypes.byref(count)).decode(): count.value for i in range(self._get("note_count"))}

    @property
    def start_ns(self) -> int:
        """When the run began, in nanoseconds since 1970-01-01 UTC; 0: not known."""
        start: int = self._get("start_ns")
        return start

    @property
    def duration_ns(self) -> int:
        """How long it took; 0: not known."""
        duration: int = self._get("duration_ns")
        return duration

    def _raw_frames(self) -> Sequence[Any]:
        """The frames as libtoll has them (headers.Frame): texts are bytes, and the profile's own, as long as it is open: for this package alone."""
        frames = (headers.Frame * self._get("frame_count"))()
        native.do("toll_profile_frames", self._open, len(frames), frames)
        return frames

    def nodes(self) -> Nodes:
        """All stacks in one call, as arrays."""
        count: int = self._get("node_count")
        columns: int = self._get("column_count")
        parents, frames, threads = (array("I", bytes(4 * count)) for _ in range(3))
        values = array("q", bytes(8 * count * columns))
        native.do("toll_profile_nodes", self._open, count, (c_uint32 * count).from_buffer(parents),
                  (c_uint32 * count).from_buffer(frames), (c_int64 * (count * columns)).from_buffer(values))
        for thread in range(self._get("thread_count")):
            threads[self._get("root", thread)] = thread
        for node, parent in enumerate(parents):
            if parent != NONE:
                threads[node] = threads[parent]
        view = memoryview(values)
        return Nodes(parents, frames, threads, [view[c * count:(c + 1) * count] for c in range(columns)])

    def stacks(self) -> Iterator[tuple[str, list[Frame], list[int]]]:
        """Each stack that holds values: its thread, its frames from the outermost, its own values in the order of columns."""
        frames, threads, nodes = self.frames, self.threads, self.nodes()
        for node, thread in enumerate(nodes.threads):
            values = [column[node] for column in nodes.values]
            if any(values):
                path, at = [], node
                while nodes.parents[at] != NONE:
                    path.append(frames[nodes.frames[at]])
                    at = nodes.parents[at]
                yield threads[thread], path[::-1], values

    # --- other profiles, and files

    def add(self, other: Profile) -> None:
        """Add another profile, which remains as it is. The order of adding does not show in any output."""
        native.do("toll_profile_merge", self._open, other._open)

    def note(self, text: str, count: int) -> None:
        """Count something that was dropped, clamped or guessed."""
        native.do("toll_profile_add_note", self._open, native.text(text), count)

    def with_labels(self, labels: Mapping[str, str]) -> Profile:
        """A copy in which all threads have these labels, in place of those of the same keys, as of `toll convert --label`."""
        for key, value in labels.items():
            if "\n" in f"{key}{value}":
                raise TollError(f"label {key}={value!r}: has an end of a line in it")
        return Profile(native.made("toll_profile_with_labels", self._open, native.text("".join(f"{k}={v}\n" for k, v in labels.items()))))

    def without_places(self) -> Profile:
        """One frame a function: a copy in which the costs of a function's lines are added up; itself if it has no lines."""
        return Profile(native.made("toll_profile_fold_places", self._open)) if self._get("has_places") else self

    def write(self, path: Path, format: str | None = None, *, keep_all: bool = False) -> None:
        """Write a file, whole or not at all, as the command does: in the format of its name, with all stacks. Where stacks are so
        deep that they would take more than 64 MB, the deepest are folded unless keep_all is set."""
        with _warned(native.SIZE_MAX if keep_all else 0) as options:
            native.do("toll_profile_save_as", self._open, None, native.text(path), format and format.encode(), options)

    def to_bytes(self, format: str = "pprof", *, gzip: bool = False) -> bytes:
        """The file as bytes, with all stacks."""
        output = native.made("toll_output_to_memory", None, int(gzip))
        try:
            with _warned() as options:
                native.do("toll_profile_write", self._open, None, format.encode(), options, output)
            native.do("toll_output_commit", output)
            size = ctypes.c_size_t()
            data = native.library().toll_output_data(output, ctypes.byref(size))
            return ctypes.string_at(data, size.value) if size.value else b""
        finally:
            native.library().toll_output_free(output)


@contextlib.contextmanager
def _warned(stack_bytes: int = 0) -> Iterator[Any]:
    """Options of a call, after which what the library warned of is a warning of Python."""
    lines: list[str] = []
    warn = headers.Warn(lambda _user, line: lines.append(line.decode(errors="replace")))
    yield headers.FormatOptions(size=ctypes.sizeof(headers.FormatOptions), warn=warn, stack_bytes=stack_bytes)
    for line in lines:
        warnings.warn(line, stacklevel=4)


def read(path: Path, format: str | None = None) -> Profile:
    """Read a file of any format that Toll reads, by its content unless a format is given. TollError names the file."""
    with _warned() as options:
        return Profile(native.made("toll_profile_load", None, native.text(path), format and format.encode(), options, None))


def from_bytes(data: bytes, name: str = "profile", format: str | None = None) -> Profile:
    """Read a file's bytes; messages call it by that name."""
    source = native.made("toll_input_from_memory", None, data, len(data), native.text(name))
    try:
        with _warned() as options:
            return Profile(native.made("toll_profile_read", source, format and format.encode(), options, None))
    finally:
        native.library().toll_input_free(source)


def merge(paths: Iterable[Path], *, skip_torn: bool = False) -> Profile:
    """The sum of files, of which one is in memory at a time. With skip_torn those that are cut off, damaged or no profile are
    left out: each is a warning, and a note counts them, as of `toll merge --skip-torn`."""
    merged, left_out = add_up(paths, skip_torn)
    if merged is None:
        raise TollError(f"there are no profiles to merge: all {left_out} files are torn, or none" if left_out else
                        "there are no profiles to merge")
    if left_out:
        merged.note(LEFT_OUT, left_out)
    return merged


def add_up(paths: Iterable[Path], skip_torn: bool) -> tuple[Optional[Profile], int]:
    """The sum of files, if there are any, and how many were left out."""
    merged, left_out = None, 0
    for path in paths:
        p = read_or_skip(path, skip_torn)
        if p is None:
            left_out += 1
        elif merged is None:
            merged = p
        else:
            with p:
                merged.add(p)
    return merged, left_out


def read_or_skip(path: Path, skip_torn: bool) -> Optional[Profile]:
    """A file's profile; with skip_torn None and a warning where it is cut off, damaged or no profile."""
    try:
        return read(path)
    except TollError as error:
        if not skip_torn or error.status not in native.UNSUITABLE:
            raise
        warnings.warn(f"left out: {error}", stacklevel=4)
        return None
