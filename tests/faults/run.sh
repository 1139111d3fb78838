#!/bin/sh
# run.sh TOLL LIBRARY SOURCE DIR [all] - see faults.py.
command -v python3 >/dev/null 2>&1 || { echo "skipped: there is no python3"; exit 77; }
exec python3 "$3/tests/faults/faults.py" "$@"
