"""The tables of toll.export, made row by row in Python from what toll.profile says: slow, and plain enough to be believed."""

from hashlib import blake2b

import toll.profile
from toll.profile import NONE

SCALED = {"kB": ("bytes", 1000), "KiB": ("bytes", 1024), "microseconds": ("nanoseconds", 1000), "seconds": ("nanoseconds", 10**9)}


def number(data):
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little", signed=True)


class Tables:
    def __init__(self):
        self.profiles, self.samples, self.stacks, self.functions = [], [], {}, {}

    def rows(self):
        return {"profiles": self.profiles, "samples": self.samples, "stacks": list(self.stacks.values()),
                "functions": list(self.functions.values())}

    def function(self, frame):
        own = number("\0".join((frame.name, frame.file, str(frame.line), frame.kind)).encode())
        return self.functions.setdefault(own, {"function_id": own, "name": frame.name, "file": frame.file, "line": frame.line,
                                               "kind": frame.kind})

    def add(self, path, labels):
        with toll.profile.read(path) as read, read.without_places() as p:
            of_threads = [{**own, **labels} for own in p.labels or [{}]]
            common = [pair for pair in sorted(of_threads[0].items()) if all(pair in own.items() for own in of_threads)]
            self.profiles.append({"profile": str(path), "labels": common, "start_ns": p.start_ns, "duration_ns": p.duration_ns,
                                  "notes": sorted(p.notes.items())})
            functions, threads, nodes = [self.function(frame) for frame in p.frames], p.threads, p.nodes()
            ids, paths = [], []
            for parent, frame in zip(nodes.parents, nodes.frames):
                paths.append([] if parent == NONE else [*paths[parent], functions[frame]])
                ids.append(0 if parent == NONE else number(b"".join(
                    part.to_bytes(8, "little", signed=True) for part in (functions[frame]["function_id"], ids[parent]))))
            for column, values in zip(p.columns, nodes.values):
                unit, times = SCALED.get(column.unit, (column.unit, 1))
                for node, value in enumerate(values):
                    if value:
                        self.stacks.setdefault(ids[node], {"stack_id": ids[node], "frames": paths[node]})
                        self.samples.append({
                            "profile": str(path), "labels": sorted(of_threads[nodes.threads[node]].items()), "stack_id": ids[node],
                            "thread": threads[nodes.threads[node]], "column": column.type, "unit": unit, "value": value * times})
