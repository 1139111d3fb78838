"""Reads, adds up, writes and examines profiles, with libtoll. Needs nothing but Python.

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

from . import headers, native, notebook
from .error import TollError

__all__ = ["Column", "Frame", "Nodes", "Profile", "TollError", "from_bytes", "merge", "read"]

NONE = 2**32 - 1  # no parent, no frame
KINDS = ("function", "native", "section", "phase", "inlined", "program")
LEFT_OUT = "files left out of a merge: torn, or no profiles"  # the same note as the command's

Path = Union[str, "os.PathLike[str]"]
Labels = Mapping[str, Union[str, Iterable[str]]]  # a key may have several values
Keys = Union[str, Iterable[str]]  # "host,commit", or ["host", "commit"]


class Column(NamedTuple):
    type: str
    unit: str


class Frame(NamedTuple):
    """A function, and perhaps a place in it: at_line, at_address, and at_file if the line is in another file. Unknown texts are "", unknown numbers 0."""
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
    """All call stacks. The stack of node i is that of its parent, and one more frame. A parent comes before its children.
    A root has no parent and no frame (NONE); it has the cost outside of any frame."""
    parents: array[int]
    frames: array[int]  # indices into Profile.frames
    threads: array[int]  # indices into Profile.threads
    values: list[memoryview]  # for each column, the self values of the nodes


class Profile:
    """The cost of every call stack. Only one thread at a time may use it."""

    def __init__(self, handle: int, title: str = "profile"):
        self._handle = handle
        self._title = title  # of its page
        self._end = weakref.finalize(self, native.library().toll_profile_free, handle)

    def close(self) -> None:
        """Free its memory now, and not when Python collects it."""
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
        """The columns: what is measured, and in which unit."""
        types = [self._get("column", i) for i in range(self._get("column_count"))]
        return [Column(t.type.decode(), t.unit.decode()) for t in types]

    @property
    def threads(self) -> list[str]:
        return [self._get("thread_name", i).decode() for i in range(self._get("thread_count"))]

    @property
    def labels(self) -> list[dict[str, str]]:
        """The labels of each thread, in the order of threads. Several values of a key are joined by commas."""
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
        """The notes: what was dropped, clamped or guessed, and how often."""
        count = ctypes.c_uint64()
        return {self._get("note", i, ctypes.byref(count)).decode(): count.value for i in range(self._get("note_count"))}

    @property
    def start_ns(self) -> int:
        """When the run began, in nanoseconds since 1970-01-01 UTC; 0: not known."""
        start: int = self._get("start_ns")
        return start

    @property
    def duration_ns(self) -> int:
        """The duration of the run in nanoseconds; 0: not known."""
        duration: int = self._get("duration_ns")
        return duration

    def _raw_frames(self) -> Sequence[Any]:
        """The frames as libtoll has them (headers.Frame), for this package only. Texts are bytes, which belong to the profile and are valid while it is open."""
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
        """Each stack that has values: its thread, its frames, outermost first, and its self values in the order of columns."""
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
        """Add another profile, which does not change. The order of additions does not affect any output."""
        native.do("toll_profile_merge", self._open, other._open)

    def note(self, text: str, count: int) -> None:
        """Count something that was dropped, clamped or guessed."""
        native.do("toll_profile_add_note", self._open, native.text(text), count)

    def with_labels(self, labels: Labels) -> Profile:
        """A copy in which all threads have these labels, like `toll convert --label`. They replace labels of the same keys."""
        return Profile(native.made("toll_profile_with_labels", self._open, _label_lines(labels)))

    def where(self, labels: Labels) -> Profile:
        """A copy with only the threads that have these labels, like `toll merge --where`: of several values of a key any."""
        return choice(labels, None).of(self)

    def by(self, keys: Keys) -> Profile:
        """A copy in which threads have only the labels of these keys, like `toll merge --by`; threads that become equal are
        added up. "thread" is a key, too."""
        return choice(None, keys).of(self)

    def without_places(self) -> Profile:
        """A copy with one frame for each function: the costs of its lines are added up. The profile itself if it has no lines."""
        return Profile(native.made("toll_profile_fold_places", self._open)) if self._get("has_places") else self

    def write(self, path: Path, format: str | None = None, *, keep_all: bool = False) -> None:
        """Write a file, whole or not at all, like the command: in the format of its name, with all stacks. If stacks are so
        deep that they would need more than 64 MB, the deepest are folded, unless keep_all is set."""
        with _warned(native.SIZE_MAX if keep_all else 0) as options:
            native.do("toll_profile_save_as", self._open, None, native.text(path), format and format.encode(), options)

    def to_bytes(self, format: str = "pprof", *, gzip: bool = False) -> bytes:
        """The file as bytes, with all stacks."""
        with _warned() as options:
            options.title = self._title.encode(errors="replace")
            return native.written("toll_profile_write", self._open, None, format.encode(), options, gzip=gzip)

    # --- for people

    def top(self, *, value: str | None = None, rows: int = 0, outside: bool = False) -> str:
        """The table of functions, as `toll report` prints it. rows=0: all. outside: shares of everything, also where more
        than half of a time is outside of any function."""
        options = headers.ReportOptions(size=ctypes.sizeof(headers.ReportOptions), value=value and value.encode(), rows=rows,
                                        keep_outside=outside)
        return native.written("toll_report_top", self._open, options).decode(errors="replace")

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """What a notebook shows: the page of `toll view`, or the table where pages are not shown."""
        return notebook.bundle(self) if self._end.alive else {"text/plain": "a closed profile"}


def _label_lines(labels: Labels) -> bytes:
    """Labels as libtoll reads them, one a line."""
    lines = []
    for key, values in labels.items():
        for value in [values] if isinstance(values, str) else values:
            if "\n" in f"{key}{value}":
                raise TollError(f"label {key}={value!r}: contains a line break")
            lines.append(f"{key}={value}\n")
    return native.text("".join(lines))


def _keys(keys: Keys) -> list[str]:
    found = [key.strip() for key in (keys.split(",") if isinstance(keys, str) else keys)]
    if not found or not all(found):
        raise TollError(f"by={keys!r}: which labels? say their keys, such as host, or thread")
    return found


class Choice(NamedTuple):
    """Which threads and labels of each file belong to a sum."""
    where: bytes  # labels, one a line; none: all threads
    by: bytes  # keys, with commas between them; none: all labels

    def of(self, p: Profile) -> Profile:
        """What is chosen of a profile: a copy, or itself."""
        if self.where:
            chosen = headers.Filter(size=ctypes.sizeof(headers.Filter), where=self.where)
            p = Profile(native.made("toll_profile_filter", p._open, chosen))
        return Profile(native.made("toll_profile_group_by", p._open, self.by)) if self.by else p


def choice(where: Optional[Labels], by: Optional[Keys]) -> Choice:
    """TollError: these are no labels or keys."""
    found = Choice(_label_lines(where or {}), b"" if by is None else ",".join(_keys(by)).encode())
    with from_bytes(b"f 1\n", "f", "folded") as example:
        found.of(example)
    return found


@contextlib.contextmanager
def _warned(stack_bytes: int = 0) -> Iterator[Any]:
    """Options for a call. After the call the library's warnings become warnings of Python."""
    lines: list[str] = []
    warn = headers.Warn(lambda _user, line: lines.append(line.decode(errors="replace")))
    yield headers.FormatOptions(size=ctypes.sizeof(headers.FormatOptions), warn=warn, stack_bytes=stack_bytes)
    for line in lines:
        warnings.warn(line, stacklevel=4)


def read(path: Path, format: str | None = None) -> Profile:
    """Read a file of any format that Toll reads. Its content decides about the format, unless one is given. TollError names the file."""
    with _warned() as options:
        handle = native.made("toll_profile_load", None, native.text(path), format and format.encode(), options, None)
        return Profile(handle, os.path.basename(os.fspath(path)))


def from_bytes(data: bytes, name: str = "profile", format: str | None = None) -> Profile:
    """Read the bytes of a file. Messages use `name` for it."""
    source = native.made("toll_input_from_memory", None, data, len(data), native.text(name))
    try:
        with _warned() as options:
            return Profile(native.made("toll_profile_read", source, format and format.encode(), options, None), name)
    finally:
        native.library().toll_input_free(source)


def merge(paths: Iterable[Path], *, where: Optional[Labels] = None, by: Optional[Keys] = None, label: Optional[Labels] = None,
          skip_torn: bool = False) -> Profile:
    """The sum of files, like `toll merge`. One file at a time is in memory.

    where      only threads with these labels are added up: of several values of a key any, of several keys each
    by         only the labels of these keys are kept
    label      labels that all of the sum gets
    skip_torn  files that are cut off, damaged or not profiles are omitted: each causes a warning, and a note counts them
    """
    chosen = choice(where, by)
    return finish_sum(*add_up(paths, skip_torn, chosen), chosen, label)


def finish_sum(merged: Optional[Profile], left_out: int, chosen: Choice, label: Optional[Labels]) -> Profile:
    """The sum of all files, of which some were omitted, as it is to be written."""
    if merged is None:
        raise TollError(f"there are no profiles to merge: all {left_out} files are torn, or none" if left_out else
                        "there are no profiles to merge")
    if left_out:
        merged.note(LEFT_OUT, left_out)
    if chosen.where and not merged.threads:
        warnings.warn("where: no thread has these labels", stacklevel=3)
    for key in chosen.by.decode().split(",") if chosen.by else ():
        if key not in {"thread", "root"}.union(*merged.labels):
            warnings.warn(f"by: no thread has the label {key}", stacklevel=3)
    return merged.with_labels(label) if label else merged


def add_up(paths: Iterable[Path], skip_torn: bool, chosen: Choice) -> tuple[Optional[Profile], int]:
    """The sum of files, if there are any, and how many were omitted."""
    merged, left_out = None, 0
    for path in paths:
        p = read_or_skip(path, skip_torn)
        if p is None:
            left_out += 1
            continue
        p = chosen.of(p)
        if merged is None:
            merged = p
        else:
            with p:
                merged.add(p)
    return merged, left_out


def read_or_skip(path: Path, skip_torn: bool) -> Optional[Profile]:
    """The profile in a file. With skip_torn: None and a warning if it is cut off, damaged or not a profile."""
    try:
        return read(path)
    except TollError as error:
        if not skip_torn or error.status not in native.UNSUITABLE:
            raise
        warnings.warn(f"left out: {error}", stacklevel=4)
        return None
