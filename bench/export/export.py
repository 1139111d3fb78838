"""export.py COUNT [FILE...] - the processor time of toll.export, of COUNT profiles, beside that of their sum (toll.profile.merge),
in one process, in turn: of a fleet's small ones, or each of these files as often. Each time is the least of BENCH_ROUNDS (3)."""

import glob
import os
import sys
import tempfile
import time

import pyarrow.parquet  # before the first time is taken

import toll
import toll.profile
from fleet_profiles import write


def took(function, *args):
    begin = time.process_time()
    result = function(*args)
    return time.process_time() - begin, result


def measure(what, paths):
    merge = export = float("inf")
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(int(os.environ.get("BENCH_ROUNDS", 3))):
            merge = min(merge, took(lambda: toll.profile.merge(paths).close())[0])
            seconds, rows = took(toll.export, paths, os.path.join(folder, "tables"))
            export = min(export, seconds)
        size = sum(map(os.path.getsize, glob.glob(os.path.join(folder, "tables", "*"))))
    print(f"{what}: merge {merge:.2f} s of processor time, export as Parquet {export:.2f} s, {export / merge:.1f} times the merge "
          f"(goal: 3); {rows['samples']} samples, {rows['stacks']} stacks, {size} bytes; pyarrow {pyarrow.__version__}")


def main():
    count, files = int(sys.argv[1]), sys.argv[2:]
    for file in files:
        measure(f"{count} times {os.path.basename(file)}", [file] * count)
    with tempfile.TemporaryDirectory() as folder:
        if not files:
            measure(f"{count} profiles", write(folder, count))


if __name__ == "__main__":
    main()
