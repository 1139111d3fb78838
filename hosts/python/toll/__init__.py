"""Toll: what every call of a program inside a virtual machine costs, exactly. toll.wasm profiles guests of wasmtime, toll.profile
reads, adds up and writes profiles."""

from .error import TollError

__all__ = ["TollError"]
__version__ = "0.1.0"
