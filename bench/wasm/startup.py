#!/usr/bin/env python3
"""startup.py TOLL - the additional processor time of `toll run` with an empty module over `node -e 0`; the least of 30 runs."""
import os
import resource
import subprocess
import sys
import tempfile

# (module (func (export "_start")))
EMPTY = bytes.fromhex("0061736d010000000104016000000302010007" "0a01065f73746172740000" "0a040102000b")
ROUNDS = int(os.environ.get("BENCH_ROUNDS", 30))


def cost(*command):
    """Milliseconds of user and system time."""
    least = float("inf")
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return 1000 * least


with tempfile.TemporaryDirectory() as folder:
    module, profile = os.path.join(folder, "empty.wasm"), os.path.join(folder, "p.pb.gz")
    with open(module, "wb") as file:
        file.write(EMPTY)
    node = cost("node", "-e", "0")
    print(f"node -e 0: {node:.0f} ms")
    for options in [["-q"], [], ["-q", "--clock", "none"]]:
        run = cost(sys.argv[1], "run", "-o", profile, *options, module)
        print(f"{' '.join(['toll run', *options])}: {run:.0f} ms, {run - node:.0f} over that")
