"""Runs toll.wasm in wasmtime, and calls the functions of toll/embedder.h. Each instance has a memory of its own."""

from __future__ import annotations

import importlib.resources
import warnings
import weakref
from typing import Any, Callable

import wasmtime

from . import embedder
from .embedder import EMBEDDER_VERSION
from .error import TollError

NOT_SUPPORTED, FAILED = 52, 29  # error numbers of WASI
STANDARD_ERROR, OUTPUT = 2, 3  # file descriptors
WASI = "wasi_snapshot_preview1"

_compiled: weakref.WeakKeyDictionary[wasmtime.Engine, wasmtime.Module] = weakref.WeakKeyDictionary()


def toll_wasm() -> bytes:
    """toll.wasm itself."""
    return importlib.resources.files("toll").joinpath("toll.wasm").read_bytes()


def compiled(engine: wasmtime.Engine) -> wasmtime.Module:
    """toll.wasm, compiled once for an engine."""
    module = _compiled.get(engine)
    if module is None:
        module = _compiled[engine] = wasmtime.Module(engine, toll_wasm())
    return module


def own_store(engine: wasmtime.Engine) -> wasmtime.Store:
    """A store only for the library, in which neither fuel nor an epoch ends its work."""
    store = wasmtime.Store(engine)
    try:
        store.set_fuel(2**63 - 1)
    except wasmtime.WasmtimeError:  # the engine counts no fuel
        pass
    store.set_epoch_deadline(2**62)
    return store


def instrument_flags(ticks: bool, heap: bool, lines: bool, call_lines: bool, calls: bool) -> int:
    """The flags of `instrument` and its like for these options of recorders."""
    return ((0 if ticks else embedder.INSTRUMENT_NO_TICKS) | (embedder.INSTRUMENT_HEAP if heap else 0) |
            (embedder.INSTRUMENT_LINES if lines or call_lines else 0) |
            (embedder.INSTRUMENT_CALL_LINES if call_lines else 0) | (0 if calls else embedder.INSTRUMENT_NO_CALLS))


class Library:
    """An instance of toll.wasm. `now`, if it is given, returns nanoseconds. Otherwise the clock is WASI's, which is linked if
    `wasi_clock` is set."""

    def __init__(self, store: wasmtime.Store, engine: wasmtime.Engine, now: Callable[[], float] | None = None,
                 wasi_clock: bool = False):
        self.store = store
        self.sink: Callable[[bytes], Any] | None = None
        self.sink_error: BaseException | None = None
        module = compiled(engine)
        write = weakref.WeakMethod(self._fd_write)  # weak, since wasmtime keeps functions as long as the store, which `self` keeps
        functions: dict[str, Callable[..., Any]] = {
            "now": now or (lambda: 0.0), "fd_write": lambda *args: write()(*args)}  # type: ignore[misc]
        imports: list[Any] = []
        for wanted in module.imports:
            if wasi_clock and wanted.name == "clock_time_get":
                linker = wasmtime.Linker(engine)
                linker.define_wasi()
                imports.append(linker.get(store, WASI, wanted.name))
            else:
                function = functions.get(wanted.name or "", lambda *_: NOT_SUPPORTED)
                type_: Any = wanted.type  # all are functions
                imports.append(wasmtime.Func(store, type_, function))
        self.exports: Any = wasmtime.Instance(store, module, imports).exports(store)
        self.memory: Any = self.exports["memory"]
        self.call("_initialize")
        if self.call("interface") != EMBEDDER_VERSION:
            raise TollError(f"toll.wasm has interface {self.call('interface')}, not {EMBEDDER_VERSION}; install toll again")

    def call(self, name: str, *args: int | str | bytes) -> Any:
        """Call an export. Texts and bytes are copied to toll.wasm's memory until it returns."""
        blocks: list[int] = []
        try:
            return self.exports[name](self.store, *[self._argument(arg, blocks) for arg in args])
        finally:
            for at in blocks:
                self.exports["release"](self.store, at)

    def do(self, name: str, *args: int | str | bytes) -> None:
        """Call an export that returns a status."""
        self.sink_error = None
        if self.call(name, *args) == 0:
            return
        if self.sink_error:
            raise self.sink_error
        raise self.error()

    def error(self) -> TollError:
        return TollError(self._bytes("error_text", "error_size").decode(errors="replace"))

    def result(self) -> bytes:
        return self._bytes("result", "result_size")

    def written(self, name: str, sink: Callable[[bytes], Any], *args: int | str) -> None:
        """Call an export that writes to a descriptor; `sink` gets the pieces."""
        self.sink = sink
        try:
            self.do(name, OUTPUT, *args)
        finally:
            self.sink = None

    def pprof(self) -> bytes:
        """The profile, not compressed."""
        pieces: list[bytes] = []
        self.written("profile", pieces.append, "pprof", "", 0)
        return b"".join(pieces)

    def add(self, pprof: bytes) -> None:
        """Add a profile."""
        self.do("add", pprof, len(pprof))

    def _argument(self, value: int | str | bytes, blocks: list[int]) -> int:
        if isinstance(value, int):
            return value
        if isinstance(value, str) and "\0" in value:
            raise ValueError(f"{value!r}: has a NUL in it")
        data = value.encode() + b"\0" if isinstance(value, str) else value
        at: int = self.exports["alloc"](self.store, len(data)) & 0xFFFFFFFF
        if not at:
            raise MemoryError("toll: no memory")
        blocks.append(at)
        if data:
            self.memory.write(self.store, data, at)
        return at

    def _bytes(self, where: str, how_many: str) -> bytes:
        at = self.exports[where](self.store) & 0xFFFFFFFF
        return bytes(self.memory.read(self.store, at, at + (self.exports[how_many](self.store) & 0xFFFFFFFF)))

    def _number(self, at: int) -> int:
        return int.from_bytes(self.memory.read(self.store, at, at + 4), "little")

    def _fd_write(self, fd: int, vectors: int, count: int, written: int) -> int:
        total, vectors = 0, vectors & 0xFFFFFFFF
        try:
            for at in range(vectors, vectors + 8 * count, 8):
                start, size = self._number(at), self._number(at + 4)
                data = bytes(self.memory.read(self.store, start, start + size))
                if fd == STANDARD_ERROR:
                    warnings.warn(data.decode(errors="replace").strip(), stacklevel=2)
                elif self.sink:
                    self.sink(data)
                total += size
        except BaseException as error:  # raised again when the library has returned its failure
            self.sink_error = error
            return FAILED
        self.memory.write(self.store, total.to_bytes(4, "little"), written & 0xFFFFFFFF)
        return 0
