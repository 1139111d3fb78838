"""Profiles of WebAssembly guests in wasmtime: every call, every tick.

    import toll.wasm, wasmtime

    engine = wasmtime.Engine()
    store, linker = wasmtime.Store(engine), wasmtime.Linker(engine)
    with toll.wasm.Recorder(engine, open("guest.wasm", "rb").read()) as r:
        instance = r.instantiate(store, linker)
        instance.exports(store)["run"](store, 10)
        r.profile("guest.pb.gz")

The guest is instrumented, and calls toll.wasm directly, in the same engine: no event calls Python.
"""

from __future__ import annotations

import os
import pathlib
import threading
import weakref
from typing import Any, Callable

import wasmtime

from . import embedder
from .component import ComponentRecorder
from .library import Library, TollError, instrument_flags, own_store
from .recording import Calls, Guest, Instance, Recording
from .written import Written

__all__ = ["Recorder", "ComponentRecorder", "Instance", "TollError"]


class Recorder(Written):
    """Records instances of one module.

    module      its bytes, or a path (os.PathLike); it may be instrumented already
    time        True: also nanoseconds, by WASI's clock, which is read once in a window of microseconds ("Time by windows" in
                docs/semantics.md), with timeline at each event; or a function that returns nanoseconds, which each event calls. A
                store whose guest does not use WASI gets an empty WasiConfig for the clock
    heap        True: bytes allocated and in use, by stack
    lines       True: how often each line ran, and its ticks, if the module has DWARF; else each basic block, which
                `toll convert --debug` turns into lines
    call_lines  True: as lines, and callees are under the place that called them
    inlines     True: with lines, frames for inlined functions
    debug       False: basic blocks even with DWARF
    timeline    True: keep the order of calls, for profile(in_order=True)
    ticks, calls  False: do not count instructions, or do not follow calls
    only, skip  patterns for the names of functions to follow, or not
    costs       the cost of each instruction: "fuel", or lines NAME COST; "": 1
    depth       deeper calls are charged to their ancestor at this depth
    name        of the module's file, for profiles
    labels      of the profiles, "commit=3f2a,host=a"; they replace those of the same keys in TOLL_LABELS
    """

    def __init__(self, engine: wasmtime.Engine, module: bytes | os.PathLike[str], *, time: bool | Callable[[], float] = False,
                 heap: bool = False, lines: bool = False, call_lines: bool = False, inlines: bool = False, debug: bool = True,
                 timeline: bool = False, ticks: bool = True, calls: bool = True, only: str = "", skip: str = "",
                 costs: str = "", depth: int = 0, name: str = "", labels: str = ""):
        if not 0 <= depth < 2**32:
            raise ValueError(f"depth={depth}: is not from 0 (all calls) to 4294967295")
        if isinstance(module, os.PathLike):
            name = name or os.path.basename(module)
            module = pathlib.Path(module).read_bytes()
        self._library = Library(own_store(engine), engine)  # for instrumenting, and for the sum
        windows = time is True and not timeline
        flags = instrument_flags(ticks, heap, lines, call_lines, calls) | (embedder.INSTRUMENT_TIME if windows else 0)
        module, name = bytes(module), name or "module"
        code = self._instrumented(module, name, only, skip, costs, flags)
        self._debug_info = (module, len(module), name, costs, int(inlines)) if debug and (lines or call_lines) else None
        record = self._library.call("instrumented", code, len(code)) | (embedder.RECORD_TIMELINE if timeline else 0)
        if not ticks:
            record &= ~embedder.RECORD_TICKS
        if time:
            record |= embedder.RECORD_TIME | (0 if callable(time) else embedder.RECORD_WASI_CLOCK)
            record |= embedder.RECORD_WINDOWS if windows else 0
        depth = depth or self._library.call("instrumented_depth", code, len(code))
        self._guest = Guest(engine, code, record, depth, time if callable(time) else None, self._checked(labels, self._library))
        self._calls: weakref.WeakKeyDictionary[wasmtime.Store, Calls] = weakref.WeakKeyDictionary()
        self._recordings: list[Recording] = []
        self._has_sum = False
        self._lock = threading.Lock()  # guards these four and the library; no thread waits for a store while holding it

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: Any) -> None:
        self._recordings.clear()
        self._calls.clear()

    @property
    def module(self) -> wasmtime.Module:
        """The instrumented module."""
        return self._guest.module

    def instantiate(self, store: wasmtime.Store, linker: wasmtime.Linker | None = None) -> Instance:
        """Make an instance, with the imports that the linker defines, and record it. Any number of instances may exist at
        the same time; profiles add them up."""
        with self._lock:
            calls = self._calls.setdefault(store, Calls())
        recording = Recording(self._guest, store, calls)
        imports = recording.imports(linker)  # first, so that a missing import leaves no empty recording
        with self._lock:
            self._recordings.append(recording)
        return Instance(recording.instantiate(imports), recording, self._end)

    def _instrumented(self, module: bytes, name: str, only: str, skip: str, costs: str, flags: int) -> bytes:
        self._library.do("prepare", module, len(module), name, only, skip, costs, flags)
        return self._library.result()

    def _write(self, sink: Callable[[bytes], Any], name: str, *args: int | str) -> None:
        """Have an export write to the sink: that of the only instance, or of a sum of all. Debug information is read by a sum:
        in a store of its own, which neither fuel nor an epoch ends, and whose memory is free again afterwards."""
        in_order = name == "profile" and bool(args[-1])  # has no lines
        with self._lock:
            live, has_sum = list(self._recordings), self._has_sum
            if not live and not has_sum:
                raise TollError("nothing was recorded; call instantiate first")
            of_sum = self._library.pprof() if has_sum else b""
        if len(live) == 1 and not has_sum and (in_order or not self._debug_info):
            live[0].aside(lambda: live[0].library.written(name, sink, *args))
            return
        if in_order:
            raise TollError("the order of calls can be written for one instance alone; use a Recorder for each")
        library = Library(own_store(self._guest.engine), self._guest.engine)
        if has_sum:
            library.add(of_sum)
        for recording in live:
            library.add(recording.pprof())
        if self._debug_info:
            library.do("debug_info", *self._debug_info)
        library.written(name, sink, *args)

    def _end(self, recording: Recording) -> None:
        profile = recording.pprof()
        with self._lock:
            if recording not in self._recordings:
                return
            self._library.add(profile)
            self._has_sum = True
            self._recordings.remove(recording)
        recording.calls.recordings.remove(recording)
