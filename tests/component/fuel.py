"""fuel.py COMPONENT NAME NUMBER - prints the fuel that wasmtime uses for a call of an export with a number, and the ticks
that the component records of it itself (toll.wasm.ComponentRecorder)."""
import pathlib
import sys

import toll.wasm
from wasmtime import Config, Engine, Store
from wasmtime.component import Component, Linker

path, name, number = sys.argv[1], sys.argv[2], int(sys.argv[3])


def call(store, instance):
    function = instance.get_func(store, name)
    function(store, number)
    function.post_return(store)


config = Config()
config.consume_fuel = True
engine = Engine(config)
store = Store(engine)
store.set_fuel(10**12)
instance = Linker(engine).instantiate(store, Component.from_file(engine, path))
before = store.get_fuel()  # without what wasmtime counts for segments while it makes the instance
call(store, instance)
fuel = before - store.get_fuel()

engine = Engine()
recorder, store = toll.wasm.ComponentRecorder(engine, pathlib.Path(path), costs="fuel"), Store(engine)
call(store, recorder.instantiate(store, Linker(engine)))
print(fuel, recorder.summary()["total"])
