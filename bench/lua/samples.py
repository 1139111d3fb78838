#!/usr/bin/env python3
"""samples.py TOLL [LUA...] - what samples cost, and whether they are right.

Cost: CPU time of a program with `toll run --sample` at 250 and 1,000 samples a second, divided by that of the program
alone, the least of five runs each. Right: the self shares of functions, by definition, compared with those of LuaJIT's own
sampler in another run (samples_judge.lua): the sum of the smaller share of each function, in percent; beside it the judge
with itself, and the profile of every call, for which the compiler is off.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# program, the body that samples_rounds.lua runs, rounds for LuaJIT and for Lua 5.1 to 5.4
PROGRAMS = [("samples_dkjson", "", 900, 60), ("samples_penlight", "", 36, 12), ("samples_rounds", "nbody", 1200, 24),
            ("samples_rounds", "strings", 200, 40), ("samples_rounds", "nqueens", 1200, 60),
            ("samples_rounds", "json", 300, 40)]


def cpu(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def key_of(path, line):
    return f"{os.path.basename(path)}:{line}"


def shares_of_judge(path):
    sums = {}
    for line in open(path):
        weight, place = line.rstrip("\n").split(" ", 1)
        path_of, _, number = place.rpartition(":")
        key = key_of(path_of, number)
        if not key.startswith("samples_judge"):
            sums[key] = sums.get(key, 0) + float(weight)
    return sums


def shares_of_profile(toll, path):
    """What C functions, the collector and the compiler took is their caller's, as for the judge."""
    subprocess.run([toll, "convert", "-q", path, "-o", path + ".speedscope.json"], check=True)
    data = json.load(open(path + ".speedscope.json"))
    frames, sums = data["shared"]["frames"], {}
    for profile in data["profiles"]:
        if profile["unit"] != "nanoseconds" or "compiled" in profile["name"]:
            continue
        for stack, weight in zip(profile["samples"], profile["weights"]):
            for frame in (frames[i] for i in reversed(stack)):
                if frame.get("file") and "+0x" not in frame["file"] and not frame["file"].startswith("built-in"):
                    key = key_of(frame["file"], frame.get("line") or 0)
                    sums[key] = sums.get(key, 0) + weight
                    break
    return sums


def overlap(one, other):
    whole, others = sum(one.values()) or 1, sum(other.values()) or 1
    return 100 * sum(min(one.get(key, 0) / whole, other.get(key, 0) / others) for key in set(one) | set(other))


def main():
    toll, luas = os.path.abspath(sys.argv[1]), sys.argv[2:] or ["luajit", "lua5.4", "lua5.1"]
    os.environ["LUA_PATH"] = f"{HERE}/../../examples/json_bench/?.lua;;"
    work = tempfile.mkdtemp()
    os.chdir(work)
    for lua in luas:
        for name, body, jit_rounds, rounds in PROGRAMS:
            os.environ["ROUNDS"] = str(jit_rounds if lua == "luajit" else rounds)
            os.environ["BODY"] = f"{HERE}/{body}.lua"
            program = [f"{HERE}/{name}.lua"]
            ways = {"alone": [lua] + program}
            for hz in "250", "1000":
                ways[hz] = [toll, "run", "-q", f"--sample={hz}", "-o", f"{hz}.pb.gz", lua] + program
            best = {way: 9e9 for way in ways}
            for _ in range(5):
                for way, command in ways.items():
                    best[way] = min(best[way], cpu(command))
            line = f"{lua:7} {body or name:17} {best['alone']:5.2f} s  cost 250: {best['250'] / best['alone']:.3f} 1000: {best['1000'] / best['alone']:.3f}"
            if lua == "luajit":
                for out in "a", "b":
                    cpu([lua, f"{HERE}/samples_judge.lua", out] + program)
                cpu([toll, "run", "-q", "-o", "exact.pb.gz", lua] + program)
                judge = shares_of_judge("a")
                line += f"  judge with itself: {overlap(judge, shares_of_judge('b')):.1f}"
                for path in "250", "1000", "exact":
                    line += f" {path}: {overlap(judge, shares_of_profile(toll, path + '.pb.gz')):.1f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
