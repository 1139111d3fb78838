#!/bin/sh
# in_notebook.sh TOLL SOURCE DIR LIB - what Jupyter (of PyPI, in an environment in DIR) shows of profiles, with the wheel of
# LIB/python: in_notebook.py runs a notebook and makes a page of it, in_notebook.mjs opens that in Chromium.
set -eu
source=$2
dir=$3
sh "$source/tests/python/environment.sh" "$dir" "$4" "$source/tests/python/in_notebook.txt" || exit $?
cd "$dir"
export HOME="$dir/home" TOLL_LIBRARY="$4/libtoll.so.0.1" PYTHONDONTWRITEBYTECODE=1
mkdir -p "$HOME"
venv/bin/python "$source/tests/python/in_notebook.py" "$1" "$source/tests/cli/data/example.folded" notebook.html
for program in node npm chromium; do
    command -v $program >/dev/null 2>&1 || { echo "not opened: there is no $program"; exit 0; }
done
sh "$source/tests/packages/npm.sh" "$source/tests/page" . || exit $?
cp "$source/tests/page/driver.mjs" "$source/tests/python/in_notebook.mjs" .
exec node in_notebook.mjs notebook.html
