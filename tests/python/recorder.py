"""recorder.py TOLL LIB NODE - toll.wasm.Recorder in wasmtime: profiles are those of node.mjs, stack by stack; traps, exits,
exceptions, instances, options, errors."""

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

import toll
import toll.library
import toll.wasm
import wasmtime

TOLL, LIB, NODE = (sys.argv.pop(1) for _ in range(3))
ENGINE = wasmtime.Engine()


def read(name):
    with open(name, "rb") as file:
        return file.read()


def by_node(guest, *args, calls=(), **options):
    """The folded profiles of a run in Node, by value."""
    done = subprocess.run(["node", "--no-warnings", NODE, LIB, json.dumps(options), json.dumps(calls), guest, *map(str, args)],
                          check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def folded(recorder, value):
    return recorder.profile(format="folded", value=value).decode()


def stacks(text):
    """{stack: value} of a folded profile."""
    return {stack: int(value) for stack, value in (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))}


def with_host(host=lambda n: 2 * n):
    """A store, and a linker that has env.host."""
    store, linker = wasmtime.Store(ENGINE), wasmtime.Linker(ENGINE)
    linker.define_func("env", "host", wasmtime.FuncType([wasmtime.ValType.i32()], [wasmtime.ValType.i32()]), host)
    return store, linker


def with_wasi(*args, out="/dev/null"):
    store, linker, wasi = wasmtime.Store(ENGINE), wasmtime.Linker(ENGINE), wasmtime.WasiConfig()
    wasi.argv = ["guest", *map(str, args)]
    wasi.stdout_file = out
    store.set_wasi(wasi)
    linker.define_wasi()
    return store, linker


class AsInNode(unittest.TestCase):
    def compare(self, recorder, expected):
        for value, text in expected.items():
            self.assertTrue(stacks(text), value)
            self.assertEqual(stacks(folded(recorder, value)), stacks(text), value)

    def test_programs(self):
        for options in [{}, {"costs": "fuel"}, {"depth": 2}, {"skip": "^mix$"}, {"ticks": False}]:
            with self.subTest(options), toll.wasm.Recorder(ENGINE, read("programs.wasm"), **options) as r:
                store = wasmtime.Store(ENGINE)
                r.instantiate(store).exports(store)["run"](store, 3)
                self.compare(r, by_node("programs.wasm", calls=[["run", 3]], **options))

    def test_wasi_program_that_returns_exits_or_traps(self):
        for how, raised in [("return", None), ("exit", wasmtime.ExitTrap), ("trap", wasmtime.Trap)]:
            with self.subTest(how), toll.wasm.Recorder(ENGINE, read("guest.wasm"), heap=True) as r:
                store, linker = with_wasi(5, how, out="written.txt")
                start = r.instantiate(store, linker).exports(store)["_start"]
                if raised:
                    with self.assertRaises(raised) as caught:
                        start(store)
                    self.assertEqual(getattr(caught.exception, "code", 3), 3)
                else:
                    start(store)
                    self.assertRegex(read("written.txt").decode(), r"^\d$")
                self.compare(r, by_node("guest.wasm", 5, how, heap=True))

    def test_lines(self):
        with toll.wasm.Recorder(ENGINE, read("programs.wasm"), call_lines=True) as r:
            store = wasmtime.Store(ENGINE)
            run = r.instantiate(store).exports(store)["run"]
            for n in (1, 2):
                run(store, n)
            functions = {f["name"]: f for f in r.summary(value="line ticks")["functions"]}
            self.assertEqual(functions["mix"]["self"], {f["name"]: f for f in r.summary(value="ticks")["functions"]}["mix"]["self"])
            self.compare(r, {value: text for value, text in by_node("programs.wasm", calls=[["run", 1], ["run", 2]], callLines=True).items()})

    def test_lines_of_debug_information(self):
        """Files, lines, inlined functions, and the costs of these are those that the command finds."""
        def converted(path, form, value):  # without what Node does before and after the calls
            return subprocess.run([TOLL, "convert", "-q", "--to", form, "--value", value, "--ignore", r"^(%|\(outside)", "-o", "-", path],
                                  check=True, capture_output=True, text=True).stdout
        with toll.wasm.Recorder(ENGINE, read("lines.wasm"), lines=True, inlines=True, name="lines.wasm") as r:
            store = wasmtime.Store(ENGINE)
            r.instantiate(store).exports(store)["run"](store, 50)
            r.profile("lines.pb.gz")
        for value in ["calls", "ticks", "executions", "line ticks"]:
            self.assertEqual(converted("lines.pb.gz", "folded", value), converted("node.debug.pb.gz", "folded", value))
        self.assertIn("fill;step;mix ", converted("lines.pb.gz", "folded", "line ticks"))
        self.assertEqual(converted("lines.pb.gz", "callgrind", "ticks"), converted("node.debug.pb.gz", "callgrind", "ticks"))
        self.assertIn("calls.c\n", converted("lines.pb.gz", "callgrind", "ticks"))

    def test_traps(self):
        calls = [["run", 2], ["boom", 4], ["run", 3], ["boom", 0]]
        with toll.wasm.Recorder(ENGINE, read("trap.wasm")) as r:
            store, linker = with_host()
            exports = r.instantiate(store, linker).exports(store)
            for name, n in calls:
                if name == "boom":
                    self.assertRaises(wasmtime.Trap, exports[name], store, n)
                else:
                    exports[name](store, n)
            self.compare(r, by_node("trap.wasm", calls=calls))


class Failures(unittest.TestCase):
    def test_exception_of_a_host_function(self):
        def host(n):
            raise KeyError("of the host")
        with toll.wasm.Recorder(ENGINE, read("trap.wasm")) as r:
            store, linker = with_host(host)
            exports = r.instantiate(store, linker).exports(store)
            for _ in range(2):
                with self.assertRaisesRegex(KeyError, "of the host"):
                    exports["run"](store, 2)
            exports["leaf"](store)
            self.assertEqual(stacks(folded(r, "calls")), {
                "run": 2, "run;step": 2, "run;step;step": 2, "run;step;step;step": 2, "run;step;step;step;host": 2, "leaf": 1})
            self.assertEqual(r.summary()["notes"], [])

    def test_host_function_that_calls_the_guest_and_catches(self):
        """What is left is what the inner call has opened; the outer functions go on."""
        exports = {}

        def host(n):
            try:
                exports["boom"](store, 1)
            except wasmtime.Trap:
                pass
            return exports["leaf"](store)
        with toll.wasm.Recorder(ENGINE, read("trap.wasm")) as r:
            store, linker = with_host(host)
            exports.update(r.instantiate(store, linker).exports(store))
            self.assertEqual(exports["run"](store, 1), 10)
            under = "run;step;step;host;"
            self.assertEqual(stacks(folded(r, "calls")), {
                "run": 1, "run;step": 1, "run;step;step": 1, "run;step;step;host": 1,
                under + "boom": 1, under + "boom;down": 1, under + "boom;down;down": 1, under + "leaf": 1})
            self.assertEqual(r.summary()["notes"], [])

    def test_start_function_that_traps(self):
        with toll.wasm.Recorder(ENGINE, read("two.wasm")) as r:
            with self.assertRaises(wasmtime.Trap):
                r.instantiate(*with_host(lambda n: 1))
            store, linker = with_host(lambda n: 0)
            r.instantiate(store, linker).exports(store)["run"](store, 1)
            self.assertEqual(stacks(folded(r, "calls")), {
                "begin": 2, "begin;host": 2, "run": 1, "run;host": 1})

    def test_messages(self):
        with self.assertRaisesRegex(toll.wasm.TollError, "module"):
            toll.wasm.Recorder(ENGINE, b"no module")
        with self.assertRaisesRegex(toll.wasm.TollError, r"\("):
            toll.wasm.Recorder(ENGINE, read("trap.wasm"), only="(")
        with self.assertRaisesRegex(toll.wasm.TollError, "neither|order"):
            r = toll.wasm.Recorder(ENGINE, read("programs.wasm"), ticks=False, timeline=True)
            r.instantiate(wasmtime.Store(ENGINE))
        with toll.wasm.Recorder(ENGINE, read("trap.wasm")) as r:
            with self.assertRaisesRegex(toll.wasm.TollError, "instantiate"):
                r.profile()
            with self.assertRaisesRegex(toll.wasm.TollError, "env.host"):
                r.instantiate(wasmtime.Store(ENGINE))
            with self.assertRaisesRegex(wasmtime.WasmtimeError, "env.host"):
                r.instantiate(wasmtime.Store(ENGINE), wasmtime.Linker(ENGINE))
            r.instantiate(*with_host())
            with self.assertRaisesRegex(toll.wasm.TollError, "profile.xyz"):
                r.profile("profile.xyz")
            with self.assertRaises(FileNotFoundError):
                r.profile("no/such/folder.pb.gz")
            with self.assertRaisesRegex(toll.wasm.TollError, "none"):
                r.profile("good.folded", value="none")
            self.assertFalse([name for name in os.listdir(".") if "good.folded" in name], "a half-written file")
            instrumented = r._guest.code
        with self.assertRaisesRegex(toll.wasm.TollError, "instrumented before"):
            toll.wasm.Recorder(ENGINE, instrumented, heap=True)
        toll.wasm.Recorder(ENGINE, instrumented)
        for depth in -1, 2**32:
            with self.assertRaisesRegex(ValueError, "depth"):
                toll.wasm.Recorder(ENGINE, instrumented, depth=depth)
        with self.assertRaisesRegex(ValueError, "NUL"):
            toll.wasm.Recorder(ENGINE, read("trap.wasm"), only="run\0boom")

    def test_an_instance_that_cannot_be_made_is_none(self):
        with toll.wasm.Recorder(ENGINE, read("trap.wasm"), timeline=True) as r:
            store, linker = with_host()
            with self.assertRaisesRegex(toll.wasm.TollError, "env.host"):
                r.instantiate(store)
            r.instantiate(store, linker).exports(store)["run"](store, 1)
            self.assertIn(b"run", r.profile(format="speedscope", in_order=True))


class Instances(unittest.TestCase):
    def test_several_at_a_time_in_one_store_and_in_others(self):
        with toll.wasm.Recorder(ENGINE, read("trap.wasm")) as r:
            store, linker = with_host()
            one, two = (r.instantiate(store, linker).exports(store) for _ in range(2))
            other_store, other_linker = with_host()
            third = r.instantiate(other_store, other_linker)
            for n in range(3):
                one["run"](store, n)
                two["run"](store, n)
                self.assertRaises(wasmtime.Trap, two["boom"], store, n)
            third.exports(other_store)["leaf"](other_store)
            calls = [["run", n] for n in (0, 0, 1, 1, 2, 2)] + [["boom", n] for n in (0, 1, 2)] + [["leaf"]]
            expected = by_node("trap.wasm", calls=calls)
            before = {value: folded(r, value) for value in expected}
            self.assertEqual({value: stacks(text) for value, text in before.items()}, {value: stacks(text) for value, text in expected.items()})
            third.end()
            third.end()
            self.assertEqual({value: folded(r, value) for value in expected}, before)

    def test_a_store_for_each_request(self):
        with toll.wasm.Recorder(ENGINE, read("trap.wasm")) as r:
            for n in range(20):
                store, linker = with_host()
                instance = r.instantiate(store, linker)
                instance.exports(store)["run"](store, 1)
                instance.end()
            self.assertEqual(r._recordings, [])
            self.assertLessEqual(len(r._calls), 1, "the last one's store may still be here")
            self.assertEqual(stacks(folded(r, "calls"))["run;step;step"], 20)

    def test_a_trap_through_two_instances(self):
        """One calls the host, which calls two, which traps: nothing is open in either."""
        with toll.wasm.Recorder(ENGINE, read("trap.wasm")) as r:
            exports = {}
            store, linker = with_host(lambda n: exports["boom"](store, 1))
            one = r.instantiate(store, linker).exports(store)
            exports.update(r.instantiate(store, linker).exports(store))
            self.assertRaises(wasmtime.Trap, one["run"], store, 1)
            for some in (one, exports):
                some["leaf"](store)
            self.assertEqual(stacks(folded(r, "calls"))["leaf"], 2)
            self.assertEqual(r.summary()["notes"], [])

    def test_two_guests_in_one_store(self):
        """One calls the host, which calls the other, whose functions have the same numbers: each has its own toll.wasm."""
        with toll.wasm.Recorder(ENGINE, read("trap.wasm")) as r, toll.wasm.Recorder(ENGINE, read("two.wasm")) as other:
            exports = {}
            store, linker = with_host(lambda n: exports["run"](store, 0) if n == 5 else 0)
            exports.update(other.instantiate(store, linker).exports(store))
            r.instantiate(store, linker).exports(store)["run"](store, 1)
            self.assertEqual(stacks(folded(r, "calls")), {"run": 1, "run;step": 1, "run;step;step": 1, "run;step;step;host": 1})
            self.assertEqual(stacks(folded(other, "calls")), {"begin": 1, "begin;host": 1, "run": 1, "run;host": 1})
            self.assertEqual(r.summary()["notes"] + other.summary()["notes"], [])

    def test_exports_are_wasmtimes(self):
        """An exported function can be linked, and an instance is one."""
        with toll.wasm.Recorder(ENGINE, read("trap.wasm")) as r:
            store, linker = with_host()
            instance = r.instantiate(store, linker)
            self.assertEqual(sorted(instance.exports(store)), ["boom", "leaf", "run"])
            linker.define(store, "guest", "leaf", instance.exports(store)["leaf"])
            linker.define_instance(store, "instance", instance)
            caller = wasmtime.Module(ENGINE, '(module (import "guest" "leaf" (func $leaf (result i32))) (export "leaf" (func $leaf)))')
            self.assertEqual(linker.instantiate(store, caller).exports(store)["leaf"](store), 9)
            self.assertGreater(instance.ticks(), 0)
            self.assertEqual(stacks(folded(r, "calls")), {"leaf": 1})


class Threads(unittest.TestCase):
    CALLS = 8

    def setUp(self):
        functions = "".join(f"(func $f{i} (param i32) nop)" for i in range(100))
        calls = "".join(f"(call $f{i} (local.get 0))" for i in range(100))
        self.code = bytes(wasmtime.wat2wasm(f"""(module (import "env" "host" (func $host (param i32) (result i32))) {functions}
            (func $run (export "run") (param i32) {calls})
            (func $ask (export "ask") (param i32) (drop (call $host (local.get 0)))))"""))

    def test_each_with_stores_of_its_own(self):
        failed = []

        def work():
            try:
                for _ in range(self.CALLS):
                    store, linker = with_host()
                    instance = recorder.instantiate(store, linker)
                    instance.exports(store)["run"](store, 1)
                    instance.end()
            except BaseException as error:
                failed.append(error)

        with toll.wasm.Recorder(ENGINE, self.code) as recorder:
            threads = [threading.Thread(target=work) for _ in range(6)]
            for thread in threads:
                thread.start()
            while any(thread.is_alive() for thread in threads):
                try:
                    recorder.profile()
                except toll.wasm.TollError as error:
                    self.assertIn("nothing was recorded", str(error))
            self.assertEqual(failed, [])
            calls = stacks(folded(recorder, "calls"))
            self.assertEqual(len(calls), 101)
            self.assertEqual(set(calls.values()), {6 * self.CALLS})

    def test_a_profile_waits_for_the_call_of_another_thread(self):
        runs, goes_on = threading.Event(), threading.Event()

        def host(n):
            runs.set()
            return n if goes_on.wait(60) else 0

        with toll.wasm.Recorder(ENGINE, self.code) as recorder:
            store, linker = with_host(host)
            exports = recorder.instantiate(store, linker).exports(store)
            thread = threading.Thread(target=lambda: exports["ask"](store, 1))
            thread.start()
            runs.wait(60)
            profiles = []
            waits = threading.Thread(target=lambda: profiles.append(folded(recorder, "calls")))
            waits.start()
            waits.join(0.1)
            self.assertEqual(profiles, [])

            def ask(n):
                with self.assertRaisesRegex(toll.wasm.TollError, "another thread"):
                    recorder.profile()
                return n
            other, linker = with_host(ask)
            recorder.instantiate(other, linker).exports(other)["ask"](other, 1)

            goes_on.set()
            for each in thread, waits:
                each.join()
            self.assertEqual(stacks(profiles[0])["ask"], 1)
            self.assertEqual(stacks(folded(recorder, "calls"))["ask"], 2)


class Time(unittest.TestCase):
    def test_clock_of_python(self):
        readings = iter(range(0, 10**6, 7))
        with toll.wasm.Recorder(ENGINE, read("programs.wasm"), time=lambda: float(next(readings))) as r:
            store = wasmtime.Store(ENGINE)
            r.instantiate(store).exports(store)["run"](store, 1)
            times = stacks(folded(r, "time"))
            calls = stacks(folded(r, "calls"))
            self.assertEqual(times["run;hash;mix"] % 7, 0)
            # A call that calls nothing lies between two readings.
            self.assertEqual(times["run;primes"], 7 * calls["run;primes"])

    def test_clock_of_the_engine(self):
        for guest in ("programs.wasm", "guest.wasm"):
            with toll.wasm.Recorder(ENGINE, read(guest), time=True) as r:
                store, linker = with_wasi(4) if guest == "guest.wasm" else (wasmtime.Store(ENGINE), None)
                exports = r.instantiate(store, linker).exports(store)
                if linker:
                    exports["_start"](store)
                else:
                    exports["run"](store, 3)
                total = sum(stacks(folded(r, "time")).values())
                self.assertGreater(total, 1000)
                self.assertLess(total, 10**12, "the clock begins at the recording's beginning")
                expected = by_node(guest, *([4] if linker else []), calls=[] if linker else [["run", 3]])
                for value in "calls", "ticks":
                    self.assertEqual(stacks(folded(r, value)), stacks(expected[value]))
                r.profile("timed.pb.gz")
                report = json.loads(subprocess.run([TOLL, "report", "-q", "--json", "--value", "time", "timed.pb.gz"], check=True,
                                                   capture_output=True, text=True).stdout)
                notes = {note["text"]: note["count"] for note in report["notes"]}
                self.assertTrue(any(text.startswith("readings of the clock at events") for text in notes), notes)
                self.assertEqual(total + notes.get("nanoseconds that the profiler took, about; not in the time", 0),
                                 notes["nanoseconds that the samples represent"])

    def test_time_of_the_host(self):
        """What a host function takes is its own, also if it calls the guest, or fails."""
        def host(n):
            time.sleep(0.02)
            if n == 3:
                exports["run"](store, 2)
                time.sleep(0.03)
            elif n == 4:
                raise KeyError("of the host")
            return 0
        for options in {}, {"call_lines": True, "debug": False}:
            with self.subTest(options), toll.wasm.Recorder(ENGINE, read("two.wasm"), time=True, **options) as r:
                store, linker = with_host(host)
                exports = r.instantiate(store, linker).exports(store)  # calls it, too
                exports["run"](store, 3)
                self.assertRaises(KeyError, exports["run"], store, 4)
                exports["run"](store, 5)
                times = {stack: ns / 1e6 for stack, ns in stacks(folded(r, "time")).items()}
                of_host = {stack: ms for stack, ms in times.items() if "host" in stack.split(";")[-1]}
                for stack, least in {"begin;host": 20, "run;host": 90, "run;host;run;host": 20}.items():
                    self.assertGreaterEqual(of_host[stack], least, times)
                self.assertLess(sum(times.values()) - sum(of_host.values()), 10, times)


class Files(unittest.TestCase):
    def test_formats(self):
        with toll.wasm.Recorder(ENGINE, read("programs.wasm"), timeline=True, name="programs.wasm") as r:
            store = wasmtime.Store(ENGINE)
            r.instantiate(store).exports(store)["run"](store, 1)
            r.profile("a.pb.gz")
            self.assertEqual(gzip.decompress(read("a.pb.gz")), r.profile())
            r.profile("b.pb.gz")
            self.assertEqual(read("a.pb.gz"), read("b.pb.gz"))
            r.profile("a.folded", value="ticks")
            self.assertEqual(read("a.folded").decode(), folded(r, "ticks"))
            r.profile("a.speedscope.json", in_order=True)
            self.assertEqual(json.loads(read("a.speedscope.json"))["profiles"][0]["type"], "evented")
            self.assertIn("mix", r.top(value="ticks", rows=3))
            self.assertIn("run", r.tree(value="ticks"))
            self.assertIn(b"programs.wasm", r.profile())

    def test_a_link_and_a_pipe(self):
        with tempfile.TemporaryDirectory() as folder, toll.wasm.Recorder(ENGINE, read("programs.wasm")) as r:
            store = wasmtime.Store(ENGINE)
            r.instantiate(store).exports(store)["run"](store, 1)
            target, link, pipe = (os.path.join(folder, name) for name in ("target", "link.folded", "pipe.folded"))
            with open(target, "wb"):
                os.chmod(target, 0o600)
            os.symlink("target", link)
            r.profile(link)
            self.assertEqual(read(target).decode(), folded(r, ""))
            self.assertEqual(os.stat(target).st_mode & 0o777, 0o600)
            os.mkfifo(pipe)
            pieces = []
            reader = threading.Thread(target=lambda: pieces.append(read(pipe)))
            reader.start()
            r.profile(pipe)
            reader.join()
            self.assertEqual(pieces[0].decode(), folded(r, ""))
            r.profile(os.path.join(folder, "x" * 240 + ".folded"))
            with self.assertRaises(OSError):
                r.profile(folder + "/none/x.folded")
            self.assertEqual(sorted(os.listdir(folder))[:3], ["link.folded", "pipe.folded", "target"])
            self.assertEqual(len(os.listdir(folder)), 4)

    def test_a_failure_is_told_once(self):
        wat = "".join(f'(func $f{i}_{"x" * 200} (export "f{i}"))' for i in range(1000))
        with toll.wasm.Recorder(ENGINE, bytes(wasmtime.wat2wasm(f"(module {wat})"))) as r:
            store = wasmtime.Store(ENGINE)
            instance = r.instantiate(store)
            for i in range(1000):
                instance.exports(store)[f"f{i}"](store)
            instance.end()
            with self.assertRaises(OSError):
                r.profile("/dev/full", format="folded")
            with self.assertRaisesRegex(toll.wasm.TollError, "profile.xyz"):
                r.profile("profile.xyz")

    def test_path_of_the_module(self):
        import pathlib
        with toll.wasm.Recorder(ENGINE, pathlib.Path("programs.wasm")) as r:
            store = wasmtime.Store(ENGINE)
            r.instantiate(store)
            r.instantiate(store).exports(store)["run"](store, 1)
            self.assertIn(b"programs.wasm", r.profile())
            with self.assertRaisesRegex(toll.wasm.TollError, "one instance"):
                r.profile("c.speedscope.json", in_order=True)

    def test_labels(self):
        def titles(**options):
            with toll.wasm.Recorder(ENGINE, read("programs.wasm"), **options) as r:
                store = wasmtime.Store(ENGINE)
                r.instantiate(store).exports(store)["run"](store, 1)
                found = []
                for _ in range(2):  # of one instance, of a sum
                    found += [p["name"] for p in json.loads(r.profile(format="speedscope"))["profiles"]]
                    r.instantiate(store).exports(store)["run"](store, 1)
                return found

        with unittest.mock.patch.dict(os.environ, {"TOLL_LABELS": "commit=1,host=a"}):
            for title in titles(labels="commit=2"):
                self.assertRegex(title, r"^main \{commit=2, host=a\}")
        for wrong in ["host", "thread=x"]:
            with self.assertRaisesRegex(toll.wasm.TollError, "label"):
                titles(labels=wrong)
        with unittest.mock.patch.dict(os.environ, {"TOLL_LABELS": "host"}):
            with self.assertWarnsRegex(UserWarning, "TOLL_LABELS is left out: a label is KEY=VALUE, and not 'host'"):
                for title in titles():
                    self.assertNotIn("{", title)

    def test_engine_that_counts_fuel(self):
        config = wasmtime.Config()
        config.consume_fuel = True
        config.epoch_interruption = True
        engine = wasmtime.Engine(config)
        with toll.wasm.Recorder(engine, read("programs.wasm")) as r:
            store = wasmtime.Store(engine)
            store.set_fuel(10**9)
            store.set_epoch_deadline(10)
            r.instantiate(store).exports(store)["run"](store, 1)
            self.assertIn("run;primes", folded(r, "calls"))
        with toll.wasm.Recorder(engine, read("lines.wasm"), lines=True) as r:
            store = wasmtime.Store(engine)
            store.set_fuel(12 * 10**5)  # as much as the calls, and writing calls alone, take
            store.set_epoch_deadline(10)
            r.instantiate(store).exports(store)["run"](store, 1)
            self.assertIn(b"calls.c", r.profile())


if __name__ == "__main__":
    unittest.main()
