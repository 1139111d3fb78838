#!/usr/bin/env python3
"""shares.py TOLL GUEST INPUT APP.wasm [ARGS...] - how well shares of self time of a guest's functions in wasmtime, with
toll-wasmtime, agree with those that perf samples in runs without Toll: the sum over all functions of the lesser share. GUEST is
what `cargo build --release --features guest` makes of src/bin/guest.rs here, where Cargo.toml names the build's lib/wasmtime, APP.wasm a program of bench/wasm/programs.sh, which reads INPUT.
perf samples CPU time 4,000 times a second, in two runs: they agree with one another to the first figure."""
import collections
import json
import os
import subprocess
import sys
import tempfile
import time

toll, guest, path, *app = sys.argv[1:]
folder = tempfile.mkdtemp()
data, profile = os.path.join(folder, "perf.data"), os.path.join(folder, "profile.pb.gz")


def run(*command):
    """The seconds that a command takes."""
    start = time.time()
    with open(path) as standard_input:
        subprocess.run(command, stdin=standard_input, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True,
                       env={**os.environ, "PROFILE": profile})
    return time.time() - start


def of_perf():
    """Samples by function."""
    run("perf", "record", "-q", "-e", "cpu-clock", "-F", "4000", "-o", data, guest, "plain", *app)
    text = subprocess.run(["perf", "script", "-i", data, "-F", "ip,sym"], capture_output=True, text=True, check=True).stdout
    return collections.Counter(line.split(None, 1)[1].strip() for line in text.splitlines() if len(line.split(None, 1)) > 1)


def of_toll(mode, value, *options):
    """(seconds, costs by function); with mode None those of the last profile, read with more options."""
    seconds = run(guest, mode, *app) if mode else 0
    text = subprocess.run([toll, "report", "-q", "--json", "--rows", "0", "--value", value, *options, profile],
                          capture_output=True, text=True, check=True).stdout
    return seconds, {f["name"]: f["self"] for f in json.loads(text)["functions"]}


def shares(costs, known):
    total = sum(cost for name, cost in costs.items() if name in known)
    return {name: cost / total for name, cost in costs.items() if name in known}


def overlap(one, other):
    return 100 * sum(min(share, other.get(name, 0)) for name, share in one.items())


plain = min(run(guest, "plain", *app) for _ in range(2))
ticks_seconds, ticks = of_toll("none", "ticks")
each_seconds, each = of_toll("each", "time")
_, less = of_toll(None, "time", "--no-overhead")
first, second = (shares(of_perf(), each) for _ in range(2))
truth = {name: (first.get(name, 0) + second.get(name, 0)) / 2 for name in first.keys() | second.keys()}
print(f"{os.path.basename(app[0])}: {plain:.2f} s; two runs of perf overlap by {overlap(first, second):.1f} %")
print(f"  ticks      {overlap(truth, shares(ticks, each)):.1f} %, {ticks_seconds / plain:.1f} times")
print(f"  clock      {overlap(truth, shares(each, each)):.1f} %, {each_seconds / plain:.1f} times; "
      f"with --no-overhead {overlap(truth, shares(less, each)):.1f} %")
