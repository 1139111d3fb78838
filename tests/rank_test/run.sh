#!/bin/sh
# run.sh TOLL SOURCE DIR - toll compare's statistics are those of SciPy of PyPI (60 MB), in an environment in DIR:
# rank_test.py.
set -eu
sh "$2/tests/python/environment.sh" "$3" "" "$2/tests/rank_test/requirements.txt" || exit $?
exec "$3/venv/bin/python" -W error "$2/tests/rank_test/rank_test.py" "$1" "$3/work"
