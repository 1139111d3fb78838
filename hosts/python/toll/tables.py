"""Writes profiles as tables for SQL, in Parquet or Arrow files. Needs pyarrow: pip install pyarrow.

Ids are the same on every machine, and in every export:

    function_id  BLAKE2b, 8 bytes, of the function's name, file, line and kind, in UTF-8 with a NUL between them
    stack_id     BLAKE2b, 8 bytes, of its innermost function's function_id and its caller's stack_id; 0: outside of any function

Both are signed integers of 64 bits, the least significant byte first. If two functions, or two stacks, of an export have the
same id, the export fails with a message.
"""

from __future__ import annotations

import os
from array import array
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Optional

from . import profile
from .error import TollError

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 1 << 17  # in a row group of samples
FRAMES = 1 << 18  # in the stacks of a row group
BATCHES = 1 << 10  # that may wait to be written; each needs memory, even with few rows

Labels = Optional[Callable[[str], Mapping[str, str]]]


def _id(data: bytes) -> int:
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little", signed=True)


class _Table:
    """A file that grows by row groups. It gets its name when it is complete."""

    def __init__(self, path: Path, schema: pa.Schema):
        self.path, self.schema = path, schema
        self.rows = self.rows_waiting = 0
        self._waiting: list[pa.RecordBatch] = []
        self._part = path.with_name(f".{path.name}.{os.getpid()}.part")
        if path.suffix == ".arrow":
            import pyarrow.ipc
            self._writer: Any = pyarrow.ipc.new_file(os.fspath(self._part), schema)
        else:
            import pyarrow.parquet
            self._writer = pyarrow.parquet.ParquetWriter(os.fspath(self._part), schema, compression="zstd")

    def add(self, *columns: Any) -> None:
        import pyarrow as pa
        arrays = [c if isinstance(c, pa.Array) else pa.array(c, f.type) for c, f in zip(columns, self.schema)]
        batch = pa.record_batch(arrays, schema=self.schema)
        self._waiting.append(batch)
        self.rows += batch.num_rows
        self.rows_waiting += batch.num_rows
        if len(self._waiting) >= BATCHES:
            self._waiting = pa.Table.from_batches(self._waiting).combine_chunks().to_batches()
        if self.rows_waiting >= ROWS:
            self.flush()

    def flush(self) -> None:
        import pyarrow as pa
        if self.rows_waiting:
            self._writer.write_table(pa.Table.from_batches(self._waiting).combine_chunks(), self.rows_waiting)
        self._waiting, self.rows_waiting = [], 0

    def close(self) -> None:
        self.flush()
        self._writer.close()

    def commit(self) -> None:
        self._part.replace(self.path)

    def discard(self) -> None:
        try:
            self._writer.close()
        finally:
            self._part.unlink(missing_ok=True)


class _Functions:
    """All functions so far, each with a number and an id."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[bytes, bytes, int, int], int] = {}
        self._taken: set[int] = set()
        self.ids = array("q")
        self.fields: tuple[list[str], list[str], list[int], list[str]] = [], [], [], []  # name, file, line, kind

    def number(self, frame: Any) -> int:
        key = (frame.name, frame.file, frame.line, frame.kind)
        found = self._numbers.get(key)
        return self._add(key) if found is None else found

    def _add(self, key: tuple[bytes, bytes, int, int]) -> int:
        name, file, line, kind = key[0].decode(), key[1].decode(), key[2], profile.KINDS[key[3]]
        own = _id(f"{name}\0{file}\0{line}\0{kind}".encode())
        if own in self._taken:
            raise TollError(f"function {name!r} has the function_id {own} of another one; export fewer profiles at a time")
        self._taken.add(own)
        self.ids.append(own)
        for texts, value in zip(self.fields, (name, file, line, kind)):
            texts.append(value)  # type: ignore[arg-type]
        number = self._numbers[key] = len(self._numbers)
        return number


class _Stacks:
    """All stacks so far, as one tree. Each has a number, which is larger than its caller's. A stack becomes a row, once, if it
    has values in some profile."""

    def __init__(self, functions: _Functions, table: _Table):
        self._functions, self._table = functions, table
        self._numbers: dict[int, int] = {}  # by caller's number << 32 | function's number
        self._taken = {0}
        self._callers, self._innermost = array("I", [0]), array("I", [0])
        self._is_row = bytearray(1)
        self.ids = array("q", [0])
        self._rows = array("I")
        self._offsets, self._frames = array("i", [0]), array("I")  # of these rows

    def numbers(self, parents: array[int], functions: list[int]) -> array[int]:
        """The numbers of the stacks of a profile's nodes. `functions` has each node's function; below 0: none."""
        numbers = array("I", bytes(4 * len(parents)))
        known = self._numbers
        for node, function in enumerate(functions):
            if function >= 0:
                key = numbers[parents[node]] << 32 | function
                found = known.get(key)
                numbers[node] = self._add(key) if found is None else found
        return numbers

    def _add(self, key: int) -> int:
        caller, function = key >> 32, key & 0xFFFFFFFF
        own = _id(b"".join(part.to_bytes(8, "little", signed=True) for part in (self._functions.ids[function], self.ids[caller])))
        if own in self._taken:
            raise TollError(f"two stacks have the stack_id {own}; export fewer profiles at a time")
        self._taken.add(own)
        number = self._numbers[key] = len(self.ids)
        self.ids.append(own)
        self._callers.append(caller)
        self._innermost.append(function)
        self._is_row.append(0)
        return number

    def use(self, numbers: Iterable[int]) -> None:
        """Make rows of those stacks that are not rows yet."""
        is_row = self._is_row
        for number in numbers:
            if not is_row[number]:
                is_row[number] = 1
                self._rows.append(number)
                path, at = array("I"), number
                while at:
                    path.append(self._innermost[at])
                    at = self._callers[at]
                path.reverse()
                self._frames.extend(path)
                self._offsets.append(len(self._frames))
                if len(self._frames) >= FRAMES:
                    self.flush()

    def flush(self) -> None:
        import pyarrow as pa
        if not self._rows:
            return
        type_ = self._table.schema.field("frames").type
        columns = [self._functions.ids, *self._functions.fields]
        functions = [pa.array(values, field.type) for values, field in zip(columns, type_.value_type)]
        frames = pa.array(self._frames, pa.uint32())
        structs = pa.StructArray.from_arrays([f.take(frames) for f in functions], fields=list(type_.value_type))
        lists = pa.ListArray.from_arrays(pa.array(self._offsets, pa.int32()), structs, type=type_)
        self._table.add([self.ids[number] for number in self._rows], lists)
        self._table.flush()
        self._rows, self._offsets, self._frames = array("I"), array("i", [0]), array("I")


def _schemas() -> dict[str, pa.Schema]:
    import pyarrow as pa

    def fields(**types: Any) -> list[pa.Field]:
        return [pa.field(name, type_, nullable=False) for name, type_ in types.items()]

    def map_to(type_: pa.DataType) -> pa.DataType:
        return pa.map_(pa.string(), pa.field("value", type_, nullable=False))

    text, number, labels = pa.string(), pa.int64(), map_to(pa.string())
    function = fields(function_id=number, name=text, file=text, line=pa.uint32(), kind=text)
    frames = pa.list_(pa.field("element", pa.struct(function), nullable=False))
    return {name: pa.schema(columns) for name, columns in (
        ("profiles", fields(profile=text, labels=labels, start_ns=number, duration_ns=number, notes=map_to(pa.uint64()))),
        ("samples", fields(profile=text, labels=labels, stack_id=number, thread=text, column=text, unit=text, value=number)),
        ("stacks", fields(stack_id=number, frames=frames)),
        ("functions", function),
    )}


class _Export:
    def __init__(self, tables: dict[str, _Table]):
        self._tables = tables
        self._functions = _Functions()
        self._stacks = _Stacks(self._functions, tables["stacks"])

    def left_out(self, path: str, labels: Mapping[str, str]) -> None:
        """Add a file without a profile: only its path and the caller's labels are known."""
        self._tables["profiles"].add([path], [sorted(labels.items())], [0], [0], [[(profile.LEFT_OUT, 1)]])

    def add(self, path: str, read: profile.Profile, labels: Mapping[str, str]) -> None:
        import pyarrow as pa
        labels_type = self._tables["samples"].schema.field("labels").type
        with read as whole, whole.without_places() as p:
            of_threads = [sorted({**own, **labels}.items()) for own in p.labels or [{}]]
            common = [pair for pair in of_threads[0] if all(pair in pairs for pairs in of_threads)]
            is_common = all(pairs == common for pairs in of_threads)
            self._tables["profiles"].add([path], [common], [p.start_ns], [p.duration_ns], [sorted(p.notes.items())])
            frames = [self._functions.number(frame) for frame in p._raw_frames()] + [-1]
            nodes = p.nodes()
            functions = [frames[-1 if f == profile.NONE else f] for f in nodes.frames]
            numbers = self._stacks.numbers(nodes.parents, functions)
            thread_ids = pa.array(nodes.threads, pa.uint32())
            threads, thread_labels = pa.array(p.threads, pa.string()), pa.array(of_threads, labels_type)
            for column, values in zip(p.columns, nodes.values):
                rows = [node for node, value in enumerate(values) if value]
                if rows:
                    used = [numbers[node] for node in rows]
                    self._stacks.use(used)
                    name, label, type_, unit = (pa.repeat(value, len(rows)) for value in (
                        path, pa.scalar(common, labels_type), column.type, column.unit))
                    thread = thread_ids.take(pa.array(rows, pa.uint32()))
                    if not is_common:
                        label = thread_labels.take(thread)
                    self._tables["samples"].add(name, label, [self._stacks.ids[number] for number in used],
                                                threads.take(thread), type_, unit,
                                                [values[node] for node in rows])

    def finish(self) -> None:
        self._stacks.flush()
        self._tables["functions"].add(self._functions.ids, *self._functions.fields)
        for table in self._tables.values():
            table.close()


def export(paths: Iterable[profile.Path], folder: profile.Path, *, labels: Labels = None,
           format: str = "parquet", skip_torn: bool = False) -> dict[str, int]:
    """Write the tables profiles, samples, stacks and functions of many profiles to a folder, as NAME.parquet or, with
    format="arrow", NAME.arrow. Returns how many rows each has.

        toll.export(glob.glob("profiles/*.pb.gz"), "tables")

    labels     a function from a path to labels for that profile, such as its host and commit. They are added to the labels
               in the file, and replace those of the same keys: labels=lambda path: {"host": path.split("/")[1]}
    skip_torn  a file that is cut off, damaged or not a profile causes a warning, and gets a row in profiles with a note, but
               no samples

    One profile at a time is in memory, with some MB that are not yet written. Memory grows with the number of different
    stacks and functions. If a file cannot be read, TollError names it, and no table is written.
    """
    if format not in ("parquet", "arrow"):
        raise TollError(f"there is no format {format!r} for tables; there are: parquet, arrow")
    try:
        schemas = _schemas()
    except ImportError as error:
        raise TollError(f"toll.export needs pyarrow ({error}): pip install pyarrow") from None
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    tables: dict[str, _Table] = {}
    try:
        for name, schema in schemas.items():
            tables[name] = _Table(target / f"{name}.{format}", schema)
        work = _Export(tables)
        for path in (str(os.fspath(path)) for path in paths):
            own = labels(path) if labels else {}
            p = profile.read_or_skip(path, skip_torn)
            if p is None:
                work.left_out(path, own)
            else:
                work.add(path, p, own)
        work.finish()
    except BaseException:
        for table in tables.values():
            table.discard()
        raise
    for table in tables.values():
        table.commit()
    return {name: table.rows for name, table in tables.items()}
