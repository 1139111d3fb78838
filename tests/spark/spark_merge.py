"""spark_merge.py TOLL SOURCE LIB COUNT - toll.spark adds up COUNT profiles as `toll merge` does, to the byte, also while Python
workers and executors are killed; and names a file that is torn."""

import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import toll.native
import toll.spark
from faults import Deadly
from fleet_profiles import write
from pyspark.sql import SparkSession

TOLL, SOURCE, LIB, COUNT = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
ENVIRONMENT = ("TOLL_LIBRARY", "PYTHONPATH")


class Merge(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.paths = write(cls.folder / "profiles", COUNT)
        (cls.folder / "list").write_text("\n".join(map(str, cls.paths)) + "\n")
        begin = time.monotonic()
        subprocess.run([TOLL, "merge", "-q", "-o", cls.folder / "expected.pb.gz", *cls.paths], check=True)
        print(f"toll merge of {COUNT} files: {time.monotonic() - begin:.1f} s")
        cls.expected = (cls.folder / "expected.pb.gz").read_bytes()

    def setUp(self):
        self.out, self.marker = self.folder / "out.pb.gz", self.folder / "marker"
        self.out.unlink(missing_ok=True)
        self.marker.touch()

    def merge(self, master, paths, **options):
        builder = SparkSession.builder.master(master).config("spark.executor.memory", "900m")
        for name in ENVIRONMENT:
            builder = builder.config(f"spark.executorEnv.{name}", os.environ[name])
        spark = builder.getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
        begin = time.monotonic()
        try:
            toll.spark.merge(spark, paths, self.out, **options)
        finally:
            print(f"{master}: {time.monotonic() - begin:.1f} s")
            spark.stop()

    def deadly(self, what):
        """The paths, of which one late in the list kills."""
        at = len(self.paths) * 3 // 4
        return [*self.paths[:at], Deadly(self.paths[at], what, self.marker), *self.paths[at + 1:]]

    def test_the_example(self):
        subprocess.run([sys.executable, SOURCE / "examples/spark/merge_profiles.py", "--master", "local[2]", self.out,
                        self.folder / "list"], check=True)
        self.assertEqual(self.out.read_bytes(), self.expected)

    def test_a_worker_is_killed(self):
        self.merge("local[2,4]", self.deadly("worker"))
        self.assertFalse(self.marker.exists())
        self.assertEqual(self.out.read_bytes(), self.expected)

    def test_an_executor_is_killed(self):
        self.merge("local-cluster[2,1,900]", self.deadly("executor"), partitions=16)
        self.assertFalse(self.marker.exists())
        self.assertEqual(self.out.read_bytes(), self.expected)

    def test_paths_may_be_relative(self):
        """Executors run in folders of their own."""
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        paths = [path.relative_to(self.folder) for path in map(Path, self.paths[:40])]
        subprocess.run([TOLL, "merge", "-q", "-o", "relative.pb.gz", *paths], check=True)
        self.merge("local-cluster[2,1,900]", paths)
        self.assertEqual(self.out.read_bytes(), (self.folder / "relative.pb.gz").read_bytes())

    def test_labels_are_chosen_kept_and_set(self):
        for options, command in (
                ({"where": {"host": ["a1", "b2"]}, "by": "commit"}, ["--where", "host=a1", "--where", "host=b2", "--by", "commit"]),
                ({"where": {"host": "a1", "commit": "3f2a1c"}, "by": ["host", "thread"], "label": {"day": "1", "zone": ["eu", "us"]}},
                 ["--where", "host=a1", "--where", "commit=3f2a1c", "--by", "host,thread", "--label", "day=1", "--label", "zone=eu",
                  "--label", "zone=us"])):
            expected = self.folder / "chosen.pb.gz"
            subprocess.run([TOLL, "merge", "-q", *command, "-o", expected, *self.paths[:100]], check=True)
            self.merge("local[2]", self.paths[:100], **options)
            self.assertEqual(self.out.read_bytes(), expected.read_bytes())
        self.out.unlink()
        for options, said in (({"by": ""}, "which labels"), ({"label": {"thread": "x"}}, "thread"), ({"where": {"": "x"}}, "label")):
            with self.assertRaisesRegex(toll.TollError, said):
                self.merge("local[2]", self.paths[:2], **options)
            self.assertFalse(self.out.exists())
        with self.assertWarnsRegex(UserWarning, "no thread has the label zone"):
            self.merge("local[2]", self.paths[:2], by="zone")

    def test_without_another_try_the_job_fails(self):
        with self.assertRaisesRegex(Exception, "(?s)Python worker exited unexpectedly|crashed"):
            self.merge("local[2]", self.deadly("worker"))
        self.assertFalse(self.out.exists())

    def test_a_torn_file_is_named(self):
        torn = self.folder / "torn.pb.gz"
        torn.write_bytes(Path(self.paths[0]).read_bytes()[:-100])
        for paths in ([*self.paths[:20], torn, *self.paths[20:40]], [torn]):
            with self.assertRaisesRegex(toll.TollError, "torn.pb.gz: "):
                self.merge("local[2,4]", paths)
            self.assertFalse(self.out.exists())
        command = [TOLL, "merge", "-q", "--skip-torn", "-o", self.folder / "skipped.pb.gz", torn, *self.paths[:40], torn]
        subprocess.run(command, check=True)
        with self.assertWarnsRegex(UserWarning, "left out 2 of 42 files"):
            self.merge("local[2,4]", [torn, *self.paths[:40], torn], skip_torn=True)
        self.assertEqual(self.out.read_bytes(), (self.folder / "skipped.pb.gz").read_bytes())
        self.out.unlink()
        with self.assertRaisesRegex(toll.TollError, "all 2 files are torn"):
            self.merge("local[2,4]", [torn, torn], skip_torn=True)
        with self.assertRaisesRegex(Exception, "no-such-file"):
            self.merge("local[2,4]", [self.paths[0], "no-such-file"])
        with self.assertRaisesRegex(toll.TollError, "there are no profiles"):
            self.merge("local[2,4]", [])


if __name__ == "__main__":
    os.environ["TOLL_LIBRARY"] = str(LIB / toll.native.NAME)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    unittest.main(argv=sys.argv[:1], verbosity=2)
