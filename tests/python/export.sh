#!/bin/sh
# export.sh TOLL SOURCE DIR LIB - toll.export, of the wheel of LIB/python, with pyarrow and DuckDB of PyPI (80 MB) in an
# environment in DIR: export.py.
set -eu
sh "$2/tests/python/environment.sh" "$3" "$4" "$2/tests/python/export.txt" || exit $?
PYTHONDONTWRITEBYTECODE=1 exec "$3/venv/bin/python" -W error "$2/tests/python/export.py" "$1" "$2" "$4"
