#!/bin/sh
# run.sh DIR - npm.sh without a registry prints npm's own messages, and does not treat anything as installed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command -v npm >/dev/null 2>&1 || { echo "skipped: there is no npm"; exit 77; }
rm -rf "$1"
mkdir -p "$1/source"
cd "$1"
printf 'audit=false\nfund=false\n' >source/.npmrc
echo '{ "private": true, "dependencies": { "fib": "1.0.0" } }' >source/package.json
cat >source/package-lock.json <<'L'
{ "name": "source", "lockfileVersion": 3, "requires": true, "packages": {
  "": { "dependencies": { "fib": "1.0.0" } },
  "node_modules/fib": { "version": "1.0.0" } } }
L
# No server listens at port 1.
if npm_config_registry=http://127.0.0.1:1 npm_config_cache=$1/cache npm_config_userconfig=$1/none \
    sh "$here/npm.sh" "$1/source" "$1/there" >said 2>&1; then
    echo "FAILED: npm.sh says that it has installed what cannot be had"
    exit 1
fi
cat said
grep -q '^FAILED: npm ci, of what .*/package.json names:$' said && grep -q ECONNREFUSED said ||
    { echo "FAILED: npm's own words are missing"; exit 1; }
[ ! -e there/installed-lock.json ] || { echo "FAILED: it counts as installed"; exit 1; }
echo "npm.sh tells what npm says"
