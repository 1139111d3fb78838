#!/bin/sh
# run.sh BUILD [COUNT [FILE...]] - the cost of toll.export beside that of the merge (bench/export/export.py), of COUNT (1000)
# profiles, or of each FILE COUNT times. Skipped, with the reason, where Python's venv or PyPI cannot be had.
set -eu
[ $# -gt 1 ] || set -- "$1" 1000
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
shift
status=0
sh "$source/tests/python/environment.sh" "$build/python_export" "$build/lib" "$source/tests/python/export.txt" || status=$?
[ $status = 0 ] || exit $((status == 77 ? 0 : status))
library=$(cd "$build/lib" && pwd)/$(PYTHONPATH="$source/hosts/python" python3 -c 'import toll.native; print(toll.native.NAME)')
TOLL_LIBRARY=$library PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$source/tests/python" \
    exec "$build/python_export/venv/bin/python" "$source/bench/export/export.py" "$@"
