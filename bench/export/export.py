"""export.py COUNT - the processor time of toll.export, of COUNT profiles, beside that of their sum (toll.profile.merge), in one
process, in turn. Each time is the least of BENCH_ROUNDS (3)."""

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


def main():
    count, rounds = int(sys.argv[1]), int(os.environ.get("BENCH_ROUNDS", 3))
    with tempfile.TemporaryDirectory() as folder:
        paths = write(os.path.join(folder, "profiles"), count)
        merge = export = float("inf")
        for _ in range(rounds):
            merge = min(merge, took(lambda: toll.profile.merge(paths).close())[0])
            seconds, rows = took(toll.export, paths, os.path.join(folder, "tables"))
            export = min(export, seconds)
        size = sum(map(os.path.getsize, glob.glob(os.path.join(folder, "tables", "*"))))
    print(f"merge of {count} profiles: {merge:.2f} s of processor time")
    print(f"export as Parquet: {export:.2f} s, {export / merge:.1f} times the merge (goal: 3); "
          f"{rows['samples']} samples, {rows['stacks']} stacks, {size} bytes; pyarrow {pyarrow.__version__}")


if __name__ == "__main__":
    main()
