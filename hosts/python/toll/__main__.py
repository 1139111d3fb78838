"""python -m toll: runs the command `toll`, which a wheel puts where the environment has its scripts."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path


def _command() -> Path:
    name = "toll.exe" if os.name == "nt" else "toll"
    places = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", f"{os.name}_user"),
        Path(__file__).parents[1] / "bin",  # pip install --target
    ]
    for place in places:
        if (command := Path(place, name)).is_file():
            return command
    sys.exit(f"toll: there is no {name} in {', '.join(map(str, places))}; only the wheels of PyPI's package tollprof bring it")


def main() -> None:
    line = [str(_command()), *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.call(line))
    os.execv(line[0], line)


if __name__ == "__main__":
    main()
