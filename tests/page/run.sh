#!/bin/sh
# run.sh BROWSER TOLL SOURCE DIR - the pages of `toll view` in chromium or firefox, which open them from disk.
set -eu
browser=$1
toll=$2
source=$3
dir=$4
program=$browser
[ "$browser" = chromium ] || program=firefox-esr
for program in node npm "$program"; do
    command -v "$program" >/dev/null 2>&1 || { echo "skipped: there is no $program"; exit 77; }
done
mkdir -p "$dir"
cd "$dir"
sh "$source/tests/packages/npm.sh" "$source/tests/page" .
cp "$source"/tests/page/*.mjs .
node page.mjs "$browser" "$toll" "$source/tests/cli/data"
