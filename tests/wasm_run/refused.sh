#!/bin/sh
# refused.sh LIB - holds toll.wasm's own functions to what they must refuse (refused.mjs).
set -eu
command -v node >/dev/null || { echo "skipped: there is no node"; exit 77; }
[ -f "$1/toll.wasm" ] || { echo "skipped: no toll.wasm in this build"; exit 77; }
node "$(dirname "$0")/refused.mjs" "$1"
