"""fuel.py COMPONENT NAME NUMBER - prints the fuel that wasmtime uses for a call of an export with a number."""
import sys

from wasmtime import Config, Engine, Store
from wasmtime.component import Component, Linker

path, name, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
config = Config()
config.consume_fuel = True
engine = Engine(config)
store = Store(engine)
store.set_fuel(10**12)
instance = Linker(engine).instantiate(store, Component.from_file(engine, path))
before = store.get_fuel() # without what wasmtime counts for segments while it makes the instance
function = instance.get_func(store, name)
function(store, number)
function.post_return(store)
print(before - store.get_fuel())
