"""Records one instance of a guest, with an instance of toll.wasm in the same store."""

from __future__ import annotations

import contextlib
import struct
import threading
from types import MappingProxyType
from typing import Any, Callable, Iterator

import wasmtime

from . import embedder
from .library import Library, TollError
from .start_time import start_time


NO_EXECUTIONS = "instances that failed while they were made: the cost of their lines is not known"


class Guest:
    """An instrumented module, and how it is recorded."""

    def __init__(self, engine: wasmtime.Engine, code: bytes, flags: int, depth: int, now: Callable[[], float] | None,
                 labels: list[str]):
        self.engine, self.code, self.flags, self.depth, self.now, self.labels = engine, code, flags, depth, now, labels
        self.module = wasmtime.Module(engine, code)
        self.has_places = bool(flags & embedder.MODULE_CALL_LINES)
        self.has_windows = bool(flags & embedder.RECORD_WINDOWS)
        self.uses_wasi = any(i.module == "wasi_snapshot_preview1" for i in self.module.imports)


class _Thread(threading.local):
    calls = 0  # how many guarded calls are open


_this_thread = _Thread()


class Calls:
    """The guarded calls that are open in a store, and its recordings. Only one thread at a time may use a store, so `lock` is
    held during calls, and while the profiler reads the store."""

    def __init__(self) -> None:
        self.open = 0
        self.recordings: list[Recording] = []
        self.lock = threading.RLock()

    @contextlib.contextmanager
    def quiet(self) -> Iterator[None]:
        """Wait until no other thread uses the store. A thread that is inside a guest's call must not wait, since the other
        thread may wait for it in turn (deadlock); this is an error."""
        if not self.lock.acquire(blocking=not _this_thread.calls):
            raise TollError("an instance runs in another thread, and a host function cannot wait for it: "
                            "call this when the guest has returned")
        try:
            yield
        finally:
            self.lock.release()


class Recording:
    def __init__(self, guest: Guest, store: wasmtime.Store, calls: Calls):
        wasi_clock = bool(guest.flags & embedder.RECORD_WASI_CLOCK)
        if wasi_clock and not guest.uses_wasi:
            store.set_wasi(wasmtime.WasiConfig())  # a store without WASI has no clock
        self.guest, self.store, self.calls = guest, store, calls
        self.library = Library(store, guest.engine, guest.now, wasi_clock)
        self.exports: dict[str, Any] = {}  # of the guest
        self.library.do("begin", guest.flags, guest.depth, start_time())
        self.library.do("fact", "engine", f"wasmtime {getattr(wasmtime, '__version__', '')}".strip())
        for labels in guest.labels:
            self.library.do("labels", labels)
        self.library.call("charge", 0)
        self.library.do("module", guest.code, len(guest.code))
        self.library.call("pass", 0)
        self.library.call("next_instance", 0)

    def imports(self, linker: wasmtime.Linker | None) -> list[Any]:
        """The guest's imports, as the linker defines them."""
        return [self._import(linker, i.module, i.name or "") for i in self.guest.module.imports]

    def instantiate(self, imports: list[Any]) -> wasmtime.Instance:
        """Make the instance. Its start function may run, and fail."""
        module = self.guest.module
        with self.calls.quiet():
            self.calls.recordings.append(self)
            try:
                instance: wasmtime.Instance = self.guarded(lambda store: wasmtime.Instance(store, module, imports), self.store)
            except BaseException:
                if self.library.call("counters"):
                    self.library.do("note", NO_EXECUTIONS, 1)
                raise
            self.exports = dict(instance.exports(self.store))
            self.library.call("settles", 1)
        return instance

    def _import(self, linker: wasmtime.Linker | None, module: str, name: str) -> Any:
        if module == "toll":
            placed = "_placed" if self.guest.has_places and name in ("enter", "leave", "settle") else ""
            clocked = "_clocked" if self.guest.has_windows and name in ("enter", "leave") else ""
            return self.library.exports[name + placed + clocked]
        if linker is None:
            raise TollError(f"the module imports {module}.{name}; give instantiate a linker that defines it")
        try:
            return linker.get(self.store, module, name)
        except wasmtime.WasmtimeError as error:
            raise wasmtime.WasmtimeError(f"unknown import: {module}.{name} is not defined in the linker") from error

    def guarded(self, work: Callable[..., Any], store: Any, *params: Any) -> Any:
        """Call into the guest. If the call ends by a trap, an exit or an exception, leave the functions that are still open
        in the recording. If this is the outermost call in the store, this concerns all of its instances."""
        with self.calls.lock:
            outermost = self.calls.open == 0
            before = 0 if outermost else self.depth()
            self.calls.open += 1
            _this_thread.calls += 1
            try:
                return work(store, *params)
            except BaseException:
                for recording in self.calls.recordings if outermost else [self]:
                    recording.unwind(before)
                raise
            finally:
                self.calls.open -= 1
                _this_thread.calls -= 1

    def settle(self) -> None:
        """Deliver the pending event."""
        pending = self.exports.get("toll:pending")
        event = pending.value(self.store) if pending else 0
        if not pending or event in (0, 1):
            return
        name = "settle_placed" if self.guest.has_places else "settle"
        pending.set_value(self.store, self.library.call(name, event, self.exports["toll:pending_ticks"].value(self.store)))

    def depth(self) -> int:
        self.settle()
        depth: int = self.library.call("depth")
        return depth

    def unwind(self, depth: int) -> None:
        place = self.exports.get("toll:place") or self.exports.get("toll:call_kind")
        if place and self.depth() > depth:
            place.set_value(self.store, 0)
        self.library.call("unwind", depth, self.ticks())
        if pending := self.exports.get("toll:pending"):
            pending.set_value(self.store, 0)  # the next event is reported at once

    def ticks(self) -> int:
        """The ticks of the instance; while it is being made, those of its last event."""
        self.settle()
        counted = self.exports.get("toll:ticks")
        if not self.exports:
            return int(self.library.call("ticks"))
        return int(counted.value(self.store)) if counted else 0

    def aside(self, work: Callable[[], Any]) -> Any:
        """Do work of the profiler itself, whose time is not charged."""
        with self.calls.quiet():
            self.library.call("charge", self.ticks())
            self._gather()
            try:
                return work()
            finally:
                self.library.call("pass", self.ticks())

    def pprof(self) -> bytes:
        """The profile so far."""
        profile: bytes = self.aside(self.library.pprof)
        return profile

    def _gather(self) -> None:
        """Pass to toll.wasm how often each basic block has run."""
        executions, count = self.exports.get("toll:executions"), self.library.call("counters")
        if not executions or not count:
            return
        pages = range(-(-count // embedder.COUNTERS_OF_PAGE))
        data = b"".join(struct.pack(f"<{embedder.COUNTERS_OF_PAGE}q", *executions(self.store, page)) for page in pages)
        self.library.call("executions", data, count)


class Function(wasmtime.Func):
    """An exported function. After a trap the recorded stack is the same as before the call."""

    def __init__(self, function: wasmtime.Func, recording: Recording):
        self.__dict__.update(function.__dict__)
        self.__recording = recording

    def __call__(self, store: Any, *params: Any) -> Any:
        return self.__recording.guarded(super().__call__, store, *params)


class Instance(wasmtime.Instance):
    """An instance that is recorded. Call its functions through `exports`."""

    def __init__(self, instance: wasmtime.Instance, recording: Recording, end: Callable[[Recording], None]):
        self.__dict__.update(instance.__dict__)
        self.__recording, self.__end = recording, end
        self.__exports = MappingProxyType({
            name: Function(item, recording) if isinstance(item, wasmtime.Func) else item
            for name, item in recording.exports.items() if not name.startswith("toll:")})

    def exports(self, store: Any) -> Any:
        """The exports, by name."""
        return self.__exports

    def ticks(self) -> int:
        """The instructions that the instance has executed so far."""
        with self.__recording.calls.quiet():
            return self.__recording.ticks()

    def end(self) -> None:
        """End the recording: there will be no more calls. The profile keeps what was recorded, and releases the instance and its store."""
        self.__end(self.__recording)
