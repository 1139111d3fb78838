#!/usr/bin/env bash
# install.sh - puts `toll` on the PATH of the steps that follow, built from this action's own sources; a `toll` that is
# there already is used. Building takes about a minute, and needs what `scripts/setup wasm` of Toll would install.
set -euo pipefail
if command -v toll >/dev/null; then
    toll --version
    exit 0
fi
source=$(cd "$(dirname "$0")/.." && pwd)
temp=${RUNNER_TEMP:?}
[ -e "$source/CMakeLists.txt" ] || {
    echo "::error::Toll's sources are not beside this action, and no toll is on the PATH: install it in a step before"
    exit 1
}
"$source/scripts/setup" wasm
cmake -S "$source" -B "$temp/toll-build" -DCMAKE_BUILD_TYPE=Release -DTOLL_TESTS=OFF -DTOLL_BENCH=OFF \
    -DCMAKE_INSTALL_PREFIX="$temp/toll" >"$temp/toll-build.log"
cmake --build "$temp/toll-build" -j "$(nproc)" >>"$temp/toll-build.log" || {
    tail -50 "$temp/toll-build.log"
    exit 1
}
cmake --install "$temp/toll-build" >>"$temp/toll-build.log"
echo "$temp/toll/bin" >>"$GITHUB_PATH"
"$temp/toll/bin/toll" --version
