"""lake.py SOURCE LIB - the layout of docs/fleet.md for object storage, and the tables of Delta Lake and Iceberg, as the programs
of that page write them: every row is there once, also after the same day is written again."""

import os
import re
import shutil
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import toll
import toll.native
from deltalake import DeltaTable
from fleet_profiles import write

FOLDER = tempfile.TemporaryDirectory()
os.environ["PYICEBERG_CATALOG__TOLL__URI"] = f"sqlite:///{FOLDER.name}/iceberg/catalog.db"  # pyiceberg reads it when imported
os.environ["PYICEBERG_CATALOG__TOLL__WAREHOUSE"] = f"file://{FOLDER.name}/iceberg"
from pyiceberg.catalog import load_catalog  # noqa: E402

SOURCE, LIB = Path(sys.argv[1]), Path(sys.argv[2])
PAGE = (SOURCE / "docs/fleet.md").read_text()
DAYS = ("2026-11-23", "2026-11-24")
REPOS = ("app", "other")
IDS = {"stacks": "stack_id", "functions": "function_id"}


def documented(language, begins):
    return next(b for b in re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.S | re.M) if b.startswith(begins))


def in_order(rows):
    return sorted(map(repr, rows))


class Lake(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.addClassCleanup(FOLDER.cleanup)
        cls.addClassCleanup(os.chdir, os.getcwd())
        os.chdir(FOLDER.name)
        paths = write("all", 80)
        for number, path in enumerate(paths):
            target = Path(f"profiles/day={DAYS[number % 2]}/repo={REPOS[number // 2 % 2]}", Path(path).name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
        cls.expected = {name: [] for name in toll.tables.NAMES}
        known = {name: set() for name in IDS}
        for day in DAYS:
            for repo in REPOS:
                toll.export(sorted(map(str, Path(f"profiles/day={day}/repo={repo}").iterdir())), f"exported/{day}/{repo}")
                for name, rows in cls.expected.items():
                    for row in pq.read_table(f"exported/{day}/{repo}/{name}.parquet").to_pylist():
                        if name not in IDS:
                            rows.append({**row, "day": day, "repo": repo})
                        elif row[IDS[name]] not in known[name]:
                            known[name].add(row[IDS[name]])
                            rows.append(row)

    def run_each(self, begins):
        """The program of the page, for each day and repository; for the first twice."""
        program = documented("python", begins)
        self.assertEqual(program.count('day, repo = "2026-11-23", "app"'), 1)
        for day, repo in [(day, repo) for day in DAYS for repo in REPOS] + [(DAYS[0], REPOS[0])]:
            shutil.copytree(f"exported/{day}/{repo}", "new", dirs_exist_ok=True)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # pyiceberg, of an overwrite of nothing
                exec(program.replace('day, repo = "2026-11-23", "app"', f"day, repo = {day!r}, {repo!r}"), {})

    def assert_whole(self, read):
        for name, expected in self.expected.items():
            rows = read(name)
            self.assertEqual(len(rows), len(expected), name)
            self.assertEqual(in_order(rows), in_order(expected), name)

    def test_the_layout(self):
        self.run_each("# layout")
        self.assert_whole(lambda name: duckdb.sql(
            f"SELECT * REPLACE (day::VARCHAR AS day) FROM 'tables/{name}/*/*/*.parquet'" if name not in IDS
            else f"FROM 'tables/{name}/*.parquet'").to_arrow_table().to_pylist())
        answer = duckdb.sql(documented("sql", "-- layout")).fetchall()
        self.assertEqual(len(answer), 2)
        for day, commit, ticks in answer:
            self.assertEqual(ticks, sum(row["value"] for row in self.expected["samples"] if row["column"] == "ticks" and
                                        row["repo"] == "app" and row["day"] == str(day) and dict(row["labels"])["commit"] == commit))

    def test_delta(self):
        self.run_each("# Delta")
        self.assert_whole(lambda name: DeltaTable(f"delta/{name}").to_pyarrow_table().to_pylist())

    def test_iceberg(self):
        os.mkdir("iceberg")
        self.run_each("# Iceberg")
        self.assert_whole(lambda name: load_catalog("toll").load_table(f"toll.{name}").scan().to_arrow().to_pylist())


if __name__ == "__main__":
    os.environ["TOLL_LIBRARY"] = str(LIB / toll.native.NAME)
    unittest.main(argv=sys.argv[:1], verbosity=2)
