"""Records instances of components, which contain toll.wasm then."""

from __future__ import annotations

import os
import pathlib
import threading
import weakref
from typing import Any, Callable

import wasmtime

from . import embedder
from .library import Library, TollError, instrument_flags, own_store, toll_wasm
from .written import Written

LOST = "instances that trapped or exited: what they recorded is lost"


class ComponentRecorder(Written):
    """Records instances of a component, which contains toll.wasm then.

        recorder = toll.wasm.ComponentRecorder(engine, pathlib.Path("app.component.wasm"))
        instance = recorder.instantiate(store, linker)      # was: linker.instantiate(store, component)
        run = instance.get_func(store, "run")
        run(store)
        run.post_return(store)
        recorder.profile("app.pb.gz")

    component   its bytes, or a path (os.PathLike)
    time        True: also nanoseconds. The component then imports the clock of WASI 0.2: linker.add_wasip2()
    The other options are those of Recorder. If an instance traps, or its program exits, wasmtime lets no function of it be
    called: what it has recorded is lost, which a note in the profile counts.

    Profiles, reports and `end` call a function of each instance: no other thread may use its store meanwhile. They use none
    of the store's fuel; a deadline of epochs that is over ends the instance.
    """

    def __init__(self, engine: wasmtime.Engine, component: bytes | os.PathLike[str], *, heap: bool = False, lines: bool = False,
                 call_lines: bool = False, inlines: bool = False, debug: bool = True, ticks: bool = True, calls: bool = True,
                 time: bool = False, only: str = "", skip: str = "", costs: str = "", depth: int = 0, name: str = "", labels: str = ""):
        try:
            from wasmtime import component as components
        except ImportError as error:
            raise TollError("components need a newer wasmtime: pip install --upgrade wasmtime") from error
        if not 0 <= depth < 2**32:
            raise ValueError(f"depth={depth}: is not from 0 (all calls) to 4294967295")
        if isinstance(component, os.PathLike):
            name = name or os.path.basename(component)
            component = pathlib.Path(component).read_bytes()
        self._engine = engine
        self._library = self._new_library()
        component, recorder, name = bytes(component), toll_wasm(), name or "component"
        flags = instrument_flags(ticks, heap, lines, call_lines, calls) | (embedder.INSTRUMENT_TIME if time else 0)
        self._library.do("instrument_component", component, len(component), name, only, skip, costs, flags, depth, recorder, len(recorder))
        self._debug_info = (component, len(component), name, costs, int(inlines)) if debug and (lines or call_lines) else None
        self._component = components.Component(engine, self._library.result())
        self._labels = self._checked(labels, self._new_library())  # each instance may have others
        self._live: list[tuple[wasmtime.Store, Any]] = []
        self._ended: weakref.WeakSet[Any] = weakref.WeakSet()
        self._lost = 0  # instances whose profile cannot be read any more
        self._has_sum = False
        self._lock = threading.Lock()

    @property
    def component(self) -> Any:
        """The component that records itself, a wasmtime.component.Component. Pass an instance that was made elsewhere to
        `end`."""
        return self._component

    def instantiate(self, store: wasmtime.Store, linker: Any) -> Any:
        """Make an instance by a wasmtime.component.Linker, and record it. Any number of instances may exist at the same
        time; profiles add them up."""
        instance = linker.instantiate(store, self._component)
        with self._lock:
            self._live.append((store, instance))
        return instance

    def end(self, store: wasmtime.Store, instance: Any, *, labels: str = "") -> None:
        """Keep the profile of an instance, with further labels of its own ("path=/index,method=GET"), and release the
        instance and its store: there will be no more calls. A server calls this at the end of each request."""
        with self._lock:
            if instance in self._ended:
                raise TollError("the instance has ended already")
        profile = self._profile_of(store, instance, labels)
        with self._lock:
            self._ended.add(instance)
            self._live = [each for each in self._live if each[1] is not instance]
            if profile is None:
                self._lost += 1
            else:
                self._library.add(profile)
                self._has_sum = True

    def _new_library(self) -> Library:
        return Library(own_store(self._engine), self._engine)

    def _profile_of(self, store: wasmtime.Store, instance: Any, labels: str) -> bytes | None:
        """The profile of an instance so far; None: it cannot be called any more."""
        number, library = 1, self._new_library()
        while function := instance.get_func(store, f"toll-profile{number if number > 1 else ''}"):
            try:
                result = _call_free(store, function)
            except (wasmtime.WasmtimeError, wasmtime.Trap) as error:
                if "trap" in str(error):  # cannot enter component instance
                    return None
                raise
            if isinstance(result, str):
                raise TollError(result)
            library.add(result)
            number += 1
        if number == 1:
            raise TollError("the instance is of another component: it has no toll-profile")
        for each in [*self._labels, *([labels] if labels else [])]:
            library.do("labels", each)
        return library.pprof()

    def _write(self, sink: Callable[[bytes], Any], name: str, *args: int | str) -> None:
        if name == "profile" and args[-1]:
            raise TollError("components keep no order of calls")
        with self._lock:
            live, has_sum, lost = list(self._live), self._has_sum, self._lost
            library = self._new_library()
            if has_sum:
                library.add(self._library.pprof())
        if not live and not has_sum and not lost:
            raise TollError("nothing was recorded; call instantiate first")
        profiles = [self._profile_of(store, instance, "") for store, instance in live]
        for profile in profiles:
            if profile is not None:
                library.add(profile)
        if lost := lost + profiles.count(None):
            library.add(_note_of(self._new_library(), LOST, lost))
        if self._debug_info:
            library.do("debug_info", *self._debug_info)
        library.written(name, sink, *args)


def _call_free(store: wasmtime.Store, function: Any) -> Any:
    """Call a function, which uses none of the store's fuel."""
    try:
        fuel = store.get_fuel()
    except wasmtime.WasmtimeError:  # the engine counts none
        fuel = None
    if fuel is not None:
        store.set_fuel(2**63 - 1)
    try:
        result = function(store)
        function.post_return(store)
        return result
    finally:
        if fuel is not None:
            store.set_fuel(fuel)


def _note_of(library: Library, text: str, count: int) -> bytes:
    """A profile that has only a note."""
    library.do("begin", embedder.RECORD_TICKS, 0, 0)
    library.do("note", text, count)
    return library.pprof()
