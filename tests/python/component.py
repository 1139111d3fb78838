"""component.py [TEST...] - toll.wasm.ComponentRecorder in wasmtime: counts by hand, several instances, labels, traps, options, errors."""

import collections
import contextlib
import json
import pathlib
import tempfile
import time
import unittest

import toll.wasm
import wasmtime
from wasmtime import component

ENGINE = wasmtime.Engine()

# Two modules, of which one allocates; run() costs 3 + 2 * (5 + malloc's 2) ticks.
PROGRAM = """(component
  (core module $a
    (memory (export "memory") 1)
    (func $malloc (export "malloc") (param i32) (result i32) i32.const 64)
    (func (export "fail") unreachable))
  (core module $b
    (import "a" "malloc" (func $malloc (param i32) (result i32)))
    (import "a" "fail" (func $fail))
    (func $leaf
      i32.const 24
      call $malloc
      drop
      nop)
    (func (export "run")
      call $leaf
      call $leaf)
    (func (export "broken")
      call $fail))
  (core instance $ia (instantiate $a))
  (core instance $ib (instantiate $b (with "a" (instance $ia))))
  (func (export "run") (canon lift (core func $ib "run")))
  (func (export "broken") (canon lift (core func $ib "broken"))))"""
BYTES = bytes(wasmtime.wat2wasm(PROGRAM))


# What an engine calls while a component must not call out: realloc for a text that run() gets, and for one that its import
# returns; post-return. All work, as run() does, long enough that the clock would be read.
TIMED = """(component
  (import "wait" (func $wait (result string)))
  (import "wasi:clocks/monotonic-clock@0.2.0" (instance $clock (export "now" (func (result u64)))))
  (core module $memory
    (memory (export "memory") 300)
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (call $spin) i32.const 1024)
    (func $step (param i32) (result i32) (i32.sub (local.get 0) (i32.const 1)))
    (func $spin (export "spin") (local $n i32)
      (local.set $n (i32.const 5000))
      (loop $again (br_if $again (local.tee $n (call $step (local.get $n)))))))
  (core instance $m (instantiate $memory))
  (alias core export $m "memory" (core memory $memory))
  (alias core export $m "realloc" (core func $realloc))
  (core func $wait-core (canon lower (func $wait) (memory $memory) (realloc $realloc)))
  (core module $program
    (import "host" "wait" (func $wait (param i32)))
    (import "memory" "memory" (memory 1))
    (import "memory" "spin" (func $spin))
    (func $copy (memory.copy (i32.const 100000) (i32.const 9000000) (i32.const 8000000)))
    (func (export "copies") (call $spin) (call $copy) (call $copy) (call $copy))
    (func (export "run") (param i32 i32) (result i32)
      (call $spin)
      (call $wait (i32.const 32))
      (call $spin)
      i32.const 32)
    (func (export "free") (param i32) (call $spin)))
  (core instance $p (instantiate $program (with "memory" (instance $m)) (with "host" (instance (export "wait" (func $wait-core))))))
  (alias core export $p "free" (core func $free))
  (func (export "run") (param "text" string) (result string)
    (canon lift (core func $p "run") (memory $memory) (realloc $realloc) (post-return $free)))
  (func (export "copies") (canon lift (core func $p "copies"))))"""


def begun_timed(nanoseconds, waited=lambda: None, **options):
    """TIMED, with a clock of its own; and how often that was called."""
    recorder = toll.wasm.ComponentRecorder(ENGINE, bytes(wasmtime.wat2wasm(TIMED)), **options)
    linker, store, readings = component.Linker(ENGINE), wasmtime.Store(ENGINE), []
    with linker.root() as root:
        root.add_func("wait", lambda _: waited() or "waited")
        for name in ["wasi:clocks/monotonic-clock@0.2.0", "wasi:clocks/monotonic-clock@0.2.1"]:  # of which the component has one
            with root.add_instance(name) as clock:
                clock.add_func("now", lambda _: readings.append(1) or nanoseconds())
    return recorder, store, recorder.instantiate(store, linker), readings


def run_timed(store, instance):
    function = instance.get_func(store, "run")
    result = function(store, "a text")
    function.post_return(store)
    return result


def begun(recorder):
    store = wasmtime.Store(ENGINE)
    return store, recorder.instantiate(store, component.Linker(ENGINE))


def call(store, instance, name="run"):
    function = instance.get_func(store, name)
    function(store)
    function.post_return(store)


def costs(recorder, value):
    """Self values by name. A function that another module imports is called twice: there, and in its own."""
    found = collections.Counter()
    for f in recorder.summary(value=value)["functions"]:
        found[f["name"]] += f["self"]
    return dict(found)


def with_section(component, wanted, content):
    """The component with this content of its first section of a kind: a core module (1), a component (4)."""
    def number(at):
        value = shift = 0
        while True:
            byte = component[at]
            value |= (byte & 127) << shift
            at, shift = at + 1, shift + 7
            if byte < 128:
                return value, at
    at = 8
    while True:
        size, begin = number(at + 1)
        if component[at] == wanted:
            header = bytes([wanted, len(content) & 127 | 128, len(content) >> 7 & 127 | 128, len(content) >> 14])
            return component[:at] + header + content + component[begin + size:]
        at = begin + size


class Components(unittest.TestCase):
    def test_counts(self):
        r = toll.wasm.ComponentRecorder(ENGINE, BYTES)
        first, second = begun(r), begun(r)
        call(*first)
        self.assertEqual(costs(r, "ticks"), {"run": 3, "leaf": 10, "malloc": 4})
        call(*first)
        call(*second)
        for _ in range(2):  # a profile changes nothing
            self.assertEqual(costs(r, "ticks"), {"run": 9, "leaf": 30, "malloc": 12})
            self.assertEqual(costs(r, "calls"), {"run": 3, "leaf": 6, "malloc": 12})
        self.assertEqual(r.profile(format="folded", value="calls").decode().splitlines()[-3:],
                         ["run;leaf 6", "run;leaf;malloc #2 6", "run;leaf;malloc #2;malloc 6"])

    def test_time_is_not_read_where_a_component_must_not_call_out(self):
        """It would be a trap. Calls and ticks are those of a run without time."""
        recorder, store, instance, readings = begun_timed(time.perf_counter_ns, time=True)
        plain = begun_timed(time.perf_counter_ns)
        for _ in range(20):
            for each in [(store, instance), plain[1:3]]:
                self.assertEqual(run_timed(*each), "waited")
        self.assertGreater(len(readings), 20 * 4)  # at the begin and the end of run() and of wait()
        self.assertEqual(len(plain[3]), 0)
        for value in ["calls", "ticks"]:
            self.assertEqual(costs(recorder, value), costs(plain[0], value))
        self.assertEqual(costs(recorder, "calls")["realloc"], 2 * 20)
        self.assertEqual(costs(recorder, "calls")["free"], 20)
        notes = {n["text"]: n["count"] for n in recorder.summary()["notes"]}
        own = notes["nanoseconds that the profiler took, about; not in the time"]
        self.assertEqual(sum(costs(recorder, "time").values()) + own, notes["nanoseconds that the samples represent"])
        self.assertGreater(costs(recorder, "time")["step"] + costs(recorder, "time")["spin"], 0)

    def test_time_of_the_host(self):
        """A clock that moves only in the host: in a function that it calls, and between the calls of the component."""
        now = [1000]

        def wait(ns):
            now[0] += ns

        recorder, store, instance, _ = begun_timed(lambda: now[0], lambda: wait(10**9), time=True)
        for _ in range(3):
            run_timed(store, instance)
            wait(10**12)
        self.assertEqual({name: ns for name, ns in costs(recorder, "time").items() if ns}, {"wait": 3 * 10**9})

    def test_time_of_long_instructions(self):
        recorder, store, instance, _ = begun_timed(time.perf_counter_ns, time=True)
        for _ in range(10):
            call(store, instance, "copies")
        ticks, ns = costs(recorder, "ticks"), costs(recorder, "time")
        self.assertLess(ticks["copy"], sum(ticks.values()) / 100)
        self.assertGreater(ns["copy"], sum(ns.values()) / 10)

    def test_ended_instances_have_labels(self):
        r = toll.wasm.ComponentRecorder(ENGINE, BYTES, labels="commit=1,path=none")
        for path in ["/a", "/b", "/a"]:
            store, instance = begun(r)
            call(store, instance)
            r.end(store, instance, labels=f"path={path}")
        self.assertEqual(costs(r, "calls"), {"run": 3, "leaf": 6, "malloc": 12})
        titles = {p["name"] for p in json.loads(r.profile(format="speedscope"))["profiles"]}
        for path in ["/a", "/b"]:
            self.assertIn(f"main {{commit=1, path={path}}}: ticks", titles)

    def test_a_trap_loses_that_instance(self):
        r = toll.wasm.ComponentRecorder(ENGINE, BYTES)
        good, bad, ended = begun(r), begun(r), begun(r)
        for each in (good, bad, ended):
            call(*each)
        for each in (bad, ended):
            with self.assertRaises(wasmtime.WasmtimeError):
                call(*each, name="broken")
        r.end(*ended)
        self.assertEqual(costs(r, "calls"), {"run": 1, "leaf": 2, "malloc": 4})
        notes = {note["text"]: note["count"] for note in r.summary()["notes"]}
        self.assertEqual(notes["instances that trapped or exited: what they recorded is lost"], 2)

    def test_options(self):
        def of(value, **options):
            r = toll.wasm.ComponentRecorder(ENGINE, BYTES, **options)
            call(*begun(r))
            return costs(r, value)

        self.assertEqual(of("calls", ticks=False), {"run": 1, "leaf": 2, "malloc": 4})
        self.assertEqual(of("ticks", costs="fuel"), {"run": 3, "leaf": 6, "malloc": 4})
        self.assertEqual(of("ticks", skip="leaf"), {"run": 13, "malloc": 4})
        self.assertEqual(of("ticks", only="run"), {"run": 17})
        self.assertEqual(of("ticks", depth=2), {"run": 3, "leaf": 14})
        self.assertEqual(of("executions", lines=True), {"run": 3, "leaf": 4, "malloc": 2})  # a block ends at a call
        self.assertEqual(of("alloc_space", heap=True), {"run": 0, "leaf": 0, "malloc": 48})

    def test_lines(self):
        """Ticks of lines are ticks; each profile has all executions, of all instances, and of the instances of a module."""
        for options in [{"lines": True}, {"call_lines": True}, {"lines": True, "calls": False}, {"lines": True, "ticks": False}]:
            r = toll.wasm.ComponentRecorder(ENGINE, BYTES, **options)
            value = "line ticks" if options.get("calls", True) and options.get("ticks", True) else "ticks"
            first, second = begun(r), begun(r)
            call(*first)
            self.assertEqual(costs(r, value), {"run": 3, "leaf": 10, "malloc": 4})
            call(*first)
            call(*second)
            r.end(*second)
            for _ in range(2):
                self.assertEqual(costs(r, value), {"run": 9, "leaf": 30, "malloc": 12}, options)

    def test_lines_of_many_blocks_in_two_instances(self):
        turns = 150  # blocks: more than two pages of counters
        r = toll.wasm.ComponentRecorder(ENGINE, bytes(wasmtime.wat2wasm(f"""(component
          (core module $m (func (export "run") (param i32) (result i32)
            {"(if (i32.eqz (local.get 0)) (then nop))" * turns} local.get 0))
          (core instance $a (instantiate $m))
          (core instance $b (instantiate $m))
          (func (export "a") (param "n" u32) (result u32) (canon lift (core func $a "run")))
          (func (export "b") (param "n" u32) (result u32) (canon lift (core func $b "run"))))""")), lines=True)
        store, instance = begun(r)
        for name, argument in [("a", 0), ("b", 1), ("b", 2)]:
            function = instance.get_func(store, name)
            function(store, argument)
            function.post_return(store)
        self.assertEqual(costs(r, "line ticks"), costs(r, "ticks"))
        self.assertEqual(costs(r, "executions"), {"run": 3 * (turns + 1) + turns})

    def test_lines_of_debug_information(self):
        """Of components in it, too: files, lines and inlined functions are those of the module alone."""
        module = pathlib.Path("lines.wasm").read_bytes()
        lifted = """(component (core module $m (func (export "run") (param i32) (result i32) local.get 0)) (core instance $i (instantiate $m))
          (func (export "f") (param "n" u32) (result u32) (canon lift (core func $i "run"))))"""
        around = f"""(component {lifted.replace("(component", "(component $c", 1)} (instance $x (instantiate $c))
          (alias export $x "f" (func $f)) (export "f" (func $f)))"""
        component = with_section(bytes(wasmtime.wat2wasm(lifted)), 1, module)
        alone = toll.wasm.Recorder(ENGINE, module, lines=True, inlines=True, name="lines.wasm")
        store = wasmtime.Store(ENGINE)
        alone.instantiate(store).exports(store)["run"](store, 50)
        for each in [component, with_section(bytes(wasmtime.wat2wasm(around)), 4, component)]:
            r = toll.wasm.ComponentRecorder(ENGINE, each, lines=True, inlines=True, name="lines.wasm")
            store, instance = begun(r)
            function = instance.get_func(store, "f")
            function(store, 50)
            function.post_return(store)
            for value in ["calls", "ticks", "executions", "line ticks"]:
                folded = r.profile(format="folded", value=value)
                self.assertEqual(folded, alone.profile(format="folded", value=value))
            self.assertIn(b"fill;step;mix ", folded)
            self.assertIn(b"calls.c", r.profile(format="callgrind", value="line ticks"))

    def test_an_engine_that_counts_fuel(self):
        config = wasmtime.Config()
        config.consume_fuel = True
        engine = wasmtime.Engine(config)
        r = toll.wasm.ComponentRecorder(engine, BYTES)
        store = wasmtime.Store(engine)
        store.set_fuel(10**6)
        instance = r.instantiate(store, component.Linker(engine))
        store.set_fuel(50000)  # less than reading a profile takes
        call(store, instance)
        left = store.get_fuel()
        self.assertEqual(costs(r, "calls"), {"run": 1, "leaf": 2, "malloc": 4})
        self.assertEqual(store.get_fuel(), left)

    def test_components_in_it(self):
        def text(depth):
            inner = """(core module $m (func (export "f") nop)) (core instance $i (instantiate $m))
                       (func (export "f") (canon lift (core func $i "f")))"""
            for _ in range(depth):
                inner = f"""(component $c {inner}) (instance $x (instantiate $c))
                            (alias export $x "f" (func $f)) (export "f" (func $f))"""
            return f"(component {inner})"

        for depth in [0, 1, 2, 30]:
            r = toll.wasm.ComponentRecorder(ENGINE, bytes(wasmtime.wat2wasm(text(depth))))
            call(*begun(r), name="f")
            self.assertEqual(costs(r, "ticks"), {"f": 2})
        with self.assertRaisesRegex(toll.wasm.TollError, "more than 30 components"):
            toll.wasm.ComponentRecorder(ENGINE, bytes(wasmtime.wat2wasm(text(31))))

    def test_several_components_share_the_recorder(self):
        each = """(component $c{0} (core module $m (func (export "f") nop)) (core instance $i (instantiate $m))
                    (func (export "f") (canon lift (core func $i "f"))))
                  (instance $x{0} (instantiate $c{0})) (alias export $x{0} "f" (func $f{0})) (export "f{0}" (func $f{0}))"""
        r = toll.wasm.ComponentRecorder(ENGINE, bytes(wasmtime.wat2wasm(f"(component {' '.join(map(each.format, range(5)))})")))
        store, instance = begun(r)
        for i in [0, 3, 3, 4]:
            call(store, instance, f"f{i}")
        self.assertEqual(costs(r, "calls"), {"f": 4})

    def test_what_is_lost_is_in_the_notes(self):
        r = toll.wasm.ComponentRecorder(ENGINE, bytes(wasmtime.wat2wasm("""(component
          (component $inner (core module $m (func (export "f"))) (core instance $i (instantiate $m))
            (func (export "f") (canon lift (core func $i "f"))))
          (component $user (import "c" (component $c (export "f" (func)))) (instance $i (instantiate $c))
            (alias export $i "f" (func $f)) (export "f" (func $f)))
          (instance $u (instantiate $user (with "c" (component $inner))))
          (core module $m (func (export "g")))
          (core instance $i (instantiate $m))
          (func (export "g") (canon lift (core func $i "g")))
          (alias export $u "f" (func $f))
          (export "f" (func $f)))""")))
        store, instance = begun(r)
        call(store, instance, "f")
        call(store, instance, "g")
        self.assertEqual(costs(r, "calls"), {"g": 1})
        self.assertEqual([n["text"] for n in r.summary()["notes"]], ["components in it whose profiles cannot be read"])

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "app.wasm")
            path.write_bytes(BYTES)
            r = toll.wasm.ComponentRecorder(ENGINE, path)
            call(*begun(r))
            r.profile(pathlib.Path(folder, "p.pb.gz"))
            self.assertEqual(pathlib.Path(folder, "p.pb.gz").read_bytes()[:2], b"\x1f\x8b")
            self.assertIn(b"app.core2.wasm", r.profile())

    def test_what_is_refused(self):
        def refused(text, code=BYTES, error=toll.wasm.TollError, **options):
            with self.assertRaisesRegex(error, text):
                toll.wasm.ComponentRecorder(ENGINE, code, **options)

        refused("is no component", code=bytes(wasmtime.wat2wasm("(module)")))
        refused("is no component", code=b"")
        refused("no core module", code=bytes(wasmtime.wat2wasm("(component)")))
        refused("label", labels="host")
        refused("depth", depth=-1, error=ValueError)
        refused("needs its calls and ticks", time=True, ticks=False)
        refused("needs its calls and ticks", time=True, calls=False, lines=True)
        refused("no clock can be given", time=True, code=bytes(wasmtime.wat2wasm(
            """(component (component (core module (func (export "f")))))""")))
        refused("by a core module that it imports", time=True, code=bytes(wasmtime.wat2wasm("""(component
            (import "m" (core module $m (export "realloc" (func (param i32 i32 i32 i32) (result i32))) (export "memory" (memory 1))))
            (core instance $i (instantiate $m))
            (core module $f (func (export "f") (param i32 i32)))
            (core instance $p (instantiate $f))
            (alias core export $i "realloc" (core func $realloc))
            (alias core export $i "memory" (core memory $memory))
            (func (export "f") (param "s" string) (canon lift (core func $p "f") (memory $memory) (realloc $realloc))))""")))
        refused("costs of pvm", costs="pvm")
        for size in range(8, len(BYTES), 13):
            with contextlib.suppress(toll.wasm.TollError, wasmtime.WasmtimeError):
                toll.wasm.ComponentRecorder(ENGINE, BYTES[:size])
        r = toll.wasm.ComponentRecorder(ENGINE, BYTES)
        with self.assertRaisesRegex(toll.wasm.TollError, "nothing was recorded"):
            r.profile()
        store, instance = begun(r)
        with self.assertRaisesRegex(toll.wasm.TollError, "no order"):
            r.profile(in_order=True)
        with self.assertRaisesRegex(toll.wasm.TollError, "label"):
            r.end(store, instance, labels="host")
        r.end(store, instance)
        with self.assertRaisesRegex(toll.wasm.TollError, "has ended already"):
            r.end(store, instance)
        with self.assertRaisesRegex(toll.wasm.TollError, "another component"):
            r.end(store, component.Linker(ENGINE).instantiate(store, component.Component(ENGINE, BYTES)))


if __name__ == "__main__":
    unittest.main()
