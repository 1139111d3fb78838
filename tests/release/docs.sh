#!/bin/sh
# docs.sh SOURCE WORK - makes the site of the documentation (scripts/release makes it twice, and compares), unpacks it, and
# opens it from disk in Chromium: each page, each link of each page, and a search. Nothing may be asked of a network.
set -eu
source=$1
work=$2
git -C "$source" rev-parse -q --verify HEAD >/dev/null 2>&1 || { echo "skipped: this is no clone of the repository"; exit 77; }
for tool in python3 node npm chromium; do
    command -v $tool >/dev/null 2>&1 || { echo "skipped: there is no $tool"; exit 77; }
done
mkdir -p "$work"
RELEASE_DIST=$work/dist-docs "$source/scripts/release" docs >"$work/log-docs" 2>&1 || { cat "$work/log-docs"; exit 1; }
rm -rf "$work/site"
mkdir "$work/site"
tar xzf "$work"/dist-docs/toll-*-docs.tar.gz -C "$work/site" --strip-components=1
cd "$work"
sh "$source/tests/packages/npm.sh" "$source/tests/page" .
cp "$source/tests/release/docs.mjs" .
node docs.mjs "$work/site"
