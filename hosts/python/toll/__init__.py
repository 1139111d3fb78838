"""Toll: what every call of a program inside a virtual machine costs, exactly. toll.wasm profiles guests of wasmtime."""

__version__ = "0.1.0"
