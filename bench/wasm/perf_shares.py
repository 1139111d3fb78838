#!/usr/bin/env python3
"""perf_shares.py TOLL GUEST INPUT APP.wasm [ARGS...] - how well shares of self time of a guest's functions in an engine without a
sampler agree with those that perf samples in runs without Toll: the sum over all functions of the lesser share. APP.wasm is a
program of bench/wasm/programs.sh, which reads INPUT; GUEST runs it with the modes plain, ticks and time:

  wasmtime   what `cargo build --release --features guest` makes of bench/wasmtime, where Cargo.toml names the build's lib/wasmtime
  wazero     what `go build -tags perfmap ./guest` makes in BUILD/bench_wazero, after bench/wazero/run.sh

perf samples CPU time 4,000 times a second, in two runs: they agree with one another to the first figure; the second is the part of
their samples that is in the guest's functions. Times are those that GUEST prints, in which it compiles nothing. BENCH_RUNS=3 is how
many runs with time there are; the worst of them is printed, too. BENCH_MODE=each in place of time: the clock at each event."""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

toll, guest, path, *app = sys.argv[1:]
folder = tempfile.mkdtemp()
data, profile = os.path.join(folder, "perf.data"), os.path.join(folder, "profile.pb.gz")


def run(*command):
    """The seconds that the guest of a command takes."""
    with open(path) as standard_input:
        ran = subprocess.run(command, stdin=standard_input, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True,
                             env={**os.environ, "PROFILE": profile})
    return float(re.findall(r"^\w+: ([0-9.]+) s$", ran.stderr, re.M)[-1])


def of_perf():
    """Samples by function."""
    run("perf", "record", "-q", "-e", "cpu-clock", "-F", "4000", "-o", data, guest, "plain", *app)
    text = subprocess.run(["perf", "script", "-i", data, "-F", "ip,sym"], capture_output=True, text=True, check=True).stdout
    names = (line.split(None, 1)[1].strip() for line in text.splitlines() if len(line.split(None, 1)) > 1)
    # wazero's map has blocks of a function: "[127/463].name:::::L1".
    return collections.Counter(re.sub(r"^\[\d+/\d+\]\.|:::::.*$", "", name) for name in names)


def of_toll(mode, value):
    """(seconds, costs by function)."""
    seconds = run(guest, mode, *app)
    text = subprocess.run([toll, "report", "-q", "--json", "--rows", "0", "--value", value, profile],
                          capture_output=True, text=True, check=True).stdout
    return seconds, {f["name"]: f["self"] for f in json.loads(text)["functions"]}


def shares(costs, known):
    total = sum(cost for name, cost in costs.items() if name in known)
    return {name: cost / total for name, cost in costs.items() if name in known}


def overlap(one, other):
    return 100 * sum(min(share, other.get(name, 0)) for name, share in one.items())


plain = min(run(guest, "plain", *app) for _ in range(2))
ticks_seconds, ticks = of_toll("ticks", "ticks")
timed = [of_toll(os.environ.get("BENCH_MODE", "time"), "time") for _ in range(int(os.environ.get("BENCH_RUNS", 3)))]
known = timed[0][1]
sampled = [of_perf() for _ in range(2)]
of_guest = sum(count for samples in sampled for name, count in samples.items() if name in known)
first, second = (shares(samples, known) for samples in sampled)
truth = {name: (first.get(name, 0) + second.get(name, 0)) / 2 for name in first.keys() | second.keys()}
found = sorted(overlap(truth, shares(costs, known)) for _, costs in timed)
print(f"{os.path.basename(app[0])}: {plain:.2f} s; two runs of perf overlap by {overlap(first, second):.1f} %, "
      f"{100 * of_guest / sum(samples.total() for samples in sampled):.0f} % of their samples are the guest's")
print(f"  ticks  {overlap(truth, shares(ticks, known)):.1f} %, {ticks_seconds / plain:.1f} times")
print(f"  time   {found[0]:.1f} to {found[-1]:.1f} %, {min(seconds for seconds, _ in timed) / plain:.1f} times")
