"""Writes profiles as tables for SQL, in Parquet or Arrow files. Needs pyarrow: pip install pyarrow.

libtoll makes the rows (toll/tables.h), and pyarrow writes them. Ids are the same on every machine, and in every export:

    function_id  BLAKE2b, 8 bytes, of the function's name, file, line and kind, in UTF-8 with a NUL between them
    stack_id     BLAKE2b, 8 bytes, of its innermost function's function_id and its caller's stack_id; 0: outside of any function

Both are signed integers of 64 bits, the least significant byte first. If two functions, or two stacks, of an export have the
same id, the export fails with a message.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Optional

from . import headers, native, profile
from .error import TollError

if TYPE_CHECKING:
    import pyarrow as pa

NAMES = ("profiles", "samples", "stacks", "functions")  # in the order of toll_table
ROWS = 1 << 17  # in a row group
FRAMES = 1 << 18  # in the stacks of a row group
SCHEMA_WORDS = 9  # of a struct ArrowSchema, 8 bytes each on machines of 64 bits

Labels = Optional[Callable[[str], Mapping[str, str]]]


def _schemas() -> list[pa.Schema]:
    import pyarrow as pa
    schemas = []
    for table in range(len(NAMES)):
        schema = (ctypes.c_uint64 * SCHEMA_WORDS)()
        native.do("toll_tables_schema", table, ctypes.addressof(schema))
        schemas.append(pa.Schema._import_from_c(ctypes.addressof(schema)))
    return schemas


def _repeated(schema: pa.Schema) -> list[str]:
    """The columns of Parquet whose values are often equal, so that a dictionary of them is smaller. To make one takes as long
    as all else, and most of the others' values are in a row group once."""
    import pyarrow as pa
    paths: list[str] = []
    for field in schema:
        if pa.types.is_map(field.type):
            paths += (f"{field.name}.key_value.{part}" for part in ("key", "value"))
        elif pa.types.is_list(field.type):
            paths += (f"{field.name}.list.element.{part.name}" for part in field.type.value_type)
        elif field.name not in ("stack_id", "function_id", "value"):
            paths.append(field.name)
    return paths


class _File:
    """A file that grows by row groups. It gets its name when all files are complete."""

    def __init__(self, path: Path, schema: pa.Schema):
        self.path, self.schema = path, schema
        self.rows = 0
        self._part = path.with_name(f".{path.name}.{os.getpid()}.part")
        self._old = path.with_name(f".{path.name}.{os.getpid()}.old")
        if path.suffix == ".arrow":
            import pyarrow.ipc
            self._writer: Any = pyarrow.ipc.new_file(os.fspath(self._part), schema)
        else:
            import pyarrow.parquet
            self._writer = pyarrow.parquet.ParquetWriter(os.fspath(self._part), schema, compression="zstd", use_dictionary=_repeated(schema))

    def take(self, rows: int) -> None:
        """Write the batch to which a struct ArrowArray at that address belongs."""
        import pyarrow as pa
        batch = pa.RecordBatch._import_from_c(rows, self.schema)
        self._writer.write_batch(batch)
        self.rows += batch.num_rows

    def close(self) -> None:
        self._writer.close()

    def put_aside(self) -> None:
        """Rename the file that has the name now, if there is one."""
        if self.path.is_dir():
            raise TollError(f"{self.path} is a folder; export to another one, or remove it")
        if self.path.exists():
            self.path.replace(self._old)

    def commit(self) -> None:
        self._part.replace(self.path)

    def put_back(self) -> None:
        """Undo put_aside and commit."""
        if self._old.exists():
            self._old.replace(self.path)
        elif not self._part.exists():
            self.path.unlink(missing_ok=True)

    def forget_old(self) -> None:
        self._old.unlink(missing_ok=True)

    def discard(self) -> None:
        try:
            self._writer.close()
        finally:
            self._part.unlink(missing_ok=True)


def _name_all(files: list[_File]) -> None:
    """Give all files their names, or leave those that have the names now. Nobody finds a new file beside an old one: the old
    ones go first."""
    try:
        for file in files:
            file.put_aside()
        for file in files:
            file.commit()
    except BaseException:
        for file in files:
            file.put_back()
        raise
    for file in files:
        file.forget_old()


class _Rows:
    """The tables of libtoll, whose rows go to the files."""

    def __init__(self, files: list[_File]):
        self._files = files
        self._failure: Optional[BaseException] = None
        self._options = headers.TablesOptions(size=ctypes.sizeof(headers.TablesOptions), take_rows=headers.TakeRows(self._take),
                                              most_rows=ROWS, most_frames=FRAMES)
        self._handle = native.made("toll_tables_create", None, self._options)

    def _take(self, _user: Any, table: int, rows: int) -> int:
        try:
            self._files[table].take(rows)
            return 0
        except BaseException as error:  # raised again when the library has returned its failure
            self._failure = error
            return 1

    def _do(self, name: str, *args: Any) -> None:
        try:
            native.do(f"toll_tables_{name}", self._handle, *args)
        except TollError:
            if self._failure:
                raise self._failure from None
            raise

    def add(self, path: str, labels: Mapping[str, str], p: Optional[profile.Profile]) -> None:
        """Add a profile; None: its file could not be read, so that only its path and the caller's labels are known."""
        if not isinstance(labels, Mapping):
            raise TollError(f"labels returned {labels!r} for {path}; it must return a dict of keys and values")
        given = (headers.ThreadLabel * len(labels))(*(_label(path, *pair) for pair in labels.items()))
        name = native.text(path)
        if p is None:
            self._do("add_unread", name, given, len(given), profile.LEFT_OUT.encode())
        else:
            with p:
                self._do("add", name, given, len(given), p._open)

    def finish(self) -> None:
        self._do("finish")

    def free(self) -> None:
        native.library().toll_tables_free(self._handle)


def _label(path: str, key: Any, value: Any) -> tuple[bytes, bytes]:
    for part in (key, value):
        if not isinstance(part, str) or "\0" in part or not _is_unicode(part):
            raise TollError(f"the label {key!r}: {value!r} for {path} is not of texts; labels must return keys and values of str")
    return key.encode(), value.encode()


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # bytes of a path that is not UTF-8, as Python keeps them
        return False
    return True


def _check_path(path: str) -> None:
    if not _is_unicode(path):
        raise TollError(f"{path!r}: the path is not UTF-8, as tables need it; rename the file")


def _write(paths: Iterable[profile.Path], files: list[_File], labels: Labels, skip_torn: bool) -> None:
    rows = _Rows(files)
    try:
        for path in map(os.fsdecode, paths):
            _check_path(path)
            own = labels(path) if labels else {}
            rows.add(path, own, profile.read_or_skip(path, skip_torn))
        rows.finish()
    finally:
        rows.free()
    for file in files:
        file.close()
    _name_all(files)


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
    stacks and functions. The four files appear together. If a file cannot be read or written, none of them does, and files
    of these names that were there before stay: TollError names a file that cannot be read.
    """
    if format not in ("parquet", "arrow"):
        raise TollError(f"there is no format {format!r} for tables; there are: parquet, arrow")
    try:
        schemas = _schemas()
    except ImportError as error:
        raise TollError(f"toll.export needs pyarrow ({error}): pip install pyarrow") from None
    if isinstance(paths, (str, bytes, os.PathLike)):
        raise TollError(f"toll.export takes a list of paths, and not one: [{paths!r}]")
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TollError(f"{folder}: tables cannot be written there ({error.strerror})") from None
    files: list[_File] = []
    try:
        for name, schema in zip(NAMES, schemas):
            files.append(_File(target / f"{name}.{format}", schema))
        _write(paths, files, labels, skip_torn)
    except BaseException:
        for file in files:
            file.discard()
        raise
    return {name: file.rows for name, file in zip(NAMES, files)}
