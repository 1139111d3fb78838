#!/bin/sh
# run.sh TOLL - runs printable.mjs in an empty folder.
set -eu
toll=$1
here=$(cd "$(dirname "$0")" && pwd)
command -v node >/dev/null 2>&1 || { echo "printable: there is no node; Debian's package nodejs is it"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
node "$here/printable.mjs" "$toll"
