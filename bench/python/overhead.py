"""overhead.py FIB PROGRAMS WORK DEBUG STRIPPED - measures how much longer guests of wasmtime take when they are profiled, and the cost of
the debug information of DEBUG, in processor time. Each time is the least of several rounds, which take turns."""

import sys
import time

import toll.wasm
import wasmtime

ENGINE = wasmtime.Engine()
KINDS = [("calls", {"ticks": False}), ("calls, ticks", {}), ("calls, ticks, heap", {"heap": True}), ("calls, ticks, time of WASI's clock", {"time": True}),
         ("calls, ticks, time of a function in Python", {"time": lambda: float(time.monotonic_ns())})]


def plain(code):
    store = wasmtime.Store(ENGINE)
    return store, wasmtime.Instance(store, wasmtime.Module(ENGINE, code), []).exports(store)


def recorded(code, options):
    store = wasmtime.Store(ENGINE)
    recorder = toll.wasm.Recorder(ENGINE, code, **options)
    return store, recorder.instantiate(store).exports(store), recorder


def least(runs, rounds):
    best = [float("inf")] * len(runs)
    for _ in range(rounds):
        for i, run in enumerate(runs):
            begin = time.process_time()
            run()
            best[i] = min(best[i], time.process_time() - begin)
    return best


def measure(title, code, name, argument, kinds, rounds):
    instances = [plain(code)] + [recorded(code, options) for _, options in kinds]
    runs = [lambda store=store, exports=exports: exports[name](store, argument) for store, exports, *_ in instances]
    calls = recorded(code, {})
    calls[1][name](calls[0], argument)
    pairs = calls[2].summary(value="calls")["total"]
    base, *others = least(runs, rounds)
    print(f"{title}: {base * 1e3:.1f} ms, {pairs} calls")
    for (kind, _), seconds in zip(kinds, others):
        more = f", {(seconds - base) * 1e9 / pairs:.1f} ns a call and return" if pairs > 1000 else ""
        print(f"  {kind}: {seconds / base:.2f} times{more}")
    return [seconds / base for seconds in others]


def measure_debug_information(debug, stripped):
    """Prints how much longer it takes to make a recorder of the module with debug information, and to write lines of all its functions."""
    made = least([lambda code=code: toll.wasm.Recorder(ENGINE, code) for code in (stripped, debug)], 5)
    writers = []
    for reads in False, True:
        store, exports, recorder = recorded(debug, {"lines": True, "inlines": True, "debug": reads})
        for export in recorder.module.exports:
            if export.name.startswith("run"):
                exports[export.name](store, 100, 0)
        writers.append(recorder.profile)
    written = least(writers, 5)
    return [(what, *times) for what, times in (("to make a recorder", made), ("to write a profile of lines", written))]


fib, programs, work, *modules = (open(name, "rb").read() for name in sys.argv[1:])
compared = KINDS[:2] + [KINDS[3]]
calls = measure("fib(30)", fib, "run", 30, compared, 5)
few_calls = measure("a hash, bodies, an interpreter, a sieve", programs, "run", 300, compared, 5)
measure("fib(22)", fib, "run", 22, KINDS, 5)
for name in ("hash", "codec", "matrix"):
    measure(name, work, name, 3, KINDS[:2], 5)
print("for docs/performance.md:")
for (kind, _), many, few in zip(compared, calls, few_calls):
    print(f"| `toll` for Python: {kind} | {many:.1f} times | {few:.2f} times |")
for what, without, with_it in measure_debug_information(*modules):
    print(f"| `toll` for Python: {what} | {without * 1e3:,.0f} ms | {with_it * 1e3:,.0f} ms | {with_it / without:.2f} times |")
