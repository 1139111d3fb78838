"""Toll: the exact cost of every call of a program inside a virtual machine.

toll.wasm profiles guests of wasmtime. toll.profile reads, adds up and writes profiles. toll.export makes tables of them for SQL,
and toll.spark adds them up on a cluster.
"""

from .error import TollError
from .tables import export

__all__ = ["TollError", "export"]
__version__ = "0.1.0"
