#!/usr/bin/env python3
"""wheel.py MODULE COMMAND LIBRARY LICENCES FOLDER - puts a wheel's files into FOLDER: the Python package in MODULE
(pyproject.toml and the folder toll), the command, libtoll, and a folder of licences. Prints the wheel's file name;
release/pack.py packs it. Its tags are what the command and libtoll need: processor, and the oldest glibc or macOS."""
import base64
import hashlib
import re
import shutil
import struct
import subprocess
import sys
import tomllib
from pathlib import Path

LEAST_GLIBC = (2, 17)  # older ones have another form of tag
MUSL = "1_2"  # a library for musl does not say which one it needs: that of the compiler is 1.2
ELF = {62: "x86_64", 183: "aarch64"}
MACHO = {0x01000007: "x86_64", 0x0100000C: "arm64"}
LC_BUILD_VERSION = 0x32
PE = {0x8664: "win_amd64"}


def macos_tag(data):
    processor, count, at = struct.unpack_from("<I", data, 4)[0], struct.unpack_from("<I", data, 16)[0], 32
    for _ in range(count):
        command, size = struct.unpack_from("<II", data, at)
        if command == LC_BUILD_VERSION:
            oldest = struct.unpack_from("<I", data, at + 12)[0]
            return f"macosx_{oldest >> 16}_{oldest >> 8 & 255}_{MACHO[processor]}"
        at += size
    sys.exit("wheel: a program for macOS does not say which one it needs")


def linux_tags(path, data):
    """None: a static program, which runs on all Linux."""
    processor = ELF[struct.unpack_from("<H", data, 18)[0]]
    text = subprocess.run(["readelf", "--wide", "--dynamic", "--version-info", path], check=True, capture_output=True, text=True).stdout
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", text)
    if not needed:
        return None
    if any(name.startswith("libc.musl") or name == "libc.so" for name in needed):
        return [f"musllinux_{MUSL}_{processor}"]
    if not any(name.startswith("libc.so.6") for name in needed):
        sys.exit(f"wheel: {path} needs {needed}, which no wheel may need")
    major, minor = max([LEAST_GLIBC] + [(int(a), int(b)) for a, b in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", text)])
    return [f"manylinux_{major}_{minor}_{processor}"] + [f"manylinux2014_{processor}"] * ((major, minor) == LEAST_GLIBC)


def tags_of(path):
    data = path.read_bytes()
    if data[:4] == b"\x7fELF":
        return linux_tags(path, data)
    if data[:4] == b"\xcf\xfa\xed\xfe":
        return [macos_tag(data)]
    if data[:2] == b"MZ":
        return [PE[struct.unpack_from("<H", data, struct.unpack_from("<I", data, 60)[0] + 4)[0]]]
    sys.exit(f"wheel: {path} is no program")


def both_tags(library, command):
    """What both need: of two versions of glibc the newer one."""
    tags, others = tags_of(library), tags_of(command)
    if tags and others in (None, tags):
        return tags
    versions = [re.fullmatch(r"manylinux_(\d+)_(\d+)_(\w+)", two[0]) for two in (tags, others) if two]
    if len(versions) < 2 or None in versions or versions[0][3] != versions[1][3]:
        sys.exit(f"wheel: the command is for {others}, and libtoll for {tags}")
    return max((tags, others), key=lambda two: tuple(map(int, two[0].split("_")[1:3])))


def metadata(project, readme):
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}", f"Summary: {project['description']}",
             f"License: {project['license']['text']}", f"Requires-Python: {project['requires-python']}"]
    for extra, packages in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}"] + [f'Requires-Dist: {package}; extra == "{extra}"' for package in packages]
    return "\n".join(lines + ["Description-Content-Type: text/markdown", "", readme])


def record(folder, name):
    """The sha256 and the size of each file, but its own."""
    lines = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b"=").decode()
        lines.append(f"{path.relative_to(folder).as_posix()},sha256={digest},{path.stat().st_size}\n")
    return "".join(lines) + f"{name},,\n"


def main():
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    module, command, library, licences, folder = map(Path, sys.argv[1:])
    project = tomllib.loads((module / "pyproject.toml").read_text())["project"]
    tags = both_tags(library, command)
    whole = f"{project['name']}-{project['version']}"
    info, scripts = folder / f"{whole}.dist-info", folder / f"{whole}.data/scripts"
    scripts.mkdir(parents=True)
    shutil.copytree(module / "toll", folder / "toll")
    shutil.copy(library, folder / "toll")
    shutil.copy(command, scripts)
    shutil.copytree(licences, info / "licenses")
    (info / "METADATA").write_text(metadata(project, (module / project["readme"]).read_text()))
    (info / "WHEEL").write_text("Wheel-Version: 1.0\nGenerator: toll-release\nRoot-Is-Purelib: false\n" +
                                "".join(f"Tag: py3-none-{tag}\n" for tag in tags))
    # `uvx tollprof` runs the script that has the package's name.
    groups = {"console_scripts": {project["name"]: "toll.__main__:main"}, **project["entry-points"]}
    (info / "entry_points.txt").write_text("".join(
        f"[{group}]\n" + "".join(f"{name} = {module}\n" for name, module in entries.items()) for group, entries in groups.items()))
    (info / "RECORD").write_text(record(folder, f"{info.name}/RECORD"))
    print(f"{whole}-py3-none-{'.'.join(tags)}.whl")


main()
