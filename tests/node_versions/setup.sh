#!/bin/sh
# setup.sh SOURCE DIR - the versions of Node that npm can bring for this machine, into DIR.
set -eu
case $(uname -sm) in
"Linux x86_64") machine=x64 ;;
"Linux aarch64") machine=arm64 ;;
*) echo "skipped: npm has no Node for $(uname -sm)"; exit 77 ;;
esac
sh "$1/tests/packages/npm.sh" "$1/tests/node_versions/$machine" "$2" ||
    { echo "skipped: npm cannot bring other versions of Node here"; exit 77; }
