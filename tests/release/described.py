"""described.py DIST KINDS - the descriptions of a release in DIST are right: each file is in them, with what is compiled into
it, whose licences are in the archive."""
import io
import json
import re
import sys
import tarfile
import zipfile
from pathlib import Path

dist, kinds = Path(sys.argv[1]), sys.argv[2].split()
spdx = json.loads((dist / "toll.spdx.json").read_text())
statement = json.loads((dist / "toll.intoto.json").read_text())
sums = dict(reversed(line.split("  ")) for line in (dist / "SHA256SUMS").read_text().splitlines())
packages = {p["SPDXID"]: p for p in spdx["packages"]}

assert {s["name"]: s["digest"]["sha256"] for s in statement["subject"]} == sums
definition = statement["predicate"]["buildDefinition"]
assert definition["externalParameters"]["kinds"] == kinds
used = [d["name"] for d in definition["resolvedDependencies"]]
assert used[0] == "source" and len(used) == 1 + len([line for line in open(Path(__file__).parents[2] / "release/pins.txt")
                                                     if line.strip() and line[0] != "#"]) + 1, used
assert sums and {p["packageFileName"] for p in packages.values() if "packageFileName" in p} == set(sums)
for relation in spdx["relationships"]:
    assert relation["relatedSpdxElement"] in packages, relation


def linked(name):
    return {packages[r["relatedSpdxElement"]]["name"].split(" ")[0] for r in spdx["relationships"]
            if r["relationshipType"] == "STATIC_LINK" and packages[r["spdxElementId"]].get("packageFileName") == name}


def names_in(path):
    """The files of an archive, and of those in it; of any other file none."""
    if tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            return [inner for name in archive.getnames() for inner in (
                zipfile.ZipFile(io.BytesIO(archive.extractfile(name).read())).namelist() if name.endswith(".zip") else [name])]
    return zipfile.ZipFile(path).namelist() if zipfile.is_zipfile(path) else []


# By the name of a file: what is compiled into it. Debian's packages have their licences in a way of their own.
EXPECTED = [
    (r"toll-[\d.]+-\w+-linux-musl\.tar\.gz", {"zlib", "libiberty", "compiler-rt", "musl", "wasi-libc"}),
    (r"tollprof-linux-.*\.tgz", {"zlib", "libiberty", "compiler-rt", "musl"}),
    (r"toll-[\d.]+-\w+-macos\.tar\.gz|tollprof-darwin-.*\.tgz", {"zlib", "libiberty", "compiler-rt"}),
    (r"toll-[\d.]+-\w+-windows-gnu\.zip|tollprof-win32-.*\.tgz", {"zlib", "libiberty", "compiler-rt", "mingw-w64"}),
    (r"tollprof-[\d.]+-py3-none-.*linux.*\.whl", {"zlib", "libiberty", "compiler-rt", "musl", "wasi-libc"}),
    (r"tollprof-[\d.]+-py3-none-macosx.*\.whl", {"zlib", "libiberty", "compiler-rt", "wasi-libc"}),
    (r"tollprof-[\d.]+-py3-none-win.*\.whl", {"zlib", "libiberty", "compiler-rt", "mingw-w64", "wasi-libc"}),
    (r"tollprof-[\d.]+\.tgz", {"zlib", "libiberty", "wasi-libc"}),
    (r"toll-(heap|litesvm)-[\d.]+\.tgz|toll-go-proxy-.*|toll-wasmtime-.*\.crate", {"wasi-libc"}),
    (r"toll_.*\.deb", {"libiberty", "wasi-libc"}),
    (r"(libtoll|lua-toll).*\.deb", {"libiberty"}),
    (r"toll-[\d.]+-docs\.tar\.gz", {"zensical", "iframe-worker"}),
    (r".*", set()),
]
counted = dict.fromkeys((pattern for pattern, _ in EXPECTED), 0)
for name in sums:
    pattern, expected = next((p, e) for p, e in EXPECTED if re.fullmatch(p, name))
    counted[pattern] += 1
    assert linked(name) == expected, (name, linked(name), expected)
    licences = {inner.rsplit("/", 1)[1] for inner in names_in(dist / name) if re.search(r"(^|/)licen[cs]es/[^/]+$", inner)}
    wanted = {"compiler-rt": "zig"}
    if not name.endswith(".deb"):
        assert {wanted.get(part, part) for part in expected} <= licences, (name, licences)
assert all(counted.values()), counted
print(f"{len(sums)} files are described")
