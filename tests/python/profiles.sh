#!/bin/sh
# profiles.sh TOLL SOURCE LIB - toll.profile does what the command does (profiles.py); with the package of LIB/python.
set -eu
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || { echo "skipped: there is no Python from 3.9 on"; exit 77; }
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$3/python exec python3 -W error "$2/tests/python/profiles.py" "$1" "$2/tests/cli/data" "$3"
