"""python -m toll: runs the command `toll`."""

import os
import subprocess
import sys

from . import command
from .error import TollError


def main() -> None:
    try:
        line = [str(command.find()), *sys.argv[1:]]
    except TollError as error:
        sys.exit(f"toll: {error}")
    if os.name == "nt":
        sys.exit(subprocess.call(line))
    os.execv(line[0], line)


if __name__ == "__main__":
    main()
