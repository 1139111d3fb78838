"""profiles.py TOLL DATA LIB - toll.profile, by libtoll.so of LIB, does what the command does: the same sums, the same bytes."""

import gc
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings
from ctypes import c_int64, c_uint32, c_void_p
from pathlib import Path

import toll.native
import toll.profile
from fleet_profiles import write
from toll.profile import Column, TollError

TOLL, DATA, LIB = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])


def command(*args):
    return subprocess.run([TOLL, *map(str, args)], check=True, capture_output=True).stdout


class Profiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_values_are_those_of_the_report(self):
        for path in write(self.folder, 2) + [DATA / "transfer.log", DATA / "example.folded", DATA / "moved_after.speedscope.json"]:
            with toll.profile.read(path) as p:
                for number, column in enumerate(p.columns):
                    report = json.loads(command("report", "--json", "-q", "--value", column.type, path))
                    self.assertEqual(p.columns, [Column(c["type"], c["unit"]) for c in report["columns"]])
                    own, total = {}, {}
                    for _, frames, values in p.stacks():
                        for f in {(f.name, f.file, f.line, f.kind) for f in frames}:
                            total[f] = total.get(f, 0) + values[number]
                        if frames:
                            f = frames[-1][:4]
                            own[f] = own.get(f, 0) + values[number]
                    functions = {(f["name"], f.get("file", ""), f.get("line", 0), f["kind"]): f for f in report["functions"]}
                    self.assertEqual({f: v for f, v in total.items() if v}, {f: r["total"] for f, r in functions.items() if r["total"]})
                    self.assertEqual({f: v for f, v in own.items() if v}, {f: r["self"] for f, r in functions.items() if r["self"]})
                    self.assertEqual(sum(p.nodes().values[number]), report["total"])

    def test_stacks_in_one_call_are_those_node_by_node(self):
        with toll.profile.read(write(self.folder, 1)[0]) as p:
            nodes, library = p.nodes(), toll.native.library()
            library.toll_profile_self.restype = c_int64
            library.toll_profile_self.argtypes = [c_void_p, c_uint32, c_uint32]
            for name in ("parent", "node_frame"):
                getattr(library, f"toll_profile_{name}").restype = c_uint32
                getattr(library, f"toll_profile_{name}").argtypes = [c_void_p, c_uint32]
            self.assertGreater(len(nodes.parents), 100)
            for node in range(len(nodes.parents)):
                self.assertEqual(nodes.parents[node], library.toll_profile_parent(p._open, node))
                self.assertEqual(nodes.frames[node], library.toll_profile_node_frame(p._open, node))
                for column in range(3):
                    self.assertEqual(nodes.values[column][node], library.toll_profile_self(p._open, node, column))
            self.assertEqual([p.threads[nodes.threads[n]] for n, f in enumerate(nodes.frames) if f == toll.profile.NONE],
                             ["main", "worker"])

    def test_a_file_is_written_as_the_command_merges(self):
        paths = write(self.folder, 6)
        command("merge", "-o", self.folder / "command.pb.gz", *paths)
        with toll.profile.merge(paths) as p:
            p.write(self.folder / "ours.pb.gz")
            again = toll.profile.from_bytes(p.to_bytes())
            packed = toll.profile.from_bytes(p.to_bytes(gzip=True))
        self.assertEqual((self.folder / "ours.pb.gz").read_bytes(), (self.folder / "command.pb.gz").read_bytes())
        self.assertEqual(again.to_bytes(), packed.to_bytes())
        again.add(again)
        self.assertEqual(sum(again.nodes().values[1]), 2 * sum(packed.nodes().values[1]))
        with self.assertRaisesRegex(TollError, "there are no profiles to merge"):
            toll.profile.merge([])

    def test_torn_files_are_left_out_as_the_command_does(self):
        paths = write(self.folder, 4)
        torn = self.folder / "torn.pb.gz"
        torn.write_bytes(Path(paths[0]).read_bytes()[:-100])
        command("merge", "-q", "--skip-torn", "-o", self.folder / "command.pb.gz", *paths, torn, torn)
        with self.assertWarnsRegex(UserWarning, "left out: .*torn.pb.gz: ") as caught:
            with toll.profile.merge([torn, *paths, torn], skip_torn=True) as p:
                self.assertEqual(p.notes, {toll.profile.LEFT_OUT: 2})
                p.write(self.folder / "ours.pb.gz")
        self.assertEqual(Path(caught.filename).name, Path(__file__).name)
        self.assertEqual((self.folder / "ours.pb.gz").read_bytes(), (self.folder / "command.pb.gz").read_bytes())
        with self.assertRaisesRegex(TollError, "torn.pb.gz"):
            toll.profile.merge([*paths, torn])
        with self.assertRaisesRegex(TollError, "no-such-file"):
            toll.profile.merge([*paths, "no-such-file"], skip_torn=True)
        with warnings.catch_warnings(), self.assertRaisesRegex(TollError, "all 1 files are torn"):
            warnings.simplefilter("ignore")
            toll.profile.merge([torn], skip_torn=True)

    def test_labels_are_set_as_the_command_does(self):
        path = write(self.folder, 1)[0]
        command("convert", path, "--label", "host=x, y", "--label", "zone=z", "-o", self.folder / "command.pb.gz")
        with toll.profile.read(path) as p, p.with_labels({"host": "x, y", "zone": "z"}) as labelled:
            self.assertEqual(labelled.labels, 2 * [{"commit": "3f2a1c", "host": "x, y", "zone": "z"}])
            labelled.write(self.folder / "ours.pb.gz")
            self.assertEqual(p.with_labels({}).to_bytes(), p.to_bytes())
            for labels, says in (({"thread": "x"}, "thread"), ({"a": "b\nc=d"}, "contains a line break"), ({"a": ""}, "KEY=VALUE")):
                with self.assertRaisesRegex(TollError, says):
                    p.with_labels(labels)
        self.assertEqual((self.folder / "ours.pb.gz").read_bytes(), (self.folder / "command.pb.gz").read_bytes())

    def test_a_sum_has_the_labels_that_are_chosen(self):
        paths = write(self.folder, 20)
        for options, arguments in (
                ({"where": {"host": ["a1", "b2"]}, "by": "commit"}, ["--where", "host=a1", "--where", "host=b2", "--by", "commit"]),
                ({"where": {"host": "a1", "commit": "3f2a1c"}, "by": (key for key in ("host", "thread")),
                  "label": {"day": "1", "zone": ["eu", "us"]}},
                 ["--where", "host=a1", "--where", "commit=3f2a1c", "--by", "host,thread", "--label", "day=1", "--label", "zone=eu",
                  "--label", "zone=us"]),
                ({"by": "thread"}, ["--by", "thread"])):
            command("merge", "-q", *arguments, "-o", self.folder / "command.pb.gz", *paths)
            with toll.profile.merge(paths, **options) as p:
                p.write(self.folder / "ours.pb.gz")
            self.assertEqual((self.folder / "ours.pb.gz").read_bytes(), (self.folder / "command.pb.gz").read_bytes())
        with toll.profile.read(paths[0]) as p:
            self.assertEqual(p.by("host").labels, [{"host": "a1"}])
            self.assertEqual(p.where({"host": "a1", "thread": ["main"]}).threads, ["main"])
        for options, says in (({"by": ""}, "which labels"), ({"by": []}, "which labels"), ({"where": {"": "x"}}, "KEY=VALUE")):
            with self.assertRaisesRegex(TollError, says):
                toll.profile.merge(paths, **options)
        for options, says in (({"by": "host,zone"}, "no thread has the label zone"), ({"where": {"host": "c"}}, "no thread has these")):
            with self.assertWarnsRegex(UserWarning, says) as caught:
                toll.profile.merge(paths, **options).close()
            self.assertEqual(Path(caught.filename).name, Path(__file__).name)

    def test_notes_and_times(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            p = toll.profile.read(DATA / "game.log")
        self.assertIn("game.log:6: no stack, left out", str(caught[0].message))
        self.assertEqual(Path(caught[0].filename).name, Path(__file__).name)
        report = json.loads(command("report", "--json", "-q", DATA / "game.log"))
        self.assertEqual(p.notes, {note["text"]: note["count"] for note in report["notes"]})
        self.assertTrue(p.notes)
        self.assertEqual((p.start_ns, p.duration_ns), (0, 0))

    def test_what_cannot_be_done_is_said(self):
        torn = self.folder / "torn.pb.gz"
        torn.write_bytes(Path(write(self.folder, 1)[0]).read_bytes()[:-200])
        with self.assertRaisesRegex(TollError, "torn.pb.gz") as raised:
            toll.profile.read(torn)
        self.assertIn(raised.exception.status, toll.native.UNSUITABLE)
        with self.assertRaisesRegex(TollError, "no-such-file"):
            toll.profile.read(self.folder / "no-such-file")
        with self.assertRaisesRegex(TollError, "here: the gzip data ends too early"):
            toll.profile.from_bytes(torn.read_bytes(), "here")
        with self.assertRaisesRegex(ValueError, "has a NUL in it"):
            toll.profile.read("a\0b")
        p = toll.profile.read(DATA / "example.folded")
        with self.assertRaisesRegex(TollError, "nonsense"):
            p.write(self.folder / "x", "nonsense")
        self.assertFalse((self.folder / "x").exists())
        p.close()
        p.close()
        for use in (p.nodes, p.stacks, lambda: p.columns, p.to_bytes, lambda: p.add(p)):
            with self.assertRaisesRegex(TollError, "the profile is closed"):
                list(use())

    def test_memory_goes_with_the_profile(self):
        p = toll.profile.read(DATA / "example.folded")
        end = p._end
        self.assertTrue(end.alive)
        del p
        gc.collect()
        self.assertFalse(end.alive)

    def test_a_library_in_the_package_comes_first(self):
        shutil.copytree(LIB / "python/toll", self.folder / "toll")
        shutil.copy(LIB / toll.native.NAME, self.folder / "toll")
        program = f"import toll.profile; print(toll.profile.__file__, toll.profile.read({str(DATA / 'example.folded')!r}).columns)"
        done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(self.folder), "TOLL_LIBRARY": "/no/libtoll.so"})
        self.assertEqual(done.stdout.strip(), f"{self.folder}/toll/profile.py [Column(type='samples', unit='count')]")

    def test_a_library_that_is_missing_or_wrong(self):
        for library, says in (("/no/libtoll.so", "libtoll cannot be loaded: .*set TOLL_LIBRARY"), ("libc.so.6", "is no libtoll 0.1")):
            done = subprocess.run([sys.executable, "-c", "import toll.profile; toll.profile.read('x')"], capture_output=True,
                                  text=True, env={**os.environ, "TOLL_LIBRARY": library})
            self.assertRegex(done.stderr.splitlines()[-1], says)


if __name__ == "__main__":
    os.environ["TOLL_LIBRARY"] = str(LIB / toll.native.NAME)
    unittest.main(argv=sys.argv[:1])
