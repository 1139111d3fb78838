"""fleet_profiles.py FOLDER COUNT - COUNT profiles of a service on five hosts, of two commits: FOLDER/COMMIT/HOST-NUMBER.pb.gz,
with these labels. Of the second commit `parse` costs a tenth more, and `index` is new. The same profiles each time."""

import json
import os
import random
import sys

import toll.profile

COMMITS = ("3f2a1c", "9be07d")
HOSTS = ("a1", "a2", "b1", "b2", "b3")
FUNCTIONS = 120


def frame(number):
    name = {3: "parse", 7: "index"}.get(number, f"f{number}")
    return {"name": name, "file": f"src/part{number % 9}.lua", "line": 10 * number + 1}


def every_stack():
    """The stacks of the program, as numbers of functions; some recurse."""
    chance, found = random.Random(1), []
    for _ in range(3000):
        path = [(depth * 13 + chance.randrange(4)) % FUNCTIONS for depth in range(chance.randint(1, 12))]
        if chance.random() < 0.2:
            path += path[-1:]
        if chance.random() < 0.3:
            path.append(3)
        found.append(tuple(path))
    return sorted(set(found))


STACKS = every_stack()


def costs(chance, commit):
    """Of some stacks their calls and ticks."""
    found = {}
    for path in chance.sample(STACKS, 60):
        if commit == 1 and chance.random() < 0.1:
            path += (7,)
        ticks = chance.randrange(1, 10**6)
        found[path] = (chance.randrange(1, 100), ticks + ticks // 10 if commit == 1 and path[-1] == 3 else ticks)
    return found


def profile(number):
    chance = random.Random(number)
    commit = number % 2
    parts = []
    for thread in ("main", "worker"):
        of_thread = costs(chance, commit)
        for column, which, unit in (("calls", 0, "none"), ("ticks", 1, "none"), ("time", 1, "nanoseconds")):
            parts.append({"type": "sampled", "name": f"{thread}: {column}", "unit": unit, "startValue": 0,
                          "endValue": sum(v[which] for v in of_thread.values()), "samples": list(map(list, of_thread)),
                          "weights": [v[which] for v in of_thread.values()]})
    file = {"exporter": "toll", "profiles": parts,
            "shared": {"frames": [frame(i) for i in range(FUNCTIONS)]}}
    with toll.profile.from_bytes(json.dumps(file).encode(), "fleet", "speedscope") as p:
        return p.with_labels({"host": HOSTS[number // 2 % len(HOSTS)], "commit": COMMITS[commit]})


def write(folder, count):
    paths = []
    for commit in COMMITS:
        os.makedirs(os.path.join(folder, commit), exist_ok=True)
    for number in range(count):
        path = os.path.join(folder, COMMITS[number % 2], f"{HOSTS[number // 2 % len(HOSTS)]}-{number:05}.pb.gz")
        with profile(number) as p:
            p.write(path)
        paths.append(path)
    return paths


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]))
