"""Finds the command `toll`, which a wheel puts where the environment has its scripts, and runs it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Optional, Union

from .error import TollError

__all__ = ["find", "run", "succeeded"]


def find() -> Path:
    """The wheel's command; without one, that of the PATH."""
    name = "toll.exe" if os.name == "nt" else "toll"
    places = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", f"{os.name}_user"),
        str(Path(__file__).parents[1] / "bin"),  # pip install --target
    ]
    for place in places:
        if (command := Path(place, name)).is_file():
            return command
    if on_path := shutil.which("toll"):
        return Path(on_path)
    raise TollError(f"there is no {name} in {', '.join(places)}, nor on the PATH; the wheels of PyPI's package tollprof bring it")


def run(*arguments: Union[str, "os.PathLike[str]"], cwd: Optional[Path] = None) -> "subprocess.CompletedProcess[str]":
    """Run it, for another program to show what it says: without `toll: ` before each line, and without annotations of GitHub."""
    environment = {name: value for name, value in os.environ.items() if name != "GITHUB_ACTIONS"}
    done = subprocess.run([find(), *arguments], cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                          encoding="utf-8", errors="replace")
    done.stderr = re.sub("^toll: ", "", done.stderr, flags=re.MULTILINE).rstrip()
    return done


def succeeded(done: "subprocess.CompletedProcess[str]") -> str:
    """What it has printed, if it has not failed."""
    if done.returncode:
        raise TollError(done.stderr)
    return done.stdout
