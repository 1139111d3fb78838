"""wheel_files.py WHEEL... - each wheel is one for pip: its files are those of RECORD, its tags are those of its name, and the
command, libtoll and toll.wasm are in it."""
import base64
import csv
import hashlib
import sys
import zipfile
from pathlib import Path


def check(path):
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        info = next(name for name in names if name.endswith(".dist-info/RECORD")).rsplit("/", 1)[0]
        rows = {row[0]: row[1:] for row in csv.reader(wheel.read(f"{info}/RECORD").decode().splitlines())}
        assert sorted(rows) == sorted(names), set(rows) ^ set(names)
        for name in set(names) - {f"{info}/RECORD"}:
            content = wheel.read(name)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            assert rows[name] == [f"sha256={digest}", str(len(content))], name
        tags = [line.split("py3-none-")[1] for line in wheel.read(f"{info}/WHEEL").decode().splitlines() if line.startswith("Tag: ")]
        assert path.name.endswith(f"-py3-none-{'.'.join(tags)}.whl"), tags
        command = next(file for file in wheel.infolist() if ".data/scripts/toll" in file.filename)
        assert command.external_attr >> 16 & 0o111, "the command is no program"
        assert "toll/toll.wasm" in names and any(name.startswith("toll/libtoll.") for name in names)
        entries = wheel.read(f"{info}/entry_points.txt").decode()
        assert "[pytest11]\ntoll = toll.pytest_plugin\n" in entries and "toll/pytest_plugin.py" in names, entries
    print(f"{path.name}: {path.stat().st_size} bytes")


for argument in sys.argv[1:]:
    check(Path(argument))
