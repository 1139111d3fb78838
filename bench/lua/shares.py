#!/usr/bin/env python3
"""shares.py TOLL [LUA...] - are the self shares of a profile of every call those of the program alone?

The judge is `toll attach` at 1,000 samples a second, on the program without the profiler. Overlap: the sum of the smaller
share of each function, in percent. Printed: the judge with itself in another run, the profile of every call as it is,
with `--no-overhead`, and how many times as long the program took. C functions are compared by the last part of their name.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

from samples import HERE, PROGRAMS, overlap

SCALE = 2  # of the rounds of samples.py: some seconds for each program


def sample(toll, command, out):
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    time.sleep(0.05)  # it has to load Lua
    subprocess.run([toll, "attach", "-q", "--hz", "1000", "--seconds", "600", "-o", out, str(child.pid)], check=True)
    if child.wait():
        sys.exit(f"{command}: status {child.returncode}")


def shares(toll, path, *options):
    text = subprocess.run([toll, "report", "--json", "-n", "0", *options, path], check=True, capture_output=True).stdout
    sums = {}
    for function in json.loads(text)["functions"]:
        if function["kind"] == "native":
            key = function["name"].rpartition(".")[2]
        else:
            key = f"{os.path.basename(function.get('file', ''))}:{function.get('line', 0)}"
        if function["name"] not in ("(outside)", "(lua)"):
            sums[key] = sums.get(key, 0) + function["self"]
    return sums


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    toll, luas = os.path.abspath(sys.argv[1]), sys.argv[2:] or ["lua5.4", "lua5.1"]
    os.environ["LUA_PATH"] = f"{HERE}/../../examples/json_bench/?.lua;;"
    os.chdir(tempfile.mkdtemp())
    for lua in luas:
        for name, body, _, rounds in PROGRAMS:
            os.environ["ROUNDS"], os.environ["BODY"] = str(SCALE * rounds), f"{HERE}/{body}.lua"
            command = [lua, f"{HERE}/{name}.lua"]
            for out in "a.pb.gz", "b.pb.gz":
                sample(toll, command, out)
            began = cpu()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            alone, began = cpu() - began, cpu()
            subprocess.run([toll, "run", "-q", "-o", "exact.pb.gz", *command], check=True, stdout=subprocess.DEVNULL)
            cost = (cpu() - began) / alone
            judge = shares(toll, "a.pb.gz")
            line = f"{lua:7} {body or name:17} judge with itself: {overlap(judge, shares(toll, 'b.pb.gz')):5.1f}"
            every, less = shares(toll, "exact.pb.gz"), shares(toll, "exact.pb.gz", "--no-overhead")
            line += f"  every call: {overlap(judge, every):5.1f}  --no-overhead: {overlap(judge, less):5.1f}"
            print(f"{line}  {cost:.2f} times as long", flush=True)
            if os.environ.get("SHOW"):
                for key in sorted(set(judge) | set(less), key=lambda k: -judge.get(k, 0))[:12]:
                    print("   ", key, *(f"{100 * s.get(key, 0) / sum(s.values()):.1f}" for s in (judge, every, less)))


if __name__ == "__main__":
    main()
