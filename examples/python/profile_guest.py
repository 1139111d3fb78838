"""profile_guest.py [-o PROFILE] [--time] [--heap] GUEST ARGS - runs a WASI program in wasmtime, and writes its profile.

    pip install './build/lib/python[wasmtime]'
    python examples/python/profile_guest.py -o words.pb.gz words.wasm < text.txt
    go tool pprof -http=: words.pb.gz
"""

import argparse
import pathlib
import sys

import toll.wasm
import wasmtime


def main() -> int:
    options = argparse.ArgumentParser(description="Profile a WASI program.")
    options.add_argument("-o", dest="profile", default="toll.pb.gz", help="the profile: .pb.gz, .folded, .speedscope.json, ...")
    options.add_argument("--time", action="store_true", help="nanoseconds, too")
    options.add_argument("--heap", action="store_true", help="bytes allocated and in use, too")
    options.add_argument("guest", type=pathlib.Path)
    options.add_argument("args", nargs=argparse.REMAINDER)
    given = options.parse_args()

    wasi = wasmtime.WasiConfig()
    wasi.argv = [str(given.guest), *given.args]
    wasi.inherit_stdin()
    wasi.inherit_stdout()
    wasi.inherit_stderr()
    engine = wasmtime.Engine()
    store = wasmtime.Store(engine)
    store.set_wasi(wasi)
    linker = wasmtime.Linker(engine)
    linker.define_wasi()

    status = 0
    with toll.wasm.Recorder(engine, given.guest, time=given.time, heap=given.heap) as r:
        instance = r.instantiate(store, linker)
        try:
            instance.exports(store)["_start"](store)
        except wasmtime.ExitTrap as end:
            status = end.code
        except wasmtime.Trap as trap:
            print(trap, file=sys.stderr)
            status = 134
        r.profile(given.profile)
        print(r.top(rows=10), file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
