"""export.py TOLL SOURCE LIB [COUNT] - toll.export of COUNT profiles: what docs/fleet.md says, run as it stands there, has the
sums of `toll report`. chdb is asked where it is installed."""

import glob
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path
from unittest import mock

import duckdb
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq

import toll
import toll.native
import toll.tables
from fleet_profiles import COMMITS, HOSTS, write
from plain_tables import Tables

TOLL, SOURCE, LIB = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
COUNT = int(sys.argv[4]) if len(sys.argv) > 4 else 200
DATA = SOURCE / "tests/cli/data"
PAGE = (SOURCE / "docs/fleet.md").read_text()


def documented(language, begins):
    """The block of docs/fleet.md in that language that begins so."""
    return next(b for b in re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.S | re.M) if b.startswith(begins))


def report(*args):
    done = subprocess.run([TOLL, "report", "--json", "-q", *map(str, args)], check=True, capture_output=True)
    return json.loads(done.stdout)


def rows(folder, name):
    return pq.read_table(Path(folder) / f"{name}.parquet").to_pylist()


class Fleet(unittest.TestCase):
    """The commands of the page, in a folder with profiles/COMMIT/HOST-NUMBER.pb.gz."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        before = os.getcwd()
        cls.addClassCleanup(os.chdir, before)
        os.chdir(cls.folder.name)
        cls.paths = write("profiles", COUNT)
        exec(documented("python", "import glob, toll"), {})
        cls.reports = {}
        for commit in COMMITS:
            subprocess.run([TOLL, "merge", "-q", "-o", f"{commit}.pb.gz", *glob.glob(f"profiles/{commit}/*")], check=True)
            cls.reports[commit] = report("--value", "ticks", f"{commit}.pb.gz")

    def compare(self, answer):
        """An answer to: which functions grew?"""
        before, after = ({(f["name"], f["file"], f["line"], f["kind"]): f for f in self.reports[c]["functions"]} for c in COMMITS)
        expected = {}
        for function in {**before, **after}:
            totals = [part.get(function, {"total": 0})["total"] for part in (before, after)]
            expected[function] = (*totals, after.get(function, {"self": 0})["self"], totals[1] - totals[0])
        self.assertEqual({row[:4]: row[4:] for row in answer}, expected)
        self.assertEqual(len(answer), len(expected))
        self.assertEqual([row[0] for row in answer[:2]], ["index", "parse"])
        self.assertEqual([row[7] for row in answer], sorted((row[7] for row in answer), reverse=True))

    def test_duckdb_tells_what_grew(self):
        self.compare(duckdb.sql(documented("sql", "-- DuckDB")).fetchall())

    @unittest.skipUnless(importlib.util.find_spec("chdb"), "there is no chdb: scripts/nightly spark has it")
    def test_chdb_tells_what_grew(self):
        import chdb
        answer = json.loads(str(chdb.query(documented("sql", "-- chdb"), "JSONCompactStrings")))["data"]
        self.compare([(row[0], row[1], int(row[2]), row[3], *map(int, row[4:])) for row in answer])

    def test_the_sum_of_all_files_tells_the_same(self):
        subprocess.run([TOLL, "merge", "-q", "-o", "all.pb.gz", "profiles"], check=True)
        toll.export(["all.pb.gz"], "sums")
        self.compare(duckdb.sql(documented("sql", "-- DuckDB").replace("tables/", "sums/")).fetchall())

    def test_names_and_files_alone_tell_the_same_where_nothing_has_moved(self):
        query = documented("sql", "-- DuckDB").replace("frames", "list_transform(frames, lambda f: {'name': f.name, 'file': f.file})")
        query = query.replace("f.line, f.kind,", "").replace("name, file, line, kind", "name, file")
        whole = duckdb.sql(documented("sql", "-- DuckDB")).fetchall()
        self.assertEqual(duckdb.sql(query).fetchall(), [(*row[:2], *row[4:]) for row in whole])

    def compare_hosts(self, answer):
        self.assertEqual(len(answer), len(HOSTS) * len(COMMITS))
        for host, commit, runs, ticks, of_a_run in answer:
            paths = glob.glob(f"profiles/{commit}/{host}-*")
            expected = report("--value", "ticks", "--where", f"host={host}", f"{commit}.pb.gz")["total"]
            self.assertEqual((runs, ticks, of_a_run), (len(paths), expected, expected // len(paths)))

    def test_duckdb_tells_what_hosts_cost(self):
        self.compare_hosts(duckdb.sql(documented("sql", "-- hosts, DuckDB")).fetchall())

    @unittest.skipUnless(importlib.util.find_spec("chdb"), "there is no chdb: scripts/nightly spark has it")
    def test_chdb_tells_what_hosts_cost(self):
        import chdb
        answer = json.loads(str(chdb.query(documented("sql", "-- hosts, chdb"), "JSONCompactStrings")))["data"]
        self.compare_hosts([(row[0], row[1], *map(int, row[2:])) for row in answer])

    def test_each_profile_has_its_sums(self):
        sums = duckdb.sql("""SELECT profile, "column", unit, sum(value), labels['commit'] FROM 'tables/samples.parquet' GROUP BY ALL""").fetchall()
        self.assertEqual(len(sums), 3 * COUNT)
        sums = {row[:3]: row[3:] for row in sums}
        for path in self.paths[:6]:
            for column, unit in (("calls", "count"), ("ticks", "count"), ("time", "nanoseconds")):
                self.assertEqual(sums[path, column, unit], (report("--value", column, path)["total"], path.split("/")[1]))
        self.assertEqual([row["profile"] for row in rows("tables", "profiles")], glob.glob("profiles/*/*.pb.gz"))

    def test_ids_are_what_the_page_says(self):
        def number(data):
            return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little", signed=True)
        functions = {f["function_id"]: f for f in rows("tables", "functions")}
        for own, f in functions.items():
            self.assertEqual(own, number("\0".join((f["name"], f["file"], str(f["line"]), f["kind"])).encode()))
        stacks = rows("tables", "stacks")
        self.assertEqual(len({s["stack_id"] for s in stacks}), len(stacks))
        for stack in stacks:
            own = 0
            for frame in stack["frames"]:
                self.assertEqual(frame, functions[frame["function_id"]])
                own = number(b"".join(part.to_bytes(8, "little", signed=True) for part in (frame["function_id"], own)))
            self.assertEqual(stack["stack_id"], own)
        used = duckdb.sql("SELECT DISTINCT stack_id FROM 'tables/samples.parquet'").fetchall()
        self.assertEqual({own for own, in used}, {s["stack_id"] for s in stacks})


@unittest.skipUnless(shutil.which("lua"), "there is no Lua")
class EndToEnd(unittest.TestCase):
    """What the page says from end to end: machines, the night, the day."""

    def test_the_page(self):
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            commands = Path("commands")
            commands.mkdir()
            (commands / "toll").symlink_to(TOLL)
            path = f"{Path.cwd() / commands}:{os.environ['PATH']}"
            self.script(commands / "date", "echo 2026-11-23")
            source = (SOURCE / "examples/nqueens.lua").read_text()
            for host in "ab":
                self.script(commands / "hostname", f"echo {host}")
                for commit, text in (("3f2a1c", source), ("9be07d", source.replace("columns[r]", "math.abs(columns[r])"))):
                    Path("nqueens.lua").write_text(text)
                    Path("COMMIT").write_text(f"{commit}\n")
                    self.run_script(documented("sh", "# machine"), path, 0)
            Path("profiles/2026-11-23/torn.pb.gz").write_bytes(b"\x1f\x8b")
            said = self.run_script(documented("sh", "# night"), path, 3)
            self.assertIn("--fail-over 1% allows", said)
            with mock.patch("builtins.print") as printed:
                exec(documented("python", "# day"), {})
            answer = printed.call_args.args[0].fetchall()
            self.assertEqual([row[:2] for row in answer], [(h, c) for h in "ab" for c in COMMITS])
            for commit, name in zip(COMMITS, ("before.pb.gz", "after.pb.gz")):
                ticks = report("--value", "ticks", name)["total"]
                self.assertEqual([2 * row[2] for row in answer if row[1] == commit], [ticks, ticks])

    @staticmethod
    def script(path, line):
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)

    def run_script(self, text, path, status):
        done = subprocess.run(["sh", "-c", text], env={**os.environ, "PATH": path}, capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr


class Export(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.paths = write(self.folder / "profiles", 12)

    def test_the_order_of_files_and_the_size_of_row_groups_do_not_show(self):
        counts = toll.export(self.paths, self.folder / "a")
        with mock.patch.object(toll.tables, "ROWS", 100), mock.patch.object(toll.tables, "FRAMES", 50):
            self.assertEqual(toll.export(self.paths[::-1], self.folder / "b"), counts)
        self.assertGreater(pq.ParquetFile(self.folder / "b/samples.parquet").num_row_groups, 5)
        self.assertGreater(pq.ParquetFile(self.folder / "b/stacks.parquet").num_row_groups, 5)
        for name, count in counts.items():
            a, b = (sorted(map(repr, rows(self.folder / which, name))) for which in "ab")
            self.assertEqual(a, b)
            self.assertEqual(len(a), count)

    def test_several_exports_are_asked_as_one(self):
        sums = """SELECT f.name, f.line, sum(value) FROM '{0}/samples.parquet' JOIN
            (SELECT stack_id, unnest(list_distinct(frames)) AS f FROM (SELECT DISTINCT * FROM '{0}/stacks.parquet'))
            USING (stack_id) WHERE "column" = 'ticks' GROUP BY ALL ORDER BY ALL"""
        for folder, paths in (("all", self.paths), ("parts/a", self.paths[:5]), ("parts/b", self.paths[5:])):
            toll.export(paths, self.folder / folder)
        whole, parts = (duckdb.sql(sums.format(self.folder / which)).fetchall() for which in ("all", "parts/*"))
        self.assertEqual(parts, whole)
        self.assertGreater(len(whole), 20)

    def test_arrow_holds_what_parquet_holds(self):
        for format in ("arrow", "parquet"):
            toll.export(self.paths, self.folder, labels=lambda path: {"z": path, "a": ""}, format=format)
        for name in ("profiles", "samples", "stacks", "functions"):
            with pa.ipc.open_file(str(self.folder / f"{name}.arrow")) as file:
                self.assertEqual(file.read_all().to_pylist(), rows(self.folder, name))
        labels = {"a": "", "commit": COMMITS[0], "host": HOSTS[0], "z": self.paths[0]}
        self.assertEqual(rows(self.folder, "samples")[0]["labels"], sorted(labels.items()))

    def test_labels_are_those_of_the_file_and_of_the_caller(self):
        for host, value in ("a", 1), ("b", 2):
            (self.folder / "in.folded").write_text(f"f {value}\n")
            subprocess.run([TOLL, "convert", self.folder / "in.folded", "-o", self.folder / f"{host}.pb.gz", "--label", f"host={host}",
                            "--label", "commit=1", "--label", "test=x", "--label", "test=y"], check=True)
        both = self.folder / "both.pb.gz"
        subprocess.run([TOLL, "merge", self.folder / "a.pb.gz", self.folder / "b.pb.gz", "-o", both], check=True)
        toll.export([both, self.folder / "a.pb.gz"], self.folder, labels=lambda path: {"commit": "2", "zone": "z"})
        common = [("commit", "2"), ("test", "x,y"), ("zone", "z")]
        self.assertEqual([sorted(row["labels"]) for row in rows(self.folder, "profiles")], [common, sorted([*common, ("host", "a")])])
        found = sorted((sorted(row["labels"]), row["value"]) for row in rows(self.folder, "samples"))
        one, two = (sorted([*common, ("host", host)]) for host in "ab")
        self.assertEqual(found, [(one, 1), (one, 1), (two, 2)])

    def test_lines_kinds_notes_and_what_was_outside(self):
        (self.folder / "outside.folded").write_text("(outside) 5\na;b 7\n")
        (self.folder / "lines.pb").write_bytes(with_lines())
        for path in (self.folder / "outside.folded", self.folder / "lines.pb", DATA / "transfer.log", DATA / "game.log"):
            with self.subTest(path=path), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                toll.export([path], self.folder)
                expected = report(path)
                stacks = {s["stack_id"]: s["frames"] for s in rows(self.folder, "stacks")}
                own, whole = {}, 0
                for sample in rows(self.folder, "samples"):
                    if sample["column"] == expected["value"]:
                        whole += sample["value"]
                        frames = stacks[sample["stack_id"]]
                        key = tuple(frames[-1].values())[1:] if frames else None
                        own[key] = own.get(key, 0) + sample["value"]
                outside = own.pop(None, 0)
                self.assertEqual(whole, expected["total"])
                self.assertEqual(outside, 5 if path.suffix == ".folded" else 0)
                self.assertEqual(own, {(f["name"], f.get("file", ""), f.get("line", 0), f["kind"]): f["self"]
                                       for f in expected["functions"] if f["self"] and f["name"] != "(outside)"})
                self.assertEqual(dict(rows(self.folder, "profiles")[0]["notes"]), {n["text"]: n["count"] for n in expected["notes"]})

    def test_a_torn_file_changes_nothing(self):
        toll.export(self.paths[:1], self.folder / "out")
        before = {p.name: p.read_bytes() for p in (self.folder / "out").iterdir()}
        torn = self.folder / "torn.pb.gz"
        torn.write_bytes(Path(self.paths[0]).read_bytes()[:-100])
        with mock.patch.object(toll.tables, "ROWS", 100), self.assertRaisesRegex(toll.TollError, "torn.pb.gz"):
            toll.export([*self.paths, torn], self.folder / "out")
        self.assertEqual({p.name: p.read_bytes() for p in (self.folder / "out").iterdir()}, before)

    def test_a_torn_file_is_left_out_and_counted(self):
        torn = self.folder / "torn.pb.gz"
        torn.write_bytes(Path(self.paths[0]).read_bytes()[:-100])
        with self.assertWarnsRegex(UserWarning, "left out: .*torn.pb.gz: "):
            toll.export([self.paths[0], torn, self.paths[1]], self.folder / "out", labels=lambda path: {"zone": "z"}, skip_torn=True)
        self.assertEqual([dict(row["notes"]) for row in rows(self.folder / "out", "profiles")], [{}, {toll.profile.LEFT_OUT: 1}, {}])
        self.assertEqual(rows(self.folder / "out", "profiles")[1]["labels"], [("zone", "z")])
        toll.export(self.paths[:2], self.folder / "whole", labels=lambda path: {"zone": "z"})
        self.assertEqual(rows(self.folder / "out", "samples"), rows(self.folder / "whole", "samples"))
        with self.assertRaisesRegex(toll.TollError, "no-such-file"):
            toll.export([self.paths[0], self.folder / "no-such-file"], self.folder / "out", skip_torn=True)

    def test_rows_are_those_of_a_plain_program(self):
        files = [*DATA.rglob("*"), *(SOURCE / "fuzz").glob("corpus/*/*"), *(SOURCE / "fuzz").glob("found/*/*")]
        data = [path for path in sorted(files) if path.is_file() and is_profile(path)]
        self.assertGreater(len(data), 50)
        (self.folder / "lines.pb").write_bytes(with_lines())
        paths = [*self.paths, *data, self.folder / "lines.pb"]
        for labels in (lambda path: {}, lambda path: {"zone": "z", "host": path[-9:], "a": ""}):
            plain = Tables()
            with warnings.catch_warnings(), mock.patch.object(toll.tables, "ROWS", 1000):
                warnings.simplefilter("ignore")
                for path in paths:
                    plain.add(path, labels(str(path)))
                toll.export(paths, self.folder / "out", labels=labels)
            for name, expected in plain.rows().items():
                self.assertEqual(rows(self.folder / "out", name), expected)

    def test_units_of_bytes_and_time_are_one_each(self):
        for name, unit, value in (("a", "bytes", 7), ("b", "kB", 7), ("c", "KiB", 7), ("d", "kilobytes", 7), ("e", "seconds", -2)):
            write_values(self.folder / name, [("size", unit, value)])
        paths = [self.folder / name for name in "abcde"]
        toll.export(paths, self.folder)
        self.assertEqual([(row["unit"], row["value"]) for row in rows(self.folder, "samples")],
                         [("bytes", 7), ("bytes", 7000), ("bytes", 7168), ("kilobytes", 7), ("nanoseconds", -2 * 10**9)])
        largest = (2**63 - 1) // 1000
        for value, fits in ((largest, True), (largest + 1, False), (-largest, True), (-largest - 1, False)):
            write_values(self.folder / "f", [("size", "kB", value)])
            if fits:
                toll.export([self.folder / "f"], self.folder)
                self.assertEqual(rows(self.folder, "samples")[0]["value"], 1000 * value)
            else:
                with self.assertRaisesRegex(toll.TollError, f"/f: {value} kB of size do not fit 64 bits as bytes"):
                    toll.export([self.folder / "f"], self.folder)
        write_values(self.folder / "g", [("size", "kB", 1), ("size", "bytes", 1)])
        with self.assertRaisesRegex(toll.TollError, "/g: has size in kB and in bytes"):
            toll.export([self.folder / "g"], self.folder)

    def test_what_is_no_text_is_refused(self):
        path = os.fsdecode(os.fsencode(self.folder) + b"/\xff.pb.gz")
        shutil.copy(self.paths[0], path)
        for given in path, os.fsencode(path):
            with self.assertRaisesRegex(toll.TollError, "the path is not UTF-8"):
                toll.export([given], self.folder / "out")
        for label in ({"a": 1}, {1: "a"}, {"a": None}, {"a": b"a"}, {"a": "\udcff"}, {"a": "x\0y"}):
            with self.assertRaisesRegex(toll.TollError, "is not of texts"):
                toll.export(self.paths[:1], self.folder / "out", labels=lambda path: label)
        with self.assertRaisesRegex(toll.TollError, "takes a list of paths"):
            toll.export(self.paths[0], self.folder / "t")
        with self.assertRaisesRegex(toll.TollError, "tables cannot be written there"):
            toll.export(self.paths, self.paths[0])
        with self.assertRaisesRegex(toll.TollError, "must return a dict"):
            toll.export(self.paths[:1], self.folder / "out", labels=lambda path: None)
        self.assertEqual(list((self.folder / "out").iterdir()), [])
        toll.export(map(os.fsencode, self.paths[:1]), self.folder / "out")
        self.assertEqual(rows(self.folder / "out", "profiles")[0]["profile"], self.paths[0])

    def test_tables_appear_together(self):
        """A failure of any step that gives a name leaves what was there, also where nothing was."""
        out = self.folder / "out"
        for before in ({}, {"profiles.parquet": b"old", "samples.parquet": b"old", "stacks.parquet": b"old"}):
            for step in ("put_aside", "commit"):
                for name in toll.tables.NAMES:
                    out.mkdir()
                    for file, content in before.items():
                        (out / file).write_bytes(content)
                    whole = getattr(toll.tables._File, step)

                    def fails(file):
                        if file.path.stem == name:
                            raise OSError("disk")
                        whole(file)

                    with mock.patch.object(toll.tables._File, step, fails), self.assertRaisesRegex(OSError, "disk"):
                        toll.export(self.paths[:1], out)
                    self.assertEqual({p.name: p.read_bytes() for p in out.iterdir()}, before)
                    shutil.rmtree(out)
        (out / "stacks.parquet").mkdir(parents=True)
        with self.assertRaisesRegex(toll.TollError, "stacks.parquet is a folder"):
            toll.export(self.paths[:1], out)
        self.assertEqual([p.name for p in out.iterdir()], ["stacks.parquet"])

    def test_a_failure_while_rows_are_written_leaves_nothing(self):
        def fails(file, rows):
            raise OSError("disk")
        with mock.patch.object(toll.tables._File, "take", fails), self.assertRaisesRegex(OSError, "disk"):
            toll.export(self.paths, self.folder / "out")
        self.assertEqual(list((self.folder / "out").iterdir()), [])

    def test_what_is_missing_is_said(self):
        with self.assertRaisesRegex(toll.TollError, "there are: parquet, arrow"):
            toll.export(self.paths, self.folder / "out", format="csv")
        with mock.patch.dict(sys.modules, pyarrow=None), self.assertRaisesRegex(toll.TollError, "pip install pyarrow"):
            toll.export(self.paths, self.folder / "out")

    def test_memory_does_not_grow_with_files(self):
        def peak(paths):
            program = ("import sys, pyarrow, toll, toll.tables; toll.tables.ROWS = 1000\n"
                       "toll.export(sys.argv[2:], sys.argv[1]); print(pyarrow.default_memory_pool().max_memory())")
            done = subprocess.run([sys.executable, "-c", program, self.folder / "out", *paths], check=True, capture_output=True)
            return int(done.stdout)
        self.assertLess(peak(self.paths * 20), 1.5 * peak(self.paths * 2))


def is_profile(path):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            toll.profile.read(path).close()
        return True
    except toll.TollError:
        return False


def write_values(path, columns):
    """A profile of pprof with one stack, of these columns: type, unit, value."""
    texts = ["", "f", *(text for column in columns for text in column[:2])]
    types = b"".join(field(1, field(1, 2 + 2 * i) + field(2, 3 + 2 * i)) for i in range(len(columns)))
    sample = field(2, field(1, b"\1") + field(2, b"".join(varint(column[2]) for column in columns)))
    path.write_bytes(types + sample + field(4, field(1, 1) + field(4, field(1, 1))) + field(5, field(1, 1) + field(2, 1)) +
                     b"".join(field(6, text.encode()) for text in texts))


def varint(value):
    value &= 2**64 - 1
    parts = []
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])


def field(number, value):
    if isinstance(value, int):
        return bytes([number << 3, value])
    return bytes([number << 3 | 2]) + varint(len(value)) + value


def with_lines():
    """A profile of pprof with two lines of one function."""
    texts = ["", "ticks", "count", "f", "f.lua"]
    function = field(1, 1) + field(2, 3) + field(4, 4) + field(5, 10)
    locations = b"".join(field(4, field(1, i) + field(2, 1) + field(4, field(1, 1) + field(2, 10 + i))) for i in (1, 2))
    samples = b"".join(field(2, field(1, bytes([i])) + field(2, bytes([20 * i]))) for i in (1, 2))
    return (field(1, field(1, 1) + field(2, 2)) + samples + field(3, field(1, 1) + field(8, 1) + field(9, 1)) + locations +
            field(5, function) + b"".join(field(6, text.encode()) for text in texts))


if __name__ == "__main__":
    os.environ["TOLL_LIBRARY"] = str(LIB / toll.native.NAME)
    unittest.main(argv=sys.argv[:1], verbosity=2)
