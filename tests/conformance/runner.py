"""runner.py FOLDER [LACKS...] - runs FOLDER/cases.txt with toll.wasm.Recorder, and prints what happens. See cases.txt."""

import sys

import toll
import toll.wasm
import wasmtime

FOLDER, *LACKS = sys.argv[1:]
ENGINE = wasmtime.Engine()
I32 = wasmtime.ValType.i32()


def milliseconds():
    """A clock that goes on by one with each reading; in nanoseconds."""
    milliseconds.now += 1
    return milliseconds.now * 1e6


milliseconds.now = 0
OPTIONS = {"no_debug": {"debug": False}, "no_ticks": {"ticks": False}, "no_calls": {"calls": False}, "clock": {"time": milliseconds}, "depth": int}


def plain(error):
    return str(error).removeprefix("toll: ")


class HostFails(Exception):
    pass


class Case:
    """All instances of a case are in one store."""

    def __init__(self, name):
        self.name, self.options, self.host = name, {"name": "guest.wasm"}, {}
        self.current, self.instances, self.profiles = [], [], 0

    def option(self, name, *value):
        known = OPTIONS.get(name)
        text = " ".join(value).replace(";", "\n")
        self.options.update(known if isinstance(known, dict) else {name: known(text) if known else text or True})

    def begin(self):
        try:
            with open(f"{FOLDER}/{self.guest}.wasm", "rb") as file:
                self.recorder = toll.wasm.Recorder(ENGINE, file.read(), **self.options)
        except toll.wasm.TollError as error:
            print(f"recorder failed: {plain(error)}")
            return False
        self.store, self.linker = wasmtime.Store(ENGINE), wasmtime.Linker(ENGINE)
        self.store.set_wasi(wasmtime.WasiConfig())
        self.linker.define_wasi()
        self.linker.define_func("env", "host", wasmtime.FuncType([I32], [I32]), self.asked)
        return True

    def asked(self, n):
        what, *rest = self.host.get(str(n), ["return", n])
        own = self.current[-1]
        if what == "return":
            return int(self.host[str(n)].pop(1) if len(rest) > 1 else rest[0])
        if what == "fail":
            raise HostFails
        if what == "call":
            return self.call(own, *rest)
        if what == "other":
            return self.call(int(rest[0]), *rest[1:])
        if what == "folded":
            self.folded(rest[0])
            return n
        try:
            return self.call(own, *rest)  # catch
        except (wasmtime.Trap, wasmtime.WasmtimeError, HostFails):
            self.call(own, "leaf")
            return -1

    def call(self, i, name, *args):
        self.current.append(i)
        try:
            return self.instances[i].exports(self.store)[name](self.store, *map(int, args))
        finally:
            self.current.pop()

    def instance(self):
        i = len(self.instances)
        self.instances.append(None)
        self.current.append(i)
        try:
            self.instances[i] = self.recorder.instantiate(self.store, self.linker)
            print(f"instance {i}: made")
        except (wasmtime.Trap, wasmtime.WasmtimeError):
            print(f"instance {i}: failed")
        self.current.pop()

    def step(self, word, rest):
        if word == "instance":
            self.instance()
        elif word == "end":
            for instance in filter(None, self.instances):
                instance.end()
        elif word == "folded":
            self.folded(rest[0])
        elif word == "ordered":
            self.print("ordered", in_order=True)
        elif word == "call":
            self.called(int(rest[0]), *rest[1:])
        else:  # profile, places, lines, sum
            file = f"{self.name}.{self.profiles}.pb"
            self.profiles += 1
            self.recorder.profile(file, format="pprof")
            print(word, file)

    def called(self, i, name, *args):
        what = f"{name}({','.join(args)})"
        try:
            result = self.call(i, name, *args)
            print(f"{what} returned" if result is None else f"{what} = {result}")
        except (wasmtime.Trap, wasmtime.ExitTrap, wasmtime.WasmtimeError, HostFails):
            print(f"{what} failed")

    def folded(self, value):
        self.print(f"folded {value}", value=value)

    def print(self, what, **options):
        try:
            print(f"{what}:\n{self.recorder.profile(format='folded', **options).decode().rstrip()}")
        except toll.wasm.TollError as error:
            print(f"{what} failed" if options.get("in_order") else f"{what} failed: {plain(error)}")


def run(name, lines):
    print("case", name)
    case, is_ready = Case(name), None
    for word, *rest in (line.split(" ") for line in lines if line):
        if word == "needs":
            if rest[0] in LACKS:
                print("lacks", rest[0])
                return
        elif word == "guest":
            case.guest = rest[0]
        elif word == "option":
            case.option(*rest)
        elif word == "host":
            case.host[rest[0]] = rest[1:]
        else:
            is_ready = case.begin() if is_ready is None else is_ready
            if is_ready:
                case.step(word, rest)


with open(f"{FOLDER}/cases.txt", encoding="utf-8") as cases:
    for text in cases.read().split("\ncase ")[1:]:
        first, *rest = text.strip().split("\n")
        run(first, rest)
