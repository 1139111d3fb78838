#!/bin/sh
# npm.sh SOURCE DIR [COMMAND] - installs the packages of SOURCE/package-lock.json in DIR with npm COMMAND (ci), unless
# they are already there. If that fails, npm's messages are printed. A registry that does not answer is tried twice.
set -eu
command -v npm >/dev/null 2>&1 || { echo "skipped: there is no npm"; exit 77; }
source=$1
command=${3:-ci}
mkdir -p "$2"
cd "$2"
cp "$source/package.json" "$source/package-lock.json" "$source/.npmrc" .
cmp -s "$source/package-lock.json" installed-lock.json && exit 0
npm "$command" --ignore-scripts --no-progress --loglevel=error --fetch-retries=1 --fetch-retry-mintimeout=1000 \
    --fetch-timeout=120000 >npm.log 2>&1 || {
    echo "FAILED: npm $command, of what $source/package.json names:"
    cat npm.log
    exit 1
}
cp "$source/package-lock.json" installed-lock.json
